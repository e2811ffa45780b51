"""Everything that touches Numba's insides: what is compiled when, and where it is kept."""
