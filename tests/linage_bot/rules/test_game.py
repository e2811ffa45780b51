"""Options, komi, results and the contract's small parts."""

import math

import attrs
import numpy as np
import pytest

from linage_bot import game
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, IllegalMove, Player, Result, perft
from linage_bot.rules.gardar import Gardar
from linage_bot.rules.leblin import Leblin
from linage_bot.rules.linage import Linage
from linage_bot.rules.options import BadOption
from linage_bot.rules.parity_linage import ParityLinage


def test_players_have_the_names_of_gtp() -> None:
    """First is black, Second white, each the other's other."""
    assert [(p.letter, p.colour, p.other) for p in Player] == [
        ("b", "black", Player.SECOND),
        ("w", "white", Player.FIRST),
    ]


@pytest.mark.parametrize(
    ("result", "rate", "lead"),
    [
        (Result(None), 0.5, 0),
        (Result(Player.FIRST, 7.0), 1, 7),
        (Result(Player.SECOND, 3.5), 0, -3.5),
        (Result(Player.SECOND), 0, 0),
    ],
)
def test_a_result_is_worth_to_one_player_what_it_costs_the_other(
    result: Result, rate: float, lead: float
) -> None:
    """A draw is half a win, and the lead is None unless points are counted."""
    first, second = Player
    assert (result.win_rate_of(first), result.lead_of(first)) == (rate, lead)
    assert (result.win_rate_of(second), result.lead_of(second)) == (1 - rate, -lead)


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (Result(None), "0"),
        (Result(Player.FIRST, 7.0), "B+7"),
        (Result(Player.SECOND, 3.5), "W+3.5"),
        (Result(Player.FIRST), "B+"),
    ],
)
def test_results_read_as_in_gtp(result: Result, text: str) -> None:
    """A margin where points are counted, a bare sign where not, 0 for a draw."""
    assert str(result) == text


@pytest.mark.parametrize(("komi", "text"), [(-0.5, "B+0.5"), (2.5, "W+2.5"), (0.0, "0")])
def test_the_higher_score_wins(komi: float, text: str) -> None:
    """Scores make a result, here those of an empty board and komi; equal scores a draw."""
    assert str(GAMES["linage"].configure("3", komi).start().result()) == text


def test_options_are_set_in_words() -> None:
    """`configure` reads size, komi and options as a user writes them."""
    game = Linage.configure("7x5", -1.5, {"edition": "2016", "line": "4", "button": "ON"})
    assert (game.board.columns, game.board.rows, game.komi) == (7, 5, -1.5)
    assert (game.edition, game.line, game.button) == ("2016", 4, True)
    assert game.settings() == {"edition": "2016", "line": "4", "button": "on"}


def test_defaults_are_those_of_the_rules() -> None:
    """Left out, everything takes the game's default."""
    game = Linage.configure()
    assert (game.board.size, game.komi, game.line, game.button) == ("15", 0.5, 3, False)
    assert (Gardar.configure().board.size, Leblin.configure().board.size) == ("9", "9")


@pytest.mark.parametrize(
    ("game", "size", "komi", "options", "name", "words"),
    [
        (Linage, "2", None, {}, "size", "3x3 to 25x25"),
        (Linage, "big", None, {}, "size", "not a board size"),
        (Linage, "", None, {}, "size", "not a board size"),
        (Linage, None, 0.25, {}, "komi", "0.25 is not a multiple of 0.5"),
        (Linage, None, math.nan, {}, "komi", "nan is not a number of points"),
        (Linage, None, math.inf, {}, "komi", "inf is not a number of points"),
        (Linage, None, 10**400, {}, "komi", "0000 is not a number of points"),
        (Linage, None, "1.5", {}, "komi", "1.5 is not a number of points"),
        (Linage, None, None, {"line": "6"}, "line", "'6' is not one of its values: 2 to 5"),
        (Linage, None, None, {"line": "-3"}, "line", "2 to 5"),
        (Linage, None, None, {"line": "٣"}, "line", "2 to 5"),
        (Linage, "4", None, {"line": "5"}, "line", "no line of 5 fits on a 4x4 board"),
        (Linage, None, None, {"edition": "2017"}, "edition", "current or 2016"),
        (Linage, None, None, {"button": "maybe"}, "button", "on or off"),
        (Linage, None, None, {"passing": "on"}, "passing", "(line, button, edition)"),
        (Leblin, None, 1.0, {}, "komi", "Leblin has no komi"),
        (Leblin, None, None, {"line": "3"}, "line", "it has no options"),
        (Gardar, None, 0.5, {}, "komi", "0.5 is not a multiple of 1"),
        (Gardar, "14", None, {}, "size", "2 to 13"),
        (ParityLinage, None, None, {"n": "601"}, "n", "0 to 600"),
    ],
)
def test_a_bad_setting_is_one_clear_line(game, size, komi, options, name, words) -> None:  # type: ignore[no-untyped-def]
    """The error names the setting and the allowed values."""
    with pytest.raises(BadOption) as caught:
        game.configure(size, komi, options)
    assert caught.value.name == name
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_numbers_of_numpy_are_settings_of_a_game() -> None:
    """A size, komi or option may come from an array, and the game is the same."""
    found = game("linage", size=np.int64(7), komi=np.float32(1.5), line=np.int8(4))
    assert repr(found) == repr(game("linage", size=7, komi=1.5, line=4))


def test_options_of_the_wrong_type_are_refused() -> None:
    """Code that sets an option past `configure` is checked too."""
    with pytest.raises(BadOption):
        attrs.evolve(Linage.configure(), line=True)
    with pytest.raises(BadOption):
        attrs.evolve(Linage.configure(), line=7)


@pytest.mark.parametrize(
    ("game", "asked", "komi"),
    [
        (Linage, 6.5, 6.5),
        (Linage, 0.3, 0.5),
        (Linage, -2.0, -2.0),
        (Linage, 9999.9, 10_000),
        (Gardar, 7.4, 7),
        (Gardar, 6.5, 6),
        (Gardar, -10_000, -10_000),
        (Leblin, 6.5, 0),
        (Leblin, 1e300, 0),
        (ParityLinage, 6.5, 0),
    ],
)
def test_any_number_of_points_will_do_as_komi(game, asked, komi) -> None:  # type: ignore[no-untyped-def]
    """GTP clients send any komi; the game takes the nearest it can have."""
    assert game.configure().with_komi(asked).komi == komi


@pytest.mark.parametrize("asked", [math.nan, math.inf, -math.inf, 1e9, -1e300, 10_000.25])
@pytest.mark.parametrize("kind", [Linage, Gardar])
def test_what_no_game_could_need_is_refused_and_not_cut_short(kind, asked) -> None:  # type: ignore[no-untyped-def]
    """A komi is used exactly as given, or refused with the range."""
    with pytest.raises(
        BadOption, match=r"^komi: \S+ is not a number of points from -10000 to 10000$"
    ):
        kind.configure().with_komi(asked)
    with pytest.raises(
        BadOption, match=r"^komi: \S+ is not a number of points from -10000 to 10000$"
    ):
        kind.configure(komi=asked)


def test_an_illegal_move_names_itself_and_the_rule() -> None:
    """The exception has the vertex and the reason as fields."""
    position = Linage.configure("3").start().play(4)
    with pytest.raises(IllegalMove) as caught:
        position.play(4)
    assert (caught.value.move, caught.value.reason) == ("B2", "there is a stone on this point")


@pytest.mark.parametrize("move", [-2, 9, 1000])
def test_a_point_off_the_board_is_an_illegal_move(move: int) -> None:
    """Numbers that are no points are refused like any other illegal move."""
    assert Linage.configure("3").start().why_illegal(move) == "the board has no such point"


def test_moves_come_in_one_order() -> None:
    """Placements ascending, then the pass."""
    assert Linage.configure("3").start().moves() == (*range(9), PASS)


def test_perft_of_depth_zero_is_one() -> None:
    """There is one sequence of no moves."""
    assert perft(Leblin.configure("5").start(), 0) == 1
