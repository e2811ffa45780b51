"""Playing on game servers, hosting one, analysing for others; with Twisted at the edge only."""
