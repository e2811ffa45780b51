"""Games on CGOS as records."""

import attrs
import pytest
from sgfmill import sgf

from linage_bot.records import from_sgf
from linage_bot.servers.cgos_client.player import AnnouncedGame
from linage_bot.servers.cgos_client.sgf import PlayedGame, write
from protocol.cgos import Setup
from protocol.cgos_words import Rated

SETUP = Setup(
    number=7,
    size=9,
    komi=5.5,
    level_ms=60_000,
    white=Rated("rival", "1800?"),
    black=Rated("linus", "1500"),
)
GAME = PlayedGame(
    "local", SETUP, AnnouncedGame("linage", (("line", "4"),)), ("D4", "PASS", "a1"), "2026-01-31",
    "B+Resign", {1: "a fine ] move"},
)  # fmt: skip


def test_a_game_of_ours_is_read_back_with_its_rules():
    record = from_sgf(GAME.as_sgf().encode())
    assert record.game.id == "linage"
    assert record.game.settings()["line"] == "4"
    assert (record.game.komi, record.game.board.size) == (5.5, "9")
    assert (record.players, record.result) == (("linus", "rival"), "B+R")
    assert (record.event, record.round, record.date) == ("local", "7", "2026-01-31")
    assert record.comments == {1: "a fine ] move"}
    assert len(record.history().positions) == 4


def test_a_hexagon_is_written_in_its_array():
    game = attrs.evolve(GAME, rules=AnnouncedGame("gardar"), moves=("E5",))
    assert from_sgf(game.as_sgf().encode()).game.board.size == "5"


def test_the_record_of_a_game_lost_by_an_illegal_move_is_a_record_too():
    game = attrs.evolve(GAME, moves=("D4", "D4"), result="B+Illegal")
    assert from_sgf(game.as_sgf().encode()).moves == (30, 30)


@pytest.mark.parametrize(
    ("rules", "moves", "kept"),
    [
        (AnnouncedGame(), ("D4", "pass", "T9"), [("b", (3, 3)), ("w", None)]),  # no such point
        (AnnouncedGame("shogi"), ("D4", "resign"), [("b", (3, 3))]),
        (AnnouncedGame("linage", (("line", "99"),)), ("D4",), [("b", (3, 3))]),
        (AnnouncedGame("linage"), ("Z9",), []),
    ],
)
def test_other_games_are_written_as_go(rules, moves, kept):
    game = attrs.evolve(GAME, rules=rules, moves=moves)
    read = sgf.Sgf_game.from_string(game.as_sgf())
    assert [node.get_move() for node in read.get_main_sequence()[1:]] == kept
    root = read.get_root()
    assert (root.get("PB"), root.get("PW"), root.get("RE")) == ("linus", "rival", "B+R")
    assert (root.get("KM"), root.get("WR")) == (5.5, "1800?")


def test_a_record_appears_whole_in_a_folder_of_its_own(tmp_path):
    path = write(tmp_path / "games", "linus@local", GAME)
    assert path == tmp_path / "games" / "linus@local" / "2026-01-31-7-linus-rival.sgf"
    assert write(tmp_path / "games", "linus@local", attrs.evolve(GAME, result="")) == path
    assert "RE[" not in path.read_text()
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_names_cannot_lead_out_of_the_folder(tmp_path):
    setup = attrs.evolve(SETUP, white=Rated("../../x"))
    path = write(tmp_path, "a/../b", attrs.evolve(GAME, setup=setup, date="../.."))
    assert path.resolve().parent.parent == tmp_path.resolve()
