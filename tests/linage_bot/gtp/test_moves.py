"""Playing, undoing and choosing moves over GTP."""

import re

import attrs
import pytest

from linage_bot.settings.playing import PlaySettings
from tests.linage_bot.gtp.conversation import QUICK, Conversation
from tests.linage_bot.leblin_rounds import LOSING


def test_colours_alternate_whatever_their_spelling():
    """Colours may be spelled in any way, and two moves of a colour in succession are refused."""
    client = Conversation()
    client.all(["play B a1", "play white pass", "play black E5", "play W c3"])
    assert client.fails("play white D4") == "illegal move: it is black's turn"


def test_a_repeated_play_is_refused_as_gogui_expects():
    """A repeated move of either colour is refused with the words `illegal move`."""
    client = Conversation()
    client.ok("play b C3")
    assert client.fails("play b C3").startswith("illegal move")
    assert client.fails("play w C3").startswith("illegal move: C3")


def test_a_sequence_is_played_whole_or_not_at_all():
    """A sequence with an illegal move is refused as a whole; an empty one is accepted."""
    client = Conversation()
    client.ok("gogui-play_sequence b C3 w C4 b pass")
    assert client.ok("gogui-rules_side_to_move") == "white"
    client.fails("gogui-play_sequence w A1 b A1")
    client.fails("gogui-play_sequence w pass b pass w pass b A1")
    client.ok("gogui-play_sequence")


def test_undo_takes_back_one_move_and_gg_undo_many_or_none():
    """`undo` removes one move, and `gg-undo` a given number of moves or none at all."""
    client = Conversation()
    start = client.ok("showboard")
    client.ok("gogui-play_sequence b C3 w C4 b pass")
    client.ok("undo")
    assert client.ok("gogui-rules_side_to_move") == "black"
    assert client.fails("gg-undo 3").startswith("cannot undo")
    client.ok("gg-undo 0")
    client.ok("gg-undo")
    client.ok("gg-undo 1")
    assert client.ok("showboard") == start
    assert client.fails("undo").startswith("cannot undo")


def test_genmove_plays_its_move_and_reg_genmove_does_not():
    """`genmove` plays its move, and `reg_genmove` does not."""
    client = Conversation()
    client.ok("reg_genmove b")
    assert client.ok("gogui-rules_side_to_move") == "black"
    move = client.ok("genmove b")
    assert client.ok("gogui-rules_side_to_move") == "white"
    assert client.fails(f"play w {move}").startswith("illegal move")


def game_of(client: Conversation) -> list[str]:
    return [client.ok(f"genmove {'bw'[ply % 2]}") for ply in range(12)]


def test_with_visits_seed_and_one_thread_games_repeat_after_clear_board_and_in_new_sessions():
    """With visits, a seed and one thread, games repeat after `clear_board` and in new sessions."""
    client = Conversation()
    first = game_of(client)
    client.ok("clear_board")
    assert game_of(client) == first
    assert game_of(Conversation()) == first
    other = Conversation(settings=attrs.evolve(QUICK, seed=8))
    assert game_of(other) != first


def hopeless(settings: PlaySettings = QUICK) -> Conversation:
    """Start a game that Horizontal has lost by komi, on a board too large for a proof."""
    client = Conversation(size="7", settings=settings)
    client.all(["komi -200.5", "play b C3"])
    return client


def test_a_hopeless_game_is_resigned_unless_that_is_switched_off():
    """A hopeless game is resigned without changing the board, unless that is switched off."""
    client = hopeless(PlaySettings(visits=200, seed=1))
    assert client.ok("reg_genmove w") != "resign"
    before = client.ok("showboard")
    assert client.ok("genmove w") == "resign"
    assert client.ok("gomill-explain_last_move").startswith("resigns: win rate ")
    assert client.ok("showboard") == before
    assert client.ok("kata-genmove_analyze w").endswith("\nplay resign")
    client.ok("kata-set-param resignRate never")
    assert client.ok("genmove w") != "resign"


def test_few_visits_say_too_little_to_resign():
    """White does not resign a lost game after only forty visits."""
    assert hopeless().ok("genmove w") != "resign"


@pytest.mark.parametrize("limit", ["maxTime 0", "maxTime 0.001"])
def test_without_any_time_a_move_is_still_thought_about(limit):
    """Without any time a move is still searched, and has a win rate."""
    client = Conversation(size="7", settings=PlaySettings(seed=1))
    client.ok(f"kata-set-param {limit}")
    client.ok("genmove b")
    assert " visits: " in client.ok("gomill-explain_last_move")


def test_a_move_is_explained_by_its_win_rate_visits_and_line():
    """A move is explained by its win rate, visits and variation; without one there is no text."""
    client = Conversation(size="7")
    assert client.ok("gomill-explain_last_move") == ""
    move = client.ok("genmove b")
    words = client.ok("gomill-explain_last_move")
    assert f", 40 visits: {move}" in words
    client.ok("clear_board")
    assert client.ok("gomill-explain_last_move") == ""


def test_what_is_explained_is_the_move_on_the_board_whatever_was_searched_since():
    """The last move is explained after other searches, another komi and `undo`."""
    client = Conversation(size="7")
    moves = [client.ok(f"genmove {colour}") for colour in "bwb"]
    client.ok("reg_genmove w")
    assert f", 40 visits: {moves[2]}" in client.ok("gomill-explain_last_move")
    client.ok("linage-pv")
    client.ok("kata-search")
    client.ok("komi 2.5")
    assert f", 40 visits: {moves[2]}" in client.ok("gomill-explain_last_move")
    client.ok("undo")
    assert f", 40 visits: {moves[1]}" in client.ok("gomill-explain_last_move")
    client.ok("gg-undo 2")
    assert client.ok("gomill-explain_last_move") == ""


def test_a_move_that_somebody_else_chose_is_not_explained():
    """An opponent's move is not explained; after `undo` the engine's own move is again."""
    client = Conversation()
    move = client.ok("genmove b")
    reply = next(
        word for word in client.ok("gogui-rules_legal_moves").split() if word not in (move, "pass")
    )
    client.ok(f"play w {reply}")
    assert client.ok("gomill-explain_last_move") == ""
    client.ok("undo")
    assert f": {move}" in client.ok("gomill-explain_last_move")
    client.fails(f"gogui-play_sequence w {reply} w {reply}")
    assert f": {move}" in client.ok("gomill-explain_last_move")


@pytest.mark.parametrize("command", ["reg_genmove b", "kata-search b"])
def test_a_move_that_was_proposed_and_then_played_is_explained(command):
    """A proposed move is explained once the client has played it."""
    client = Conversation(size="7")
    move = client.ok(command)
    assert client.ok("gomill-explain_last_move") == ""
    client.ok(f"play b {move}")
    assert f", 40 visits: {move}" in client.ok("gomill-explain_last_move")


def test_a_loaded_game_is_not_explained_by_what_came_before_it(tmp_path):
    """A loaded game is not explained by an earlier search, even of the same move."""
    client = Conversation()
    client.ok("genmove b")
    client.all([f"printsgf {tmp_path / 'game.sgf'}", f"loadsgf {tmp_path / 'game.sgf'}"])
    assert client.ok("gomill-explain_last_move") == ""


def test_a_weak_level_explains_the_move_it_played_and_not_the_best():
    """A weak level explains the move that it played, even if another was better."""
    client = Conversation(settings=PlaySettings(level=2, visits=40, seed=3))
    for ply in range(12):
        move = client.ok(f"genmove {'bw'[ply % 2]}")
        words = client.ok("gomill-explain_last_move")
        assert re.search(rf"(visits|proven), chosen at level 2: {move}\b", words)


def test_a_move_back_to_where_the_game_was_is_explained():
    """In Leblin a return to an earlier position is explained as better than a loss."""
    client = Conversation("leblin", settings=PlaySettings(visits=400, seed=3, solver=False))
    for ply, move in enumerate(LOSING.split()):
        client.ok(f"play {'bw'[ply % 2]} {move}")
    assert client.ok("genmove b") == "E2"
    words = "repeats an earlier position: all other moves look worse than a draw"
    assert client.ok("gomill-explain_last_move") == words


def test_the_engine_describes_itself_and_the_game_it_plays():
    """The engine describes itself, its limits and the game with its options."""
    client = Conversation(settings=PlaySettings(visits=5, seconds=1.5, threads=2))
    assert client.ok("gomill-describe_engine") == (
        "linage-bot, 2 thread(s), 5 visits a move, 1.5 s a move\n"
        "Linage 5, komi 0.5, line 3, button off, edition current"
    )
