"""Measure moves a second of batches and of OpenSpiel states, and their playouts against `bench`.

    PYTHONPATH=. python benchmarks/batch.py [--count 256] [--seconds 2] [--game linage:9 ...]

Random play on one thread, in processor time; finished games start again at once. "With masks"
includes drawing the moves, `step`, `legal_mask`, `over` and `reset`; "with planes" also `observe`.
The compiled playouts and `bench` take turns, and the medians are printed.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

import numpy as np
import pyspiel

import linage_bot.openspiel  # noqa: F401 - registers the games
from linage_bot import Game, game
from linage_bot.batch import Batch
from linage_bot.engine import kernels
from linage_bot.engine.search.playouts import run_playouts
from linage_bot.openspiel.parameters import parameters_of

GAMES = ("linage:9", "linage-two-color:9", "linage-parity:9", "leblin:9", "gardar:5")
RUNS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--game", nargs="+", default=GAMES)
    arguments = parser.parse_args()
    print("| game | with masks | with planes | playouts | of bench | OpenSpiel states |")
    print("|---|---|---|---|---|---|")
    for text in arguments.game:
        name, _, size = text.partition(":")
        kind = game(name, size)
        moving = [moves_a_second(kind, arguments, planes=planes) for planes in (False, True)]
        playouts, share = playouts_a_second(kind, arguments)
        figures = *moving, playouts, f"{share:.0%}", spiel_steps_a_second(kind, arguments.seconds)
        shown = (each if isinstance(each, str) else f"{each:,.0f}" for each in figures)
        print(f"| {text} |", " | ".join(shown), "|")


def moves_a_second(kind: Game, arguments: argparse.Namespace, *, planes: bool) -> float:
    batch = Batch(kind, arguments.count, 1, threads=1)
    buffer = batch.observe()

    def turn() -> int:
        over = batch.over
        if over.any():
            batch.reset(over)
        batch.legal_mask  # noqa: B018 - its time counts
        if planes:
            batch.observe(buffer)
        batch.step(batch.random_moves())
        return len(batch)

    return statistics.median(rate(turn, arguments.seconds / RUNS) for _ in range(RUNS))


def playouts_a_second(kind: Game, arguments: argparse.Namespace) -> tuple[float, float]:
    """Return the playouts a second of a batch, and their share of the engine's."""
    batch, kernel = Batch(kind, arguments.count, 1, threads=1), kernels.load(kind)
    each = 16

    def in_batch() -> int:
        batch.playouts(each)
        return each * len(batch)

    def in_bench() -> int:
        run_playouts(kernel, kind.start(), 1, each * len(batch))
        return each * len(batch)

    pairs = [
        (rate(in_batch, arguments.seconds / RUNS), rate(in_bench, arguments.seconds / RUNS))
        for _ in range(RUNS)
    ]
    share = statistics.median(own / other for own, other in pairs)
    return statistics.median(own for own, _ in pairs), share


def spiel_steps_a_second(kind: Game, seconds: float) -> float:
    parameters = {"name": f"python_{kind.id.replace('-', '_')}", **parameters_of(kind)}
    spiel, chance = pyspiel.load_game(text_of(parameters)), random.Random(1)

    def play() -> int:
        state = spiel.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
        return len(state.history())

    return rate(play, seconds)


def text_of(parameters: dict[str, object]) -> str:
    words = ",".join(
        f"{name}={str(value).lower()}" for name, value in parameters.items() if name != "name"
    )
    return f"{parameters['name']}({words})"


def rate(work: Callable[[], int], seconds: float) -> float:
    """Return what `work` counts, per second of this thread's processor time."""
    work()
    began, done = time.thread_time(), 0
    while (spent := time.thread_time() - began) < seconds:
        done += work()
    return done / spent


if __name__ == "__main__":
    np.seterr(all="raise")
    main()
