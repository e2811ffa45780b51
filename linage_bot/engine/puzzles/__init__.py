"""Puzzles: positions in which one move alone wins, found and graded by machine, and their file."""
