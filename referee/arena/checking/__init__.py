"""Whether a bot is fit for a match: named steps, and what it said where one fails."""
