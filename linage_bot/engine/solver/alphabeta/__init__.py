"""Exact values of the games that do not fall into regions, over their kernels."""
