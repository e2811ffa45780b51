"""The Go Text Protocol, version 2: bytes, commands, and both ends of a conversation."""
