"""The durable, hash-chained record of every match."""
