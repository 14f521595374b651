"""What the suite can ask: programs, services and modules that claim to play Euchre."""
