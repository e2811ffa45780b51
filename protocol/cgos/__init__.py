"""The protocol of CGOS, the computer Go server: what its server, players and viewers say."""
