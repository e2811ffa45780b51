"""Computed priors of placements, compared with slow sums."""

import random
from collections import Counter
from itertools import chain

import attrs
import numpy as np
import pytest
from endings import composed, exact_value, grown

from linage_bot.engine import kernels
from linage_bot.engine.kernels.contract import MOST_MOVES
from linage_bot.engine.kernels.square.priors import estimate_priors
from linage_bot.rules.boards import Points, bits
from linage_bot.rules.game import PASS, Player
from linage_bot.rules.linage import Linage, LinagePosition
from tests.examples import some_quick


def lines(cells: frozenset[tuple[int, int]], line: int, across: int, upright: int) -> int:
    """Return the number of lines in one direction."""
    return sum(
        all((x + across * i, y + upright * i) in cells for i in range(line)) for x, y in cells
    )


def estimate(position: LinagePosition, region: Points) -> float:
    columns, line = position.game.board.columns, position.game.line
    cells = frozenset((point % columns, point // columns) for point in bits(region))
    upright, across = (lines(cells, line, *step) ** 1.5 for step in ((0, 1), (1, 0)))
    return len(cells) * (upright - across) / (upright + across)


def estimates(position: LinagePosition) -> float:
    return sum(estimate(position, area.points) for area in position.areas())


def priors(position: LinagePosition) -> dict[int, float]:
    kernel = kernels.load(position.game)
    states, moves = kernel.encode(position), np.empty(MOST_MOVES, np.int64)
    count = kernel.legal(states[0], moves)
    gains = np.zeros(MOST_MOVES)
    estimate_priors(states[0]["survey"], states[0]["board"], moves, count, gains)
    return {int(moves[i]): float(gains[i]) for i in range(count)}


@pytest.mark.parametrize("size", ["9", "7x11", "12x5", "25"])
@pytest.mark.parametrize("line", ["2", "3", "4", "5"])
def test_a_prior_is_the_change_of_the_estimates(size: str, line: str) -> None:
    """The prior of a placement is the change in the estimates of the regions."""
    chance = random.Random(f"{size} {line}")
    position = Linage.configure(size, 0, {"line": line}).start()
    looks = 3 if size == "25" else position.game.board.count
    most = 60  # placements of one look, as they take long on the largest board
    while position.placements() and looks:
        if chance.random() < 0.2:
            looks -= 1
            before, found = estimates(position), priors(position)
            moves = [move for move in found if move != PASS]
            for move in chance.sample(moves, min(most, len(moves))):
                after = estimates(position.play(move))
                assert found[move] == pytest.approx(after - before, abs=1e-9)
        position = position.play(chance.choice(list(bits(position.placements()))))


@pytest.mark.parametrize("button", ["off", "on"])
@pytest.mark.parametrize("edition", ["current", "2016"])
@pytest.mark.parametrize("line", some_quick(["2", "3", "4", "5"], "3"))
def test_a_game_said_to_be_decided_is(line: str, edition: str, button: str) -> None:
    """A game called decided is won under best play, by at least half a point.

    Some of it is known by the table of small regions alone.
    """
    options = {"line": line, "edition": edition, "button": button}
    met: Counter[int] = Counter()
    by_the_table = 0
    games = 2 if line == "5" else 15  # few of these leave a small free region
    for position in chain(grown(options, count=games), composed(options, count=60)):
        value = exact_value(position)  # in half points
        for komi in {*range(value - 4, value + 5), 0, 15, -13}:
            decided = decided_for(with_komi(position, komi / 2))
            assert decided in (0, (value > komi) - (value < komi))
            met[decided] += 1
            by_the_table += decided != 0 and not known_without_the_table(position, komi)
    assert min(met[-1], met[0], met[1]) >= 20
    assert by_the_table >= 20


def with_komi(position: LinagePosition, komi: float) -> LinagePosition:
    return attrs.evolve(position, game=position.game.with_komi(komi))


def known_without_the_table(position: LinagePosition, komi: int) -> bool:
    """Return whether the owned points, or the right to end the game, decide by themselves."""
    scores, free = position.scores(), [a for a in position.areas() if a.owner is None]
    now = round(2 * (scores[0] - scores[1])) - komi
    most = sum(2 * area.points.bit_count() - 2 for area in free)
    if position.game.button and position.button_taker is None:
        most += 1
    return abs(now) > most or (position.passes == 1 and now * position.to_move.sign > 0)


@pytest.mark.parametrize(
    ("to_move", "komi", "decided"),
    [
        (Player.FIRST, 3.5, 1),  # +4 with Vertical to move, -4 with Horizontal
        (Player.FIRST, 4, 0),
        (Player.FIRST, 4.5, -1),
        (Player.SECOND, -4.5, 1),
        (Player.SECOND, -4, 0),
        (Player.SECOND, -3.5, -1),
    ],
)
def test_a_small_region_decides_with_its_exact_value(
    to_move: Player, komi: float, decided: int
) -> None:
    """The empty 3x3 board is decided by its exact value for either player, except for a draw."""
    position = attrs.evolve(Linage.configure("3", komi).start(), to_move=to_move)
    assert decided_for(position) == decided


def test_after_a_pass_the_score_as_it_stands_counts_too() -> None:
    """After a pass, the player to move has won if ahead, because a pass would end the game."""
    position = Linage.configure("5", -0.5).start()
    assert decided_for(position) == 0
    assert decided_for(attrs.evolve(position, passes=1)) == 1
    assert decided_for(attrs.evolve(position, passes=1, to_move=Player.SECOND)) == 0


def decided_for(position: LinagePosition) -> int:
    kernel = kernels.load(position.game)
    assert kernel.priors is not None
    states, moves = kernel.encode(position), np.empty(MOST_MOVES, np.int64)
    count = kernel.legal(states[0], moves)
    return int(kernel.priors(states[0], moves, count, np.zeros(MOST_MOVES)))
