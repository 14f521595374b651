"""The rule book of partnership Euchre as code."""
