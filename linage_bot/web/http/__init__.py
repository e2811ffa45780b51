"""The site: requests, access checks, and the registry of tables."""
