"""Exact values of Linage: positions as sums of independent regions."""
