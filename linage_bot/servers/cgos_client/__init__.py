"""A client for CGOS servers, where any GTP engine can play for a rating.

`session` handles the server's lines without I/O, `player` the engine's requests, and `sgf` the
records; `participant` is one name on one server with its engine, `command` runs all of them.
"""
