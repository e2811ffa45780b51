"""Play games of the engine against itself, and write samples for training a network.

    python -m tools.network_games games.npz --games 500 --visits 200

Each position is a sample: its planes (`linage_bot.batch`), the shares of the search's visits by
action, and First's value from -1 to 1. The value is the mean of the game's result and of the
search's expectation, because a result alone says little about one move of it.
"""

import random
from pathlib import Path

import attrs
import click
import numpy as np
import numpy.typing as npt

from linage_bot import PASS, Analysis, Engine, Game, History, Player, game
from linage_bot.batch import Batch

_VARIED_MOVES = 30  # moves of a game that are drawn by their visits; later ones are the best
_RANDOM_MOVES = 4  # at the start of a game, at most


@attrs.frozen(eq=False)
class Samples:
    """Positions for training, with a row of each array for each of them."""

    planes: npt.NDArray[np.float32]
    policies: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]
    games: npt.NDArray[np.int64]  # the number of the game

    def save(self, file: Path) -> None:
        """Write the samples as compressed arrays of NumPy."""
        arrays = attrs.asdict(self)
        np.savez_compressed(file, allow_pickle=False, **arrays)

    @classmethod
    def load(cls, file: Path) -> "Samples":
        """Read samples that `save` wrote."""
        with np.load(file) as arrays:
            return cls(**arrays)


def samples_of(kind: Game, games: int, visits: int, seed: int) -> Samples:
    """Play games and return their positions; the same arguments give the same samples."""
    chance = random.Random(seed)
    settings = {"visits": visits, "solver": False, "resign_rate": None}
    parts = []
    with Engine(seed=seed, **settings) as engine:  # type: ignore[arg-type]  # of these three
        for number in range(games):
            parts.append(_one_game(engine, kind, number, chance))
            if number % 20 == 19:
                click.echo(f"{number + 1} games, {sum(len(each.games) for each in parts)} samples")
    columns = zip(*(attrs.astuple(each) for each in parts), strict=True)
    return Samples(*(np.concatenate(each) for each in columns))


def _one_game(engine: Engine, kind: Game, number: int, chance: random.Random) -> Samples:
    engine.forget()
    history = History(kind)
    for _ in range(chance.randrange(_RANDOM_MOVES + 1)):
        history = history.play(chance.choice(history.position.moves()[:-1]))
    seen: list[History] = []
    policies, expected = [], []
    while not history.position.over:
        decision = engine.play(history, may_resign=False)
        found, move = decision.analysis, decision.move
        assert move is not None  # the engine never resigns
        if found.candidates:
            policy = policy_of(found)
            seen.append(history)
            policies.append(policy)
            expected.append(_value_of(found))
            if len(history) < _VARIED_MOVES:
                actions = range(len(policy))
                move = chance.choices(actions, policy.tolist())[0]
                move = PASS if move == len(policy) - 1 else move
        history = history.play(move)
    result = _value_of_result(history)
    return Samples(
        Batch.from_histories(seen, threads=1).observe(),
        np.array(policies, np.float32),
        (np.array(expected, np.float32) + np.float32(result)) / np.float32(2),
        np.full(len(seen), number),
    )


def policy_of(found: Analysis) -> npt.NDArray[np.float32]:
    """Return the share of each action in the visits of an analysis."""
    board = found.position.game.board
    policy = np.zeros(board.columns * board.rows + 1, np.float32)
    for each in found.candidates:
        policy[each.move] += each.visits  # a pass, -1, is the last action
    policy /= policy.sum()
    return policy


def _value_of(found: Analysis) -> float:
    own = found.seen_by(Player.FIRST)
    visits = sum(each.visits for each in own.candidates)
    return 2 * sum(each.visits * each.win_rate for each in own.candidates) / visits - 1


def _value_of_result(history: History) -> float:
    winner = history.position.result().winner
    return 0.0 if winner is None else float(winner.sign)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", "name", default="linage", show_default=True)
@click.option("--size", default="9", show_default=True)
@click.option("--games", default=500, show_default=True)
@click.option("--visits", default=200, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(file: Path, name: str, size: str, games: int, visits: int, seed: int) -> None:
    """Play games of the engine against itself, and write a network's samples to FILE."""
    samples_of(game(name, size=size), games, visits, seed).save(file)


if __name__ == "__main__":
    main()
