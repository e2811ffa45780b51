"""No test reads or writes the table of whoever runs it."""

import pytest


@pytest.fixture(autouse=True)
def _own_table(own_table: object) -> None:
    """Give every test a table of its own."""
