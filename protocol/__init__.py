"""Text protocols of board games, both sides: no game, and I/O only in `transports`."""
