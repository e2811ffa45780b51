"""Puzzles: positions in which one move alone wins, and the file of those that are shipped."""
