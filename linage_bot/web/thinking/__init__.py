"""Searches for a table: its session, its tasks in the queue, and their results."""
