"""Benchmarks: playouts and search visits per second of one thread, the median of several runs."""

import platform
import statistics
import time
from collections.abc import Callable
from typing import Any

import numba

from linage_bot.engine import kernels
from linage_bot.engine.search.playouts import run_playouts
from linage_bot.engine.search.tree import Tree
from linage_bot.rules import GAMES
from linage_bot.rules.game import Game
from linage_bot.version import __version__

_SEED = 1
_SIGNATURE_VISITS = 3000


def report(playouts_of: list[Game], search_of: list[Game], seconds: float, runs: int) -> Any:
    """Return the JSON that `linage-bot bench` prints; `seconds` is the length of one run."""
    return {
        "version": __version__,
        "machine": {
            "system": f"{platform.system()} {platform.machine()}",
            "python": platform.python_version(),
            "numba": numba.__version__,
        },
        "signature": signature(),
        "runs": runs,
        "playouts": [_playouts(game, seconds, runs) for game in playouts_of],
        "search": [_search(game, seconds, runs) for game in search_of],
    }


def signature() -> dict[str, int]:
    """Return each game's node count for a fixed search; it changes only if the search changes."""
    nodes = {}
    for kind in GAMES.values():
        start = kind.configure().start()
        tree = Tree(kernels.load(start.game), start, start.moves(), _SEED)
        tree.grow(_SIGNATURE_VISITS)
        nodes[kind.id] = tree.nodes
    return nodes


def _playouts(game: Game, seconds: float, runs: int) -> dict[str, Any]:
    kernel, start = kernels.load(game), game.start()
    rate = _rate(lambda count: run_playouts(kernel, start, _SEED, count), seconds, runs)
    moves = run_playouts(kernel, start, _SEED, 1000) / 1000
    return {
        **_of(game),
        "playouts_per_second": round(rate),
        "moves_per_playout": round(moves, 2),
        "ns_per_move": round(1e9 / rate / moves, 1),
    }


def _search(game: Game, seconds: float, runs: int) -> dict[str, Any]:
    kernel, start = kernels.load(game), game.start()

    def think(visits: int) -> None:
        while visits > 0:  # small boards are solved before all visits are made
            tree = Tree(kernel, start, start.moves(), _SEED)
            tree.grow(visits)
            visits -= tree.visits

    return {**_of(game), "visits_per_second": round(_rate(think, seconds, runs))}


def _of(game: Game) -> dict[str, Any]:
    return {"game": game.id, "size": game.board.size, "options": game.settings()}


def _rate(work: Callable[[int], object], seconds: float, runs: int) -> float:
    """Return the median units of work per second; a first, unmeasured call compiles the code."""
    work(1)
    count = 1
    while (spent := _seconds(work, count)) < seconds / 4:
        count *= 2 if spent > seconds / 64 else 8
    count = max(1, round(count * seconds / spent))
    return statistics.median(count / _seconds(work, count) for _ in range(runs))


def _seconds(work: Callable[[int], object], count: int) -> float:
    """Return this thread's processor time, which other programs disturb less than wall time."""
    started = time.thread_time()
    work(count)
    return time.thread_time() - started
