"""What to offer and what to choose in the pie, and the self-play that finds out what is even."""
