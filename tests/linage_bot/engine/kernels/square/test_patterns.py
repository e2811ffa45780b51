"""Learned priors of placements: complete, symmetric, and better than the computed priors.

`deep_positions.json` has positions that nothing was learned from, with the placement that a search
of 120,000 visits liked best.
"""

import json
import random
from pathlib import Path

import attrs
import numpy as np
import pytest

from linage_bot.engine import kernels
from linage_bot.engine.kernels.contract import MOST_MOVES
from linage_bot.engine.kernels.square.patterns import FILE, SHAPE, read_weights
from linage_bot.engine.kernels.square.priors import estimate_priors
from linage_bot.engine.solver.sums.sums import filling
from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS, Player
from linage_bot.rules.linage import Linage, LinagePosition

KEPT = json.loads((Path(__file__).parent / "deep_positions.json").read_text())


def judged(position: LinagePosition, *, learned: bool = True) -> dict[int, float]:
    """Return the prior of each placement for the player to move, learned or computed."""
    kernel = kernels.load(position.game)
    assert kernel.priors is not None
    states, moves = kernel.encode(position), np.empty(MOST_MOVES, np.int64)
    count, gains = kernel.legal(states[0], moves), np.zeros(MOST_MOVES)
    if learned:
        kernel.priors(states[0], moves, count, gains)
    else:
        estimate_priors(states[0]["survey"], states[0]["board"], moves, count, gains)
    sign = 1 if position.to_move is Player.FIRST else -1
    return {int(moves[i]): sign * float(gains[i]) for i in range(count) if moves[i] != PASS}


def position_of(kept: dict[str, object]) -> tuple[LinagePosition, int]:
    start = Linage.configure(str(kept["size"])).start()
    stones, player = int(str(kept["stones"]), 16), Player(kept["player"])
    best = start.game.board.point(str(kept["best"]))
    return attrs.evolve(start, first=stones, to_move=player), best


def test_the_shipped_weights_are_whole() -> None:
    """The shipped weights are complete, and each is less than 8."""
    weights = read_weights(FILE)
    assert [len(each) for each in weights] == list(SHAPE)
    assert all(np.abs(each).max() < 8 for each in weights)


@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "changed"])
def test_damaged_weights_are_not_used(tmp_path, caplog, damage) -> None:
    """Missing or damaged weights are ignored with a warning."""
    file, content = tmp_path / "patterns.bin", FILE.read_bytes()
    broken = {"empty": b"", "cut": content[:-9], "changed": content[:99] + b"?" + content[100:]}
    if damage != "missing":
        file.write_bytes(broken[damage])
    assert read_weights(file) == []
    assert f"{file} is missing or damaged" in caplog.text


@pytest.mark.thorough
def test_deep_searches_agree_with_what_was_learned_more_than_with_priors() -> None:
    """Deep searches agree with the learned priors more often than with the computed ones."""
    ranks = {True: [], False: []}
    for kept in KEPT:
        position, best = position_of(kept)
        for learned, found in ranks.items():
            scores = judged(position, learned=learned)
            equal = sum(score == scores[best] for score in scores.values())
            better = sum(score > scores[best] for score in scores.values())
            found.append(better + (equal - 1) / 2)
    among_ten = {learned: sum(rank < 10 for rank in found) for learned, found in ranks.items()}
    first = {learned: sum(rank < 1 for rank in found) for learned, found in ranks.items()}
    assert among_ten[True] > 1.1 * among_ten[False]
    assert first[True] > first[False]


def stones_of(position: LinagePosition) -> int:
    return (1 << position.game.board.count) - 1 & ~position.empty


@pytest.mark.parametrize("size", ["9", "7x12", "15"])
def test_images_of_a_position_are_judged_alike(size) -> None:
    """Mirrored or turned positions have the same learned priors."""
    chance = random.Random(size)
    position = Linage.configure(size).start()
    for _ in range(12):
        scores = judged(position)
        for symmetry in position.game.board.symmetries():
            game = Linage.configure(symmetry.target.size)
            mover = position.to_move.other if symmetry.transposes else position.to_move
            image = attrs.evolve(game.start(), first=symmetry(stones_of(position)), to_move=mover)
            found = {symmetry.image[point]: score for point, score in scores.items()}
            assert judged(image) == pytest.approx(found, abs=1e-5)
        position = position.play(chance.choice(list(bits(position.placements()))))


@pytest.mark.parametrize("line", ["2", "3"])
def test_filling_an_own_region_looks_as_bad_as_it_is(line) -> None:
    """In edition 2016 filling an own region has a prior of -1, or the lowest learned one."""
    chance = random.Random(2)
    position = Linage.configure("7", 0, {"edition": "2016", "line": line}).start()
    met = 0
    while position.placements():
        scores = judged(position)
        own = filling(position) & sum(1 << point for point in scores)
        others = [score for point, score in scores.items() if not own >> point & 1]
        if own and others:
            met += 1
            filled = {scores[each] for each in bits(own)}
            assert filled == {-1.0} if line == "2" else max(filled) < min(others)
        position = position.play(chance.choice(list(bits(position.placements()))))
    assert met


@pytest.mark.parametrize("line", ["2", "4", "5"])
def test_other_lines_keep_their_priors(line) -> None:
    """Other line lengths use the computed priors, because none were learned."""
    position = Linage.configure("9", None, {"line": line}).start().play(40)
    assert judged(position) == judged(position, learned=False)
