"""The site: requests, who may make them, and the registry of tables."""
