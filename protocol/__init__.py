"""Text protocols of board games, both sides, without game rules; only `transport` does I/O."""
