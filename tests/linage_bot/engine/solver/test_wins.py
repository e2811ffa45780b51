"""Moves proven to win, and some that lose, in games other than Linage."""

import threading

import attrs
import pytest

from linage_bot.engine import kernels
from linage_bot.engine.solver.wins import Wins
from linage_bot.rules import GAMES
from linage_bot.rules.game import Player
from tests.examples import some_quick
from tests.linage_bot.engine.solver.outlook import late_positions, outlook
from tests.linage_bot.engine.two_halls import DOOR, two_halls

NEVER = threading.Event()
PARITY = [("3x4", {}), ("4x3", {"n": "1"}), ("4", {"condition": "line", "passing": "off"})]


@pytest.mark.parametrize(("size", "options"), some_quick(PARITY, "4x3"))
def test_a_move_is_told_just_where_the_mover_wins(size: str, options: dict[str, str]) -> None:
    """And after it the opponent has lost, by all play."""
    game = GAMES["linage-parity"].configure(size, None, options)
    wins, known = Wins(game, kernels.load(game)), {}
    won = 0
    for position in late_positions(game, 3, 20, 9):
        sign = -1 if position.to_move else 1
        low, high = outlook(position, 20, known)
        assert low == high
        exact = wins.best(position, NEVER)
        if sign * low < 0:
            assert exact is None
            continue
        won += 1
        assert exact is not None
        assert exact.value.low > 0
        assert sign * outlook(position.after(exact.good[0]), 19, known)[0] > 0
    assert won


def test_a_draw_is_better_than_a_loss() -> None:
    """Where the komi allows one."""
    found = set()
    game = GAMES["linage-two-color"].configure("3x4", 0, {})
    wins = Wins(game, attrs.evolve(kernels.load(game), provable=12))
    for position in late_positions(game, 4, 30, 6):
        sign, known = (-1 if position.to_move else 1), {}
        low, high = outlook(position, 17, known)
        if low != high:
            continue
        exact = wins.best(position, NEVER)
        value = (sign * low > 0) - (sign * low < 0)
        found.add(value)
        assert (exact is None) == (value < 0)
        if exact is not None:
            after = sign * outlook(position.after(exact.good[0]), 16, known)[0]
            assert (after > 0) - (after < 0) == value
    assert found == {-1, 0, 1}


@pytest.mark.parametrize(("size", "options"), some_quick(PARITY, "4x3"))
def test_what_is_seen_one_ply_ahead_is_so(size: str, options: dict[str, str]) -> None:
    """By all play; without passing regions are no nimbers, and nothing is seen."""
    game = GAMES["linage-parity"].configure(size, None, options)
    wins, known, seen = Wins(game, kernels.load(game)), {}, set()
    for position in late_positions(game, 5, 40, 9):
        sign = -1 if position.to_move else 1
        found = wins.ahead(position, NEVER)
        for move, span in {} if found is None else found.moves.items():
            if span.exact:
                assert span.low == sign * outlook(position.after(move), 19, known)[0]
                seen.add(span.low)
    assert seen == ({-1, 1} if game.passing else set())


@pytest.mark.parametrize("player", Player)
def test_a_region_out_of_reach_may_be_split_into_some_within(player: Player) -> None:
    """Two halls alike cancel each other, as heaps do in Nim; two regions are Second's."""
    position = two_halls(player)
    wins = Wins(position.game, kernels.load(position.game))
    found = wins.best(position, NEVER, nodes=1_000_000)
    assert found is not None
    if player is Player.SECOND:
        assert found.good == (DOOR,)
        assert found.value.low == 1
    else:
        assert found.good == ()
        assert found.of(DOOR).high == -1


def test_nothing_is_told_when_the_nodes_are_used_up() -> None:
    """And positions as hard are left alone from then on."""
    game = GAMES["linage-parity"].configure("4")
    wins = Wins(game, kernels.load(game))
    assert wins.best(game.start(), NEVER, nodes=20) is None
    assert wins.best(game.start(), NEVER) is None
    assert Wins(game, kernels.load(game)).best(game.start(), NEVER) is not None


def test_a_try_that_was_stopped_says_nothing_of_how_hard_a_position_is() -> None:
    """The next one is as likely as ever."""
    game = GAMES["linage-parity"].configure("4")
    wins, stopped = Wins(game, kernels.load(game)), threading.Event()
    stopped.set()
    assert wins.best(game.start(), stopped) is None
    assert wins.best(game.start(), NEVER) is not None


def test_the_same_nodes_give_the_same_move() -> None:
    """However fast the machine is."""
    game = GAMES["linage-parity"].configure("5")
    for position in late_positions(game, 5, 4, 16):
        one, other = (
            Wins(game, kernels.load(game)).best(position, NEVER, nodes=500) for _ in range(2)
        )
        assert one == other
