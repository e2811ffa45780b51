"""Worlds for all tests of the CGOS server."""

import pytest

from linage_bot.servers.cgos_server import passwords
from tests.linage_bot.servers.cgos_server.world import World


@pytest.fixture(autouse=True)
def _cheap_passwords(monkeypatch, request):
    """A hash that costs a tenth of a second is a promise of its own test only."""
    if request.module.__name__.rpartition(".")[2] != "test_passwords":
        monkeypatch.setattr(passwords, "_COST", 2)


@pytest.fixture
def world(tmp_path) -> World:
    return World(tmp_path)
