"""The engine and its parts: compiled games, tree search, proofs and the pie."""
