"""A chair for a person: what is typed, what is drawn, and the player that they make."""
