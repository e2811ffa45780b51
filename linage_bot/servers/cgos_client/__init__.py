"""A client for CGOS servers: engines that speak GTP, ours or anybody's, play there for a rating.

Lines go to `session` (no I/O, what they ask of us), what is asked of the engine to `player`, what
was played to `sgf`; `participant` is one name on one server with its engine, `command` all.
"""
