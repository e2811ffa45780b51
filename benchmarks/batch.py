"""Measure moves a second of batches and of OpenSpiel states, and their playouts against `bench`.

    PYTHONPATH=. python benchmarks/batch.py [--count 256] [--seconds 2] [--game linage:9 ...]
                                            [--pgx PYTHON]

Random play on one thread, in processor time; finished games start again at once. "With masks"
includes drawing the moves, `step`, `legal_mask`, `over` and `reset`; "with planes" also `observe`.
The compiled playouts and `bench` take turns, and the medians are printed. For comparison, go is
played on 9x9 by OpenSpiel, in C++, and by pgx, if `--pgx` names a Python that has it: in a batch
of `--count`, for each second of processor time, of all its threads.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
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
PGX = """
import sys, time
import jax, pgx
from pgx.experimental import auto_reset

count, seconds = int(sys.argv[1]), float(sys.argv[2])
environment = pgx.make("go_9x9")
step = auto_reset(environment.step, environment.init)

@jax.jit
def turn(states, key):
    keys = jax.random.split(key, count + 2)
    logits = jax.numpy.where(states.legal_action_mask, 0.0, -jax.numpy.inf)
    moves = jax.random.categorical(keys[0], logits, axis=-1)
    return jax.vmap(step)(states, moves, keys[2:]), keys[1]

states = jax.vmap(environment.init)(jax.random.split(jax.random.PRNGKey(1), count))
states, key = turn(states, jax.random.PRNGKey(2))
jax.block_until_ready(states)
began, done = time.process_time(), 0
while (spent := time.process_time() - began) < seconds:
    states, key = turn(states, key)
    jax.block_until_ready(states)
    done += count
print(done / spent)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--game", nargs="+", default=GAMES)
    parser.add_argument("--pgx", metavar="PYTHON")
    arguments = parser.parse_args()
    print("| game | with masks | with planes | playouts | of bench | OpenSpiel states |")
    print("|---|---|---|---|---|---|")
    for text in arguments.game:
        name, _, size = text.partition(":")
        kind = game(name, size)
        moving = [moves_a_second(kind, arguments, planes=planes) for planes in (False, True)]
        playouts, share = playouts_a_second(kind, arguments)
        figures = *moving, playouts, f"{share:.0%}", own_spiel_steps(kind, arguments.seconds)
        shown = (each if isinstance(each, str) else f"{each:,.0f}" for each in figures)
        print(f"| {text} |", " | ".join(shown), "|")
    go = spiel_steps_a_second(pyspiel.load_game("go(board_size=9)"), arguments.seconds)
    print(f"OpenSpiel's go: {go:,.0f} moves/s")
    if arguments.pgx:
        command = [arguments.pgx, "-c", PGX, str(arguments.count), str(arguments.seconds)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        print(f"pgx's go: {float(done.stdout):,.0f} moves/s")


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


def own_spiel_steps(kind: Game, seconds: float) -> float:
    parameters = {"name": f"python_{kind.id.replace('-', '_')}", **parameters_of(kind)}
    return spiel_steps_a_second(pyspiel.load_game(text_of(parameters)), seconds)


def spiel_steps_a_second(spiel: pyspiel.Game, seconds: float) -> float:
    chance = random.Random(1)

    def play() -> int:
        state = spiel.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
        return int(state.move_number())

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
