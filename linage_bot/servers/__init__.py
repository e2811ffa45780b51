"""Clients for game servers, and game and analysis servers; only the edges use Twisted."""
