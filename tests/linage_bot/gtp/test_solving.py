"""Exact values over GTP."""

import json

import attrs
import pytest

from tests.linage_bot.gtp.conversation import QUICK, Conversation


def test_tells_the_exact_score_and_best_moves_on_one_line() -> None:
    """The solver prints the exact score, the best moves and all values on one line."""
    client = Conversation(size="3x4")
    answer = client.ok("linage-solve 60")
    assert "\n" not in answer
    values = json.loads(answer)
    assert values["exact"] is True
    assert (values["to_move"], values["score"], values["bounds"]) == ("black", 5, [5, 5])
    assert sorted(values["best"]) == sorted(["A1", "C1", "A2", "C2", "A3", "C3", "A4", "C4"])
    assert len(values["moves"]) == 13
    assert max(values["moves"].values()) == 5
    (region,) = values["regions"]
    assert (len(region["points"]), region["owner"]) == (12, None)
    assert (region["black_first"], region["white_first"]) == (5, 4)
    assert (region["mean"], region["temperature"]) == (4.5, 0.5)
    assert region["value"] == "{5|4}"


def test_sees_the_position_and_side_to_move_now_without_komi() -> None:
    """The solver reports on the present position and ignores komi."""
    client = Conversation(size="3")
    client.all(["komi 7.5", "play b pass"])
    values = json.loads(client.ok("linage-solve"))
    assert (values["to_move"], values["score"]) == ("white", -4)
    client.ok("play w B3")
    values = json.loads(client.ok("linage-solve"))
    assert (values["to_move"], values["score"]) == ("black", -4)


def test_without_time_it_tells_bounds_and_nothing_more() -> None:
    """Without time the solver prints bounds, without a score or best moves."""
    client = Conversation(size="7")
    client.ok("linage-solve 0")
    values = json.loads(client.ok("linage-solve 0"))
    assert values["exact"] is False
    assert values["score"] is None
    assert values["best"] == []
    low, high = values["bounds"]
    assert -49 < low < high < 49


def test_stop_ends_it_with_what_is_proven() -> None:
    """`stop` ends the solver at once, with the bounds that it has proven."""
    client = Conversation(size="9")
    client.ok("linage-solve 0")  # the code is compiled now
    client.send(b"linage-solve 1000\n")
    client.send(b"# interrupt\n")
    client.settle()
    assert b'"exact": false' in client.output


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("linage-solve -1", "syntax error"),
        ("linage-solve nan", "syntax error"),
        ("linage-solve soon", "syntax error"),
    ],
)
def test_bad_seconds_are_refused(command: str, error: str) -> None:
    """A bad number of seconds is refused in one line, and the session continues."""
    client = Conversation(size="3")
    assert client.fails(command).startswith(error)
    client.ok("name")


@pytest.mark.parametrize(
    ("game", "options", "score", "regions"),
    [
        ("linage", {"button": "on"}, 3.5, 0),
        ("linage-two-color", {}, 0, 0),
        ("linage-parity", {}, 1, 1),
        ("linage-parity", {"passing": "off"}, 1, 0),
        ("leblin", {}, 1, 0),
    ],
)
def test_small_boards_of_other_games_are_solved(
    game: str, options: dict[str, str], score: float, regions: int
) -> None:
    """The score is First's points less Second's, or 1 for a win of First, without komi.

    Regions are listed where the position is their sum.
    """
    client = Conversation(game=game, size="3", **options)
    values = json.loads(client.ok("linage-solve 300"))
    assert (values["exact"], values["to_move"], values["score"]) == (True, "black", score)
    assert {values["moves"][best] for best in values["best"]} == {score}
    assert len(values["regions"]) == regions


def test_a_proven_move_says_so() -> None:
    """`gomill-explain_last_move` reports an exact lead as proven."""
    client = Conversation(size="3x4", settings=attrs.evolve(QUICK, solver=True))
    client.all(["komi 0.5", "genmove b"])
    answer = client.ok("gomill-explain_last_move")
    assert answer.startswith("win rate 100.0%, score lead +4.5, proven: ")
