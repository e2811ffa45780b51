"""Makers of tables that are shipped with the package; the tools are only in the repository."""
