"""Exact values of positions of every game."""
