"""Playing on game servers: each in a package of its own, with Twisted at its edge only."""
