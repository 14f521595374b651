"""The reference referee for Euchre: rules, sealed deals, table, journal and service."""
