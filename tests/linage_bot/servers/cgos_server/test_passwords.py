"""Passwords are stored as salted, costly hashes."""

import contextlib
import sqlite3

import pytest

from linage_bot.servers.cgos_server.passwords import hashed, matches
from tests.linage_bot.servers.cgos_server.world import World


def test_a_hash_fits_its_password_only_and_shows_nothing_of_it():
    """A hash matches its own password only and does not contain it."""
    stored = hashed("correct horse")
    assert matches("correct horse", stored)
    assert not matches("Correct horse", stored)
    assert "horse" not in stored


def test_each_hash_has_its_own_salt():
    """Each hash has its own salt."""
    assert hashed("same") != hashed("same")


def test_the_hash_is_costly():
    """A hash costs 16 MiB of memory."""
    assert hashed("x").startswith("scrypt$16384,8,1$")


@pytest.mark.parametrize(
    "stored",
    ["", "x", "plain", "md5$1,1,1$AAAA$AAAA", "scrypt$1,1,1$AAAA$AAAA", "scrypt$2,1$AA$AA",
     "scrypt$16384,8,1$not base64$AAAA", "scrypt$99999999999,8,1$AAAA$AAAA"],
)  # fmt: skip
def test_what_is_no_hash_matches_nothing(stored):
    """An invalid hash matches no password and raises no error."""
    assert not matches("x", stored)


def test_no_file_of_the_server_holds_a_password(tmp_path):
    """No file of the server contains a password."""
    world = World(tmp_path)
    world.player("anna")
    world.store.close()
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert b"password-of-anna" not in path.read_bytes()
    with contextlib.closing(sqlite3.connect(tmp_path / "server.sqlite")) as database:
        (row,) = database.execute("select password from players")
    assert row[0].startswith("scrypt$")
