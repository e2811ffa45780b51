"""Search for the best moves, which knows the games only by the interface of their kernels."""
