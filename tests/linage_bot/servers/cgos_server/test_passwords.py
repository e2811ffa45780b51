"""Passwords are stored so that whoever steals the file does not have them."""

import contextlib
import sqlite3

import pytest

from linage_bot.servers.cgos_server.passwords import hashed, matches
from tests.linage_bot.servers.cgos_server.world import World


def test_a_hash_fits_its_password_only_and_shows_nothing_of_it():
    """Capital letters matter."""
    stored = hashed("correct horse")
    assert matches("correct horse", stored)
    assert not matches("Correct horse", stored)
    assert "horse" not in stored


def test_each_hash_has_its_own_salt():
    """A thief cannot see that two players have the same password."""
    assert hashed("same") != hashed("same")


def test_the_hash_is_costly():
    """N = 2^14, r = 8: 16 MiB for every guess."""
    assert hashed("x").startswith("scrypt$16384,8,1$")


@pytest.mark.parametrize(
    "stored",
    ["", "x", "plain", "md5$1,1,1$AAAA$AAAA", "scrypt$1,1,1$AAAA$AAAA", "scrypt$2,1$AA$AA",
     "scrypt$16384,8,1$not base64$AAAA", "scrypt$99999999999,8,1$AAAA$AAAA"],
)  # fmt: skip
def test_what_is_no_hash_matches_nothing(stored):
    """A damaged row, or one of absurd cost, neither lets in nor crashes the server."""
    assert not matches("x", stored)


def test_no_file_of_the_server_holds_a_password(tmp_path):
    """Every file it has written is searched; the database has a scrypt hash."""
    world = World(tmp_path)
    world.player("anna")
    world.store.close()
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert b"password-of-anna" not in path.read_bytes()
    with contextlib.closing(sqlite3.connect(tmp_path / "server.sqlite")) as database:
        (row,) = database.execute("select password from players")
    assert row[0].startswith("scrypt$")
