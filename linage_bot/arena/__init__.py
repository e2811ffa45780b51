"""Engines against each other: child process, referee, clocks, ratings, statistics, standings."""
