"""The conformance suite: a corpus of cases, and the harness that asks them."""
