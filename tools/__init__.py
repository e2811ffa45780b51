"""Makers of tables that come with the package; only the repository has them."""
