"""The database keeps committed data and refuses files of other games."""

import contextlib
import sqlite3
import sys

import pytest

from linage_bot.rules import GAMES
from linage_bot.servers.cgos_server.store import MoveRow, PlayerRow, ServerStore
from linage_bot.settings.checks import SettingFault
from tests.linage_bot.servers.cgos_server.world import finish


@pytest.fixture
def path(tmp_path):
    return tmp_path / "server.sqlite"


def test_two_servers_cannot_use_one_file(path):
    """A second server on the same file is refused."""
    game = GAMES["linage"].configure()
    store = ServerStore.open(path, game)
    with pytest.raises(SettingFault, match="another server is using it"):
        ServerStore.open(path, game)
    store.close()
    ServerStore.open(path, game).close()


def test_a_file_is_for_one_game(world):
    """A file with games by other rules is refused."""
    world.begin()
    world.store.close()
    with pytest.raises(SettingFault, match="has games with other rules"):
        ServerStore.open(world.folder / "server.sqlite", GAMES["leblin"].configure("9"))


def test_a_file_without_games_is_for_any_game(path):
    """A file without games may be used for any game."""
    for size in ("9", "11", "9"):
        ServerStore.open(path, GAMES["linage"].configure(size)).close()


def test_what_is_no_database_is_refused(path):
    """A file that is no database is refused with its name."""
    path.write_text("not a database, but long enough to look like one to whoever reads it" * 20)
    with pytest.raises(SettingFault, match=r"server\.sqlite"):
        ServerStore.open(path, GAMES["linage"].configure())


def test_a_file_of_another_version_is_refused(path):
    """A file of another version is refused."""
    ServerStore.open(path, GAMES["linage"].configure()).close()
    database = sqlite3.connect(path)
    database.execute("pragma user_version = 99")
    database.close()
    with pytest.raises(SettingFault, match="another version"):
        ServerStore.open(path, GAMES["linage"].configure())


def test_a_reader_sees_what_is_committed(world):
    """Other readers see a move from its commit on."""
    first, _ = world.begin()
    first.say("C3")
    reader = sqlite3.connect(f"{(world.folder / 'server.sqlite').as_uri()}?mode=ro", uri=True)
    with contextlib.closing(reader):
        world.store.add_move(1, 1, MoveRow("A1", 1))
        query = "select move from moves order by ply"
        assert reader.execute(query).fetchall() == [("C3",)]
        world.store.commit()
        assert reader.execute(query).fetchall() == [("C3",), ("A1",)]


def test_a_move_is_never_written_twice(world):
    """A second move with the same number is refused."""
    first, _ = world.begin()
    first.say("C3")
    with pytest.raises(SettingFault):
        world.store.add_move(1, 0, MoveRow("C3", 1))


def test_games_by_player_and_scores(world):
    """Games are listed by player, latest first, with the scores used for pairing."""
    for one, other in [("anna", "bert"), ("anna", "carl"), ("bert", "carl")]:
        first, second = world.begin(one, other)
        finish(world, first, second)
        first.hang_up(), second.hang_up()
    assert [row.number for row in world.store.games_of("anna", 10)] == [2, 1]
    assert [row.number for row in world.store.games_of("carl", 1)] == [3]
    assert [row.number for row in world.store.last_games(2)] == [3, 2]
    assert [row.number for row in world.store.last_games(2, before=3)] == [2, 1]
    scores = world.store.scores()
    assert sum(score.games for score in scores.values()) == 3
    assert scores == world.server.lobby.pairing_history.scores


@pytest.mark.skipif(sys.platform == "win32", reason="other users have no rights there")
@pytest.mark.parametrize("old", [False, True])
def test_nobody_else_reads_the_hashes_of_passwords(path, old):
    """Only the owner can read the database files, even if an older file was open to others."""
    if old:
        path.touch()
        path.chmod(0o644)
    store = ServerStore.open(path, GAMES["linage"].configure())
    store.register(PlayerRow("one", "hash", "today"))
    store.commit()
    files = list(path.parent.iterdir())
    assert len(files) >= 3
    assert all(file.stat().st_mode & 0o077 == 0 for file in files)
    store.close()
