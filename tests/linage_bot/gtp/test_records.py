"""Game records over GTP."""

import pytest

from linage_bot.games import GAMES
from linage_bot.records import from_sgf
from tests.linage_bot.gtp.conversation import Conversation

GAME = "tests/linage_bot/gtp/game.sgf"


@pytest.fixture(autouse=True)
def _in_the_repository(pytestconfig, monkeypatch):
    monkeypatch.chdir(pytestconfig.rootpath)


def test_a_loaded_game_goes_on_where_it_ended():
    client = Conversation("leblin", "9")
    assert client.ok(f"loadsgf {GAME}") == "black"
    assert client.ok("gogui-title") == "Linage 5, komi 0.5"
    assert client.fails("play b C3").startswith("illegal move")
    client.all(["play b A1", "gg-undo 3"])
    assert client.fails("undo").startswith("cannot undo")


@pytest.mark.parametrize(("number", "mover", "stones"), [(1, "black", 0), (2, "white", 1)])
def test_a_game_is_loaded_up_to_the_position_before_a_move(number, mover, stones):
    client = Conversation()
    assert client.ok(f"loadsgf {GAME} {number}") == mover
    assert client.ok("gogui-rules_board").count("X") == stones


def test_what_was_said_of_moves_taken_back_is_no_longer_printed():
    client = Conversation()
    client.ok(f"loadsgf {GAME}")
    assert "an answer" in client.ok("printsgf")
    client.ok("undo")
    assert "an answer" not in client.ok("printsgf")
    assert "a centre stone" in client.ok("printsgf")


def test_the_result_of_a_file_is_not_that_of_another_game(tmp_path):
    file = tmp_path / "resigned.sgf"
    file.write_text("(;FF[4]GM[1]SZ[5]RU[linage]RE[W+R];B[cc];W[bb])")
    client = Conversation()
    client.ok(f"loadsgf {file}")
    assert "RE[W+R]" in client.ok("printsgf")
    client.ok("play b A1")
    assert "RE[" not in client.ok("printsgf")


def test_a_finished_game_is_printed_with_its_result():
    client = Conversation()
    client.all(["play b pass", "play w pass"])
    assert "RE[W+0.5]" in client.ok("printsgf")


@pytest.mark.parametrize("game", GAMES)
def test_what_is_written_to_a_file_is_loaded_again_as_it_was(game, tmp_path):
    client = Conversation(game, "5")
    for ply in range(6):
        client.ok(f"genmove {'bw'[ply % 2]}")
    file = tmp_path / "game.sgf"
    assert client.ok(f"printsgf {file}") == ""
    other = Conversation()
    other.ok(f"loadsgf {file}")
    for line in ("showboard", "kata-get-rules", "gogui-rules_legal_moves"):
        assert other.ok(line) == client.ok(line)
    assert from_sgf(file.read_bytes()).moves == client.engine.record.moves


def test_a_game_that_breaks_the_rules_is_not_loaded(tmp_path):
    file = tmp_path / "cheat.sgf"
    file.write_text("(;FF[4]GM[1]SZ[5]RU[linage];B[cc];W[cc])")
    error = Conversation().fails(f"loadsgf {file}")
    assert error.startswith("cannot load file")
    assert "move 2" in error


def test_files_are_for_local_users_only():
    client = Conversation(may_use_files=False)
    assert client.fails(f"loadsgf {GAME}").startswith("cannot load file")
    assert client.fails("printsgf /tmp/never-written.sgf").startswith("cannot write file")
    assert client.ok("printsgf").startswith("(;FF[4]")


def test_a_game_on_cgos_is_printed_with_its_opponent_and_result():
    client = Conversation()
    client.all(["cgos-opponent_name rival", "cgos-opponent_rating 1700", "clear_board"])
    client.all(["cgos-opponent_rating 1800?", "play b A1", "cgos-gameover W+Time"])
    record = from_sgf(client.ok("printsgf").encode())
    assert (record.event, record.result) == ("CGOS, against rival (1800?)", "W+T")
    client.all(["clear_board", "play b A1"])
    assert from_sgf(client.ok("printsgf").encode()).result is None
