"""Running matches: clocks, policies, seals and resume."""
