"""GoGui's Analyze menu: the responses of its entries."""

import pytest

from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS
from tests.linage_bot.gtp.conversation import Conversation


@pytest.mark.parametrize("ending", [(), ("play b pass", "play w pass")])
@pytest.mark.parametrize(
    ("game", "size", "options"),
    [*((game, "3", {}) for game in GAMES), ("linage", "3", {"button": "on"})],
)
def test_every_entry_of_the_analyze_menu_is_a_command_that_answers_in_its_game(
    game, size, options, ending
):
    """Each menu entry is a valid command in every game, at the start and after two passes."""
    client = Conversation(game, size, **options)
    rows = client.ok("gogui-analyze_commands").splitlines()
    for line in ending if client.engine.position.may_pass() else ():
        client.ok(line)
    for row in rows:
        kind, label, command = row.split("/")
        assert kind in ("gfx", "sboard", "var", "string", "hstring", "param")
        assert label
        client.ok(command.replace("%c", "b"))


def test_what_is_known_of_linage_alone_is_offered_there_and_refused_in_a_line_elsewhere():
    """Entries that only Linage has appear in its menu, and are refused in other games."""
    client = Conversation()
    known = ["Region Values/linage-region_values", "Temperatures/linage-temperatures"]
    assert all(f"sboard/{entry}" in client.ok("gogui-analyze_commands") for entry in known)
    client.ok("linage-game leblin")
    for entry in known:
        label, command = entry.split("/")
        assert label not in client.ok("gogui-analyze_commands")
        why = "in Leblin regions have no values of their own"
        assert client.fails(command) == f"cannot solve: {why}"


@pytest.mark.parametrize("name", ["linage-win_rates", "linage-visits"])
@pytest.mark.parametrize(("game", "size", "points"), [("linage", "5x4", 20), ("gardar", "2", 7)])
def test_a_value_per_point_is_shown_as_a_whole_board_in_every_position(name, game, size, points):
    """Values are shown as a whole board, with two quotes where none is known."""
    client = Conversation(game, size)
    client.ok("kata-set-param maxVisits 200")
    board = client.engine.board
    rows = [row.split() for row in client.ok(name).splitlines()]
    assert [len(row) for row in rows] == [board.columns] * board.rows
    visited = {each.move for each in client.engine.decided.analysis.candidates if each.visits}
    assert sum(word != '""' for row in rows for word in row) == len(visited - {PASS}) <= points
    while not client.engine.position.over:
        client.ok(f"play {client.engine.position.to_move.colour} pass")
    words = client.ok(name).split()
    assert words == ['""'] * (board.columns * board.rows)


def test_what_was_just_thought_is_shown_without_thinking_again():
    """A finished search is shown without searching again; a move starts a new search."""
    client = Conversation(size="7")
    client.ok("reg_genmove b")
    visits = client.ok("linage-visits")
    client.all(["kata-set-param maxVisits 100000", "linage-win_rates"])
    assert client.ok("linage-visits") == visits
    assert client.ok("linage-pv b").split()[0] == "b"
    client.ok("play b C3")
    client.ok("kata-set-param maxVisits 60")
    shown = client.ok("linage-visits").replace('""', "0").split()
    found = client.engine.decided.analysis.candidates
    passes = sum(each.visits for each in found if each.move == PASS)
    assert sum(map(int, shown)) + passes == 60


def test_legal_points_are_marked_and_counted():
    """Legal points are marked and counted, without the pass."""
    client = Conversation(size="3")
    client.ok("play b B2")
    marks, text = client.ok("linage-legal").splitlines()
    legal = client.ok("gogui-rules_legal_moves").split()
    assert marks.split() == ["CIRCLE", *legal[:-1]]
    assert text == f"TEXT {len(legal) - 1} points"


def test_the_title_names_the_game_its_komi_and_only_unusual_options():
    """A window's title has the game, its komi and unusual options only."""
    assert Conversation(size="9x7").ok("gogui-title") == "Linage 9x7, komi 0.5"
    title = Conversation(size="9", line="4", edition="2016").ok("gogui-title")
    assert title == "Linage 9, komi 0.5, line 4, edition 2016"


def test_the_title_follows_the_komi_that_a_gui_sends():
    """The title follows the komi, and has none in a game without komi."""
    client = Conversation(size="9")
    client.ok("komi 6.5")
    assert client.ok("gogui-title") == "Linage 9, komi 6.5"
    assert Conversation("leblin").ok("gogui-title") == "Leblin 5"
