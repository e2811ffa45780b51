"""Fixtures that keep tests away from the user's own table."""

import pytest


@pytest.fixture(autouse=True)
def _own_table(own_table: object) -> None:
    """Give every test a table of its own."""
