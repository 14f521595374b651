"""One match as a value: decide, evolve, view."""
