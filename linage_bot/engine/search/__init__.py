"""Choosing moves by search over the compiled games; names no game, knows them by one contract."""
