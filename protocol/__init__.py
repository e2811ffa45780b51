"""Text protocols of board games, both sides, without a game and (but for `transports`) without I/O."""
