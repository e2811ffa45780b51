"""CGOS games as SGF records."""

import attrs
import pytest

from linage_bot.records.grammar import sgf
from linage_bot.records.reading import from_sgf
from linage_bot.servers.cgos_client.live import LiveGame
from linage_bot.servers.cgos_client.sgf import as_sgf, write
from protocol.cgos.server import ProtocolQuery, Setup
from protocol.cgos.words import Rated, TimedMove
from protocol.session.arguments import Colour

SETUP = Setup(
    number=7,
    size=9,
    komi=5.5,
    level_ms=60_000,
    white=Rated("rival", "1800?"),
    black=Rated("linus", "1500"),
)
LINAGE = ProtocolQuery(game="linage", options=(("line", "4"),))
DATE = "2026-01-31"


def played(*moves: str, rules: ProtocolQuery = LINAGE, setup: Setup = SETUP) -> LiveGame:
    timed = tuple(TimedMove(move, 1000) for move in moves)
    return LiveGame(attrs.evolve(setup, moves=timed), rules, Colour.BLACK)


def sgf_of(game: LiveGame, result: str = "B+Resign") -> str:
    return as_sgf(game, "local", DATE, result)


def test_a_game_of_ours_is_read_back_with_its_rules():
    """A recorded game keeps its rules, players, result and comments."""
    game = played("D4", "PASS", "a1")
    game.comments = {1: "a fine ] move"}
    record = from_sgf(sgf_of(game).encode())
    assert record.game.id == "linage"
    assert record.game.settings()["line"] == "4"
    assert (record.game.komi, record.game.board.size) == (5.5, "9")
    assert (record.players, record.result) == (("linus", "rival"), "B+R")
    assert (record.event, record.round, record.date) == ("local", "7", DATE)
    assert record.comments == {1: "a fine ] move"}
    assert len(record.history().positions) == 4


def test_a_hexagon_is_written_in_its_array():
    """A hexagonal board is recorded from its array."""
    game = played("E5", rules=ProtocolQuery(game="gardar"))
    assert from_sgf(sgf_of(game).encode()).game.board.size == "5"


def test_the_record_of_a_game_lost_by_an_illegal_move_is_a_record_too():
    """A game lost by an illegal move is recorded with that move."""
    text = sgf_of(played("D4", "D4"), "B+Illegal")
    assert from_sgf(text.encode()).moves == (30, 30)


@pytest.mark.parametrize(
    ("rules", "moves", "kept"),
    [
        (ProtocolQuery(), ("D4", "pass", "T9"), [("b", (3, 3)), ("w", None)]),  # no such point
        (ProtocolQuery(game="shogi"), ("D4", "resign"), [("b", (3, 3))]),
        (ProtocolQuery(game="linage", options=(("line", "99"),)), ("D4",), [("b", (3, 3))]),
        (ProtocolQuery(game="linage"), ("Z9",), []),
    ],
)
def test_other_games_are_written_as_go(rules, moves, kept):
    """Games with unknown rules are recorded as Go."""
    read = sgf.Sgf_game.from_string(sgf_of(played(*moves, rules=rules)))
    assert [node.get_move() for node in read.get_main_sequence()[1:]] == kept
    root = read.get_root()
    assert (root.get("PB"), root.get("PW"), root.get("RE")) == ("linus", "rival", "B+R")
    assert (root.get("KM"), root.get("WR")) == (5.5, "1800?")


def test_a_record_appears_whole_in_a_folder_of_its_own(tmp_path):
    """A record replaces an earlier one of the same game and leaves no other files."""
    game, folder = played("D4"), tmp_path / "games"
    path = write(folder, "linus@local", game, "local", DATE, "B+Resign")
    assert path == folder / "linus@local" / "2026-01-31-7-linus-rival.sgf"
    assert write(folder, "linus@local", game, "local", DATE, "") == path
    assert "RE[" not in path.read_text()
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_names_cannot_lead_out_of_the_folder(tmp_path):
    """Names from the server cannot lead outside the folder of records."""
    game = played("D4", setup=attrs.evolve(SETUP, white=Rated("../../x")))
    path = write(tmp_path, "a/../b", game, "local", "../..", "B+1")
    assert path.resolve().parent.parent == tmp_path.resolve()
