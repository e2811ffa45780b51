"""The code that depends on Numba's internals: compilation on demand, and its cache on disk."""
