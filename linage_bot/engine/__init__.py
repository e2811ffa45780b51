"""Choosing moves: the games compiled, tree search, proofs, the pie, and one engine over all."""
