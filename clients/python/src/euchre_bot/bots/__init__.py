"""Sample bots: each is one function and a way to start it."""
