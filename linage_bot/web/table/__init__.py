"""A game at a table: its tree, seats, clock and pie, and its text form on the disk."""
