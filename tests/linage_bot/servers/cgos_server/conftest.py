"""Fixtures for all tests of the CGOS server."""

import contextlib

import pytest

from linage_bot.servers.cgos_server import passwords
from linage_bot.settings.checks import SettingFault
from tests.linage_bot.servers.cgos_server.world import World


@pytest.fixture(autouse=True)
def _cheap_passwords(monkeypatch, request):
    """Make password hashes cheap, except in their own tests."""
    if request.module.__name__.rpartition(".")[2] != "test_passwords":
        monkeypatch.setattr(passwords, "_COST", 2)


@pytest.fixture(autouse=True)
def _closed():
    """Close the databases of a test's worlds, because Python 3.13 warns otherwise."""
    before = len(World.opened)
    yield
    while len(World.opened) > before:
        with contextlib.suppress(SettingFault):  # the test has closed it
            World.opened.pop().store.close()


@pytest.fixture
def world(tmp_path) -> World:
    return World(tmp_path)
