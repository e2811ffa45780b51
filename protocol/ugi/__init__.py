"""The Universal Game Interface: its lines, and both ends of a conversation."""
