"""What is searched for a table: its session, its tasks in the queue, and what was found."""
