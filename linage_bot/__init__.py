"""Linage and four related abstract games: exact rules and a strong search behind the Go Text Protocol."""

__version__ = "0.1.0"
