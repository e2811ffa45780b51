"""What placements promise, against the same sums done slowly."""

import random

import numpy as np
import pytest

from linage_bot import kernels
from linage_bot.boards import Points, bits
from linage_bot.game import PASS, Player
from linage_bot.games.linage import Linage, LinagePosition
from linage_bot.kernels.contract import MOST_MOVES
from linage_bot.solver.sums import filling


def lines(cells: frozenset[tuple[int, int]], line: int, across: int, upright: int) -> int:
    """How many lines lie in one direction."""
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


def promises(position: LinagePosition) -> dict[int, float]:
    kernel = kernels.load(position.game)
    assert kernel.promise is not None
    states, moves = kernel.encode(position), np.empty(MOST_MOVES, np.int64)
    count = kernel.legal(states[0], moves)
    gains = np.zeros(MOST_MOVES)
    kernel.promise(states[0], moves, count, gains)
    return {int(moves[i]): float(gains[i]) for i in range(count)}


@pytest.mark.parametrize("size", ["9", "7x11", "12x5", "25"])
@pytest.mark.parametrize("line", ["2", "3", "4", "5"])
def test_a_placement_promises_the_change_of_the_estimates(size: str, line: str) -> None:
    """Of all regions it leaves, against the one it is in."""
    chance = random.Random(f"{size} {line}")
    position = Linage.configure(size, 0, {"line": line}).start()
    looks = 3 if size == "25" else position.game.board.count  # they take long there
    while position.placements() and looks:
        if chance.random() < 0.2:
            looks -= 1
            before = estimates(position)
            for move, gain in promises(position).items():
                if move != PASS:
                    after = estimates(position.play(move))
                    assert gain == pytest.approx(after - before, abs=1e-9)
        position = position.play(chance.choice(list(bits(position.placements()))))


@pytest.mark.parametrize("player", Player)
def test_filling_an_own_region_promises_the_loss_of_a_point(player: Player) -> None:
    """In edition 2016; a pass promises nothing."""
    position = Linage.configure("6", 0, {"edition": "2016"}).start()
    chance = random.Random(1)
    while position.to_move is not player or not filling(position):
        position = position.play(chance.choice(list(bits(position.placements()))))
    own, found = filling(position), promises(position)
    assert {found[move] for move in bits(own)} == {1.0 if player else -1.0}
    assert found[PASS] == 0


@pytest.mark.parametrize("button", ["off", "on"])
@pytest.mark.parametrize("edition", ["current", "2016"])
def test_a_game_said_to_be_decided_is(edition: str, button: str) -> None:
    """Whoever owns enough wins every game from there, even at random; both kinds are met."""
    chance, met = random.Random(f"{edition} {button}"), set()
    for komi in (-6.5, 0, 7.5, 1, 0.5, -3):
        options = {"edition": edition, "button": button}
        position = Linage.configure("6x5", komi, options).start()
        while not position.over:
            decided = decided_for(position)
            met.add(decided)
            if decided:
                for _ in range(5):
                    assert winner_at_random(position, chance) is Player(decided < 0)
            position = position.after(chance.choice(unspoilt(position)))
    assert met == {-1, 0, 1}


def decided_for(position: LinagePosition) -> int:
    kernel = kernels.load(position.game)
    assert kernel.promise is not None
    states, moves = kernel.encode(position), np.empty(MOST_MOVES, np.int64)
    count = kernel.legal(states[0], moves)
    return int(kernel.promise(states[0], moves, count, np.zeros(MOST_MOVES)))


def unspoilt(position: LinagePosition) -> tuple[int, ...]:
    """The moves, without those of edition 2016 that throw away a point of one's own."""
    return tuple(
        move for move in position.moves() if move == PASS or not filling(position) >> move & 1
    )


def winner_at_random(position: LinagePosition, chance: random.Random) -> Player | None:
    while not position.over:
        position = position.after(chance.choice(unspoilt(position)))
    return position.result().winner
