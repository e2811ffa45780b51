"""Parity Linage as a sum of its regions, each of them worth a nimber and a parity."""
