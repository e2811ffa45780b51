"""Positions as lines of text: lossless, with errors that name the wrong part."""

import itertools
import json

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.records import fen
from linage_bot.records.fen import BadFen, from_fen, to_fen
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, PastWord, Player
from linage_bot.rules.history import History
from linage_bot.rules.linage import Linage, LinagePosition
from linage_bot.servers.abstract_play.position import replay
from tests.linage_bot.rules.test_every_game import CONFORMANCE, configured, wanderings


def check_round_trip(position):
    """Check that a position survives the round trip, with its moves, scores and result."""
    line = to_fen(position)
    again = from_fen(line)
    assert again == position
    assert to_fen(again) == line
    assert again.moves() == position.moves()
    assert (again.over, again.scores(), again.result()) == (
        position.over,
        position.scores(),
        position.result(),
    )
    # Also the parts that are shown, though they decide nothing.
    assert [again.why_illegal(move) for move in range(-1, 9)] == [
        position.why_illegal(move) for move in range(-1, 9)
    ]


@given(wanderings)
def test_every_position_that_a_game_reaches_is_read_as_it_was_written(position):
    """Every position of every game and option survives the round trip."""
    check_round_trip(position)


@given(wanderings, st.lists(st.integers(0, 2**30), max_size=12))
def test_a_game_goes_on_from_the_line_as_it_would_have_gone_on(position, choices):
    """A position and its line lead to the same positions after any moves."""
    again = from_fen(to_fen(position))
    for choice in choices:
        if position.over:
            break
        move = position.moves()[choice % len(position.moves())]
        position, again = position.play(move), again.play(move)
        assert again == position


def recorded_games(id_):
    """The position that each recorded game leads to, and many on the way there."""
    for line in (CONFORMANCE / f"{id_}.jsonl").read_text(encoding="utf-8").splitlines():
        recorded = json.loads(line)
        game = configured(id_, recorded["options"])
        positions = [game.start()]
        for move in recorded["moves"]:  # which `test_every_game` proves to be legal
            move = PASS if move == "pass" else game.board.point(move)
            positions.append(positions[-1].after(move))
        yield [*positions[:-1:7], positions[-1]]


def conformance_positions():
    """Positions of all recorded games, and those with exact values."""
    for id_ in GAMES:
        yield from itertools.chain.from_iterable(recorded_games(id_))
    exact = json.loads((CONFORMANCE / "linage-exact.json").read_text(encoding="utf-8"))
    for row, player in itertools.product(exact["positions"], Player):
        words = {"size": f"{row['columns']}x{row['rows']}", "edition": row["edition"], "komi": "0"}
        game = configured("linage", words)
        stones = [(Player.FIRST, game.board.point(stone)) for stone in row["stones"]]
        start = History(game, setup=stones, begins=player)
        yield from (start.position, start.play(PASS).position)


@pytest.mark.thorough
def test_every_recorded_position_is_read_as_it_was_written():
    """The positions that others published come through, and all that led to them."""
    positions = list(conformance_positions())
    assert len(positions) > 500
    for position in positions:
        assert from_fen(to_fen(position)) == position


def test_every_recorded_position_of_abstract_play_is_read_as_it_was_written():
    """All recorded positions of Abstract Play, including button moves, survive the round trip."""
    for line in (CONFORMANCE / "abstract-play.jsonl").read_text(encoding="utf-8").splitlines():
        webhook = json.loads(line)["webhook"]
        words = [word for turn in webhook["moves"] for word in turn]
        position = replay(webhook["variants"], words).search_position
        assert from_fen(to_fen(position)) == position


LINES = {
    "linage 5/5/5/5/5 x komi=0.5": ("linage", "5", []),
    "linage 5/2x2/1o3/5/5 x komi=-3.5 line=4 edition=2016": (
        "linage",
        "5",
        ["C4", "B3"],
    ),
    "linage-two-color 4/4/4/x2o x komi=3 button=on count_regions=on passes=1 button_taker=x": (
        "linage-two-color",
        "4",
        ["A1", "D1", "pass", "pass"],
    ),
    "linage-parity 4/4/1xo1 o n=2 passes=1": ("linage-parity", "4x3", ["B1", "C1", "pass"]),
    "leblin 3/1x1/2o x turns=2": ("leblin", "3", ["B2", "C1"]),
    "gardar 1o/1x1/2 o komi=0 passes=1 first_passer=x past=B2,C3,pass": (
        "gardar",
        "2",
        ["B2", "C3", "pass"],
    ),
}


@pytest.mark.parametrize("line", [line for line, how in LINES.items() if how])
def test_a_line_reads_as_the_page_says(line):
    """Rows from the top, x and o, the mover, then komi, options and the past."""
    name, size, moves = LINES[line]
    told = dict(word.split("=") for word in line.split()[3:])
    words = {key: told[key] for key in told if key == "komi" or key in GAMES[name].options()}
    history = History(configured(name, {"size": size, **words}))
    for move in moves:
        history = history.play(move)
    expected = history.position
    assert from_fen(line) == expected
    assert to_fen(expected) == line


def test_a_past_board_of_gardar_may_not_come_back_in_a_position_that_was_read():
    """Gardar's ban on repetition survives the round trip."""
    for positions in recorded_games("gardar"):
        for position in filter(repeating, positions):
            again = from_fen(to_fen(position))
            assert again.boards == position.boards
            assert again.moves() == position.moves()
            return
    raise AssertionError("no recorded position forbids a repetition")


def repeating(position):
    return not position.over and position.placements() != position.empty


def test_a_game_that_began_with_stones_keeps_the_boards_that_are_known():
    """An unknown first turn is written as a question mark; later boards are known."""
    game = configured("gardar", {"size": "3"})
    stones = [(Player.FIRST, game.board.point("C3")), (Player.SECOND, game.board.point("A1"))]
    history = History(game, setup=stones).play("B2").play("C2")
    line = to_fen(history.position)
    assert line.endswith("past=?,C2")
    assert from_fen(line) == history.position


WRONG = {
    "": "fen: expected at least a game, its rows and the player to move",
    "go 5/5/5/5/5 x": "game: there is no game 'go' (linage, ",
    "linage 5/5/5/5/5 b": "who moves: 'b' is neither x nor o",
    "linage 5/5/5/5 ox": "who moves: 'ox' is neither x nor o",
    "linage 5/5/4/5/5 x": "rows: row 3 has 4 points, not 5",
    "linage 5/5/4w/5/5 x": "rows: row 3, '4w', is not made of x, o and numbers",
    "linage 5//5/5/5 x": "rows: row 2, '', is not made of x, o and numbers",
    "linage 2/2 x": "rows: a 2x2 board does not exist",
    "linage 99/99/99 x": "rows: a 99x3 board does not exist",
    "linage 5/5/5/5/5 x komi": "fen: expected NAME=VALUE, not 'komi'",
    "linage 5/5/5/5/5 x komi=much": "komi: 'much' is not a number",
    "linage 5/5/5/5/5 x komi=nan": "komi: nan is not a number of points",
    "linage 5/5/5/5/5 x komi=0.3": "komi: 0.3 is not a multiple of 0.5",
    "linage 5/5/5/5/5 x komi=1 komi=1": "komi: is given twice",
    "linage 5/5/5/5/5 x line=9": "line: '9' is not one of its values: 2 to 5",
    "linage 5/5/5/5/5 x n=3": "n: Linage has no such option",
    "linage 5/5/5/5/5 x turns=3": "turns: Linage has no such field",
    "linage 5/5/5/5/5 x passes=few": "passes: 'few' is not a number",
    "linage 5/5/5/5/5 x passes=3": "fen: an impossible position: more than two passes in a row",
    "linage 5/5/5/5/5 x button_taker=x": "fen: an impossible position: there is no button to take",
    "linage 5/5/5/5/5 x button=on passes=1": "fen: an impossible position: the first pass takes",
    "linage 5/5/5/5/5 x button=on button_taker=b": "button_taker: 'b' is neither x nor o",
    "linage 2xxx/2xxx/xxxxx/xxxxx/xxxxx x": "fen: an impossible position: a region has",
    "linage-parity 3/3/3 x passing=off passes=1": "fen: an impossible position: this game",
    "leblin 3/3/3 x turns=182": "fen: an impossible position: no game has more than 181 turns",
    "leblin 3/3/3 x turns=9999999": "turns: '9999999' is not a number",
    "leblin 3/3/3 x after_minimal=yes": "after_minimal: 'yes' is not `on`",
    "leblin 3/3/3 x incursion=D9": "incursion: 'D9' is not a point of the 3x3 board",
    "gardar 3/3/3 x": "rows: row 1 has 3 points, not 2",
    "gardar 2/3/2 x passes=1": "fen: an impossible position: the first player to pass is not known",
    "gardar 2/3/2 x passes=3": "fen: an impossible position: more than two passes in a row",
    "gardar 2/3/2 x past=A1": "past: turn 1 does not lead to the next board",
    "gardar 2/3/2 x past=pass,?": "past: turn 2: '?' is not a point",
    "gardar 2/3/2 x past=pass-A1": "past: turn 1 does not lead to the next board",
}


@pytest.mark.parametrize("line", WRONG)
def test_what_is_wrong_in_a_line_is_named(line):
    """The error names the wrong part of the line and the reason."""
    with pytest.raises(BadFen) as caught:
        from_fen(line)
    assert str(caught.value).startswith(WRONG[line])
    assert WRONG[line].startswith(caught.value.where)


@given(st.text(max_size=60) | st.text("linage-prtygd xo/=0123456789,?pas", max_size=60))
def test_no_line_does_any_harm(line):
    """Any text is read as a position or refused with a reason."""
    for text in (line, f"linage {line}", f"gardar 2/3/2 x {line}", f"leblin 3/3/3 o {line}"):
        try:
            position = from_fen(text)
        except BadFen as error:
            refusal = str(error)
        else:
            refusal = ""
            assert from_fen(to_fen(position)) == position
        assert len(refusal) < 300


def test_a_line_as_long_as_it_may_be_is_refused_at_once():
    """A huge row is refused at once, without filling the memory."""
    with pytest.raises(BadFen, match="row 1"):
        from_fen(f"linage {'99' * 400_000} x")


@attrs.frozen(kw_only=True, repr=False)
class MarkedPosition(LinagePosition):
    """A position of another package's game, with a fact that none of ours has."""

    marks: tuple[int, ...] = ()


class Marked(Linage):
    """The game of another package."""

    id, name = "marked", "Marked Linage"
    past_words = {  # noqa: RUF012 - as games write it
        "marks": PastWord(
            "marks",
            lambda position, marks: ",".join(map(position.game.board.vertex, marks)),
            lambda position, text: tuple(map(position.game.board.point, text.split(","))),
        )
    }

    def start(self):
        return MarkedPosition(game=self)


def test_a_game_of_another_package_has_words_of_its_own(monkeypatch):
    """They are written, read and refused as those of our games, and are words of that game only."""
    monkeypatch.setattr(fen, "GAMES", {"marked": Marked, "linage": Linage})
    position = attrs.evolve(Marked.configure("5").start(), marks=(0, 7))
    check_round_trip(position)
    line = "marked 5/5/5/5/5 x komi=0.5 marks=A1,C2"
    assert to_fen(position) == line
    with pytest.raises(BadFen, match=r"^marks: "):
        from_fen(line.replace("C2", "Z2"))
    with pytest.raises(BadFen, match=r"^marks: Linage has no such option"):
        from_fen(line.replace("marked", "linage"))
