"""Text protocols of board games, both sides: no game; I/O in `transport` only."""
