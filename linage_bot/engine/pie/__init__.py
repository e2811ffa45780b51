"""The choice of offers and sides in the pie, and the self-play that finds even openings."""
