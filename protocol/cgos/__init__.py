"""The protocol of CGOS, the computer Go server: messages of its server, players and viewers."""
