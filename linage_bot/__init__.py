"""Linage and four related abstract games: exact rules and a search behind the Go Text Protocol."""

__version__ = "0.1.0"
