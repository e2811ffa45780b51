"""Exact values of the games that are not sums of regions, computed with their kernels."""
