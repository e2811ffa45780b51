"""A game at a table: its tree, seats, clock and pie, and how it is written to disk."""
