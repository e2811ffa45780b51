"""Exact values of Linage positions."""
