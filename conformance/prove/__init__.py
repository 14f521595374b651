"""Proving the corpus: what it catches, what it covers, and what it does not."""
