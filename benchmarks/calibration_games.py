"""Play games and record the engine's estimates of some positions, with the truth about them.

    python -m benchmarks.calibration_games calibration.jsonl --seconds 360 --workers 16
    python -m benchmarks.calibration_games calibration.jsonl linage:9 gardar:4 --seconds 60

For each position it writes a line of JSON: the estimates of one search after 1,000, 10,000 and
100,000 visits, those of searches with a tenth of these visits at an even komi, the owners now and
after random games, and the truth: the result of the game, the final score of a game played on from
there at the even komi, and what the solver proves. `benchmarks/calibration.py` fits the engine's
calibration to them.

The first stones are random, and until the first recorded position one move in six; after it both
sides search every move. In Leblin and Gardar, where a visit is slow, only one position of a game
gets 100,000 visits. Game number N of a board is the same in every run with this seed. A file that
exists is continued. Packages needed: attrs, numba, numpy, platformdirs.
"""

import argparse
import itertools
import json
import multiprocessing
import os
import random
import threading
import time
from collections.abc import Iterable, Iterator
from multiprocessing.pool import AsyncResult
from pathlib import Path
from typing import Any

import attrs

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.pie.fair import known_komi, nearest_komi
from linage_bot.engine.rollouts import random_owners
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.engine.solver.loading import wait_for_solver
from linage_bot.engine.solver.proof import Goal, Proof
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Game, Player, Position
from linage_bot.rules.history import History

BOARDS = (
    "linage:9 linage:13 linage-two-color:9 linage-two-color:13 linage-parity:9 linage-parity:13"
    " leblin:5 leblin:7 gardar:4 gardar:5"
)
VISITS = (1_000, 10_000, 100_000)
_EVEN_SHARE = 0.1  # of the visits, for each search at an even komi
_PLAYED = {"leblin": 1_500, "gardar": 1_500}  # visits a move, where a visit is slow
_PLAYED_DEFAULT = 3_000
_ON_VISITS = 1_000  # visits a move of the game that is continued at the even komi
_RANDOM = 1 / 6  # share of random moves before the first recorded position
PARTS = 3  # of the games, for fits: each is measured by the fit to the others
_POSITIONS = 3  # recorded in a game
_KOMI_SPREAD = 0.05  # of the points, in one game in three
_LONGEST = 4  # turns a point
_PROOF_NODES = 300_000
_GRACE_SECONDS = 8.0  # for games that are under way at the end
_NEVER = threading.Event()
Line = dict[str, Any]


@attrs.frozen
class Task:
    """A game to play: its board as GAME:SIZE, and its number there."""

    board: str
    number: int
    seed: int

    def lines(self) -> list[Line]:
        """Play the game; return a line for each recorded position, none if it has no end."""
        chance = random.Random(f"{self.seed} {self.board} {self.number}")
        name, size = self.board.split(":")
        game = _with_some_komi(GAMES[name].configure(size), chance)
        points, slow = game.board.count, name in _PLAYED
        stops = [chance.randint(2, round(0.5 * points))]
        for _ in range(_POSITIONS - 1):
            stops.append(stops[-1] + chance.randint(2, round(0.2 * points)))
        deep = chance.randrange(_POSITIONS)
        seeds = [chance.getrandbits(30) for _ in range(2 + _POSITIONS)]
        player = Engine(seed=seeds[0], resign_rate=None)
        limits = Limits(_PLAYED.get(name, _PLAYED_DEFAULT))
        history, lines = History(game), []
        for ply in range(_LONGEST * points):
            position = history.position
            if position.over:
                break
            if ply in stops and len(position.moves()) > 1:
                which = stops.index(ply)
                visits = VISITS[:-1] if slow and which != deep else VISITS
                line = _estimates(history, visits, seeds[2 + which])
                lines.append(line | {"ply": ply, "player": int(position.to_move)})
            early = ply < 2 or (ply < stops[0] and chance.random() < _RANDOM)
            move = player.play(history, limits, may_resign=False).move
            if early:
                placements = [each for each in position.moves() if each != PASS]
                move = chance.choice(placements or [PASS])
            assert move is not None
            history = history.play(move)
        if not history.position.over:
            return []
        return [self._judged(line, history.position) for line in lines]

    def _judged(self, line: Line, end: Position) -> Line:
        """Return the line with the result of its game."""
        player = Player(line["player"])
        facts = {"board": self.board, "game": self.number, "seed": self.seed}
        result = end.result()
        line |= {"won": result.win_rate_of(player), "owned": _owned(end)}
        if end.game.counts_points:
            line["final"] = result.lead_of(player)
        return facts | line


def _with_some_komi(game: Game, chance: random.Random) -> Game:
    """Return the game with its own, the even, or a somewhat uneven komi."""
    if game.komi_step is None:
        return game
    kind, known = chance.randrange(3), known_komi(game)
    komi = game.komi if kind == 0 or known is None else known.komi
    if kind == 2:
        komi += chance.gauss(0, _KOMI_SPREAD * game.board.count)
    return game.with_komi(nearest_komi(game, komi))


def _estimates(history: History, visits: tuple[int, ...], seed: int) -> Line:
    """Return the facts about a position, the estimates, and the truth known without its game."""
    position = history.position
    game, mover = position.game, position.to_move
    line: Line = {
        "komi": game.komi,
        "open": round(position.placements().bit_count() / game.board.count, 4),
        "proven": proven_lead(position),
        "told": [],
    }
    even: list[Any] = []
    for analysis in _growing(history, visits, seed):
        line["told"].append(_facts(analysis))
        if game.counts_points:
            even.append(_at_even_komi(analysis, seed))
        if analysis.visits == VISITS[1]:
            moves = analysis.candidates[0].line
            owners = random_owners(position, moves, _NEVER)
            assert owners is not None
            line["owners"] = [round(100 * share) for share in owners]
            line["owned_now"] = _owned(position)
    if even:
        line["even"] = even
        *_, (komi, _, lead, _) = even[-1]
        sign = mover.sign
        end = _played_on(position, nearest_komi(game, komi + sign * lead), seed)
        if end is not None:
            line["on_komi"], line["on_owned"] = end.game.komi, _owned(end)
            line["on_final"] = end.result().lead_of(mover) + sign * (end.game.komi - game.komi)
    return line


def _growing(history: History, visits: tuple[int, ...], seed: int) -> Iterator[Analysis]:
    """Yield the analyses of one search after each number of visits; the last if it is proven."""
    from linage_bot.engine.search.think import Search  # imports Numba

    position = history.position
    kernel = wait_for_kernel(position.game, _NEVER)
    assert kernel is not None
    search = Search(kernel, position, position.moves(), seed, forced_draws=history.ways_back())
    for each in visits:
        search.run(Limits(each), _NEVER)
        yield search.analysis(proofs=False).seen_by(position.to_move)
        if search.analysis().settled:
            return


def _facts(analysis: Analysis) -> list[Any]:
    """Return visits, whether it is proven, and the mover's estimates.

    They are the win rate and lead of the analysis, of the best move, and of all visits, then the
    best move's visits, spread, and the same for all moves.
    """
    seen = [each for each in analysis.candidates if each.visits]
    best, total = seen[0], sum(each.visits for each in seen)
    rate = sum(each.visits * each.win_rate for each in seen) / total
    lead = sum(each.visits * each.lead for each in seen) / total
    squares = sum(each.visits * (each.spread**2 + each.lead**2) for each in seen) / total
    proven = best.certain == 1 or all(each.certain is not None for each in analysis.candidates)
    numbers = [analysis.win_rate or 0.0, analysis.lead or 0.0, best.win_rate, best.lead, rate, lead]
    spreads = [best.spread, (squares - lead**2) ** 0.5]
    return [analysis.visits, proven, *_rounded(numbers), best.visits, *_rounded(spreads)]


def _rounded(numbers: list[float]) -> list[float]:
    return [round(each, 4) for each in numbers]


def _at_even_komi(analysis: Analysis, seed: int) -> list[list[float]]:
    """Return the komi, win rate, lead and spread of two searches, each at a more even komi.

    The numbers are the mover's, at that komi: means over all visits, and the spread of the best.
    """
    position, found = analysis.position, []
    game, sign = position.game, position.to_move.sign
    komi, lead = game.komi, analysis.lead or 0.0
    visits = max(50, round(_EVEN_SHARE * analysis.visits))
    for step in range(2):
        komi = nearest_komi(game, komi + sign * lead)
        there = attrs.evolve(position, game=game.with_komi(komi))
        (other,) = _growing(History.at(there), (visits,), seed + step)
        _, _, _, _, _, best_lead, rate, lead, _, spread, _ = _facts(other)
        found.append([komi, rate, lead, best_lead, spread][:4])
    return found


def _played_on(position: Position, komi: float, seed: int) -> Position | None:
    """Return the end of a game continued at another komi; None if it does not end."""
    player = Engine(seed=seed, resign_rate=None)
    position = attrs.evolve(position, game=position.game.with_komi(komi))
    for _ in range(_LONGEST * position.game.board.count):
        if position.over:
            return position
        decision = player.play(History.at(position), Limits(_ON_VISITS), may_resign=False)
        assert decision.move is not None
        position = position.after(decision.move)
    return None


def proven_lead(position: Position) -> list[float] | None:
    """Return the bounds of the mover's lead that the solver proves; None if none."""
    wait_for_solver(position.game, _NEVER)
    proof = Proof(position, nodes=_PROOF_NODES, goal=Goal.VALUE)
    if not proof.finished:
        proof.run(_NEVER)
    if proof.proven is None:
        return None
    value, most = proof.proven.value, 9999.0
    return [max(-most, value.low), min(most, value.high)]


def _owned(end: Position) -> str:
    """Return the owner of each point at a game's end: b, w, or - for neither."""
    owned, board = end.owned, end.game.board
    names = ((owned[0] >> point & 1, owned[1] >> point & 1) for point in _cells(board))
    return "".join("b" if one > two else "w" if two > one else "-" for one, two in names)


def _cells(board: Any) -> range:
    return range(board.columns * board.rows)


def _compile(board: str) -> None:
    """Compile everything that the board's game needs, or load it from the disk."""
    name, size = board.split(":")
    game = GAMES[name].configure(size)
    wait_for_kernel(game, _NEVER)
    wait_for_solver(game, _NEVER)
    random_owners(game.start(), (), _NEVER, 1)
    Engine(seed=1).play(game.start(), Limits(20))


@attrs.define
class _Board:
    """The games of one board that were played, and their cost."""

    numbers: set[int] = attrs.field(factory=set)  # of games that are done or under way
    positions: int = 0
    seconds: float = 0.0

    @property
    def rank(self) -> float:
        """The least for the board to play next, so that neither positions nor times differ much."""
        return (len(self.numbers) + 1) * (self.seconds + 1)

    def next(self) -> int:
        """Return the number of the next game."""
        number = next(each for each in itertools.count() if each not in self.numbers)
        self.numbers.add(number)
        return number


def recorded(files: Iterable[Path]) -> Iterator[Line]:
    """Yield the lines of all files."""
    for file in files:
        yield from map(json.loads, file.read_text(encoding="utf-8").splitlines())


def _play(task: Task) -> tuple[Task, list[Line], float]:
    began = time.monotonic()
    lines = task.lines()
    return task, lines, time.monotonic() - began


def _run(file: Path, names: list[str], workers: int, end: float, seed: int) -> None:
    """Play games until `end`, a monotonic time, and append their lines to the file."""
    boards = {name: _Board() for name in names}
    if file.exists():
        for line in recorded([file]):
            if line["board"] in boards and line["seed"] == seed:
                boards[line["board"]].numbers.add(line["game"])
    running: list[AsyncResult[tuple[Task, list[Line], float]]] = []
    context = multiprocessing.get_context("fork")
    with context.Pool(workers) as pool, file.open("a", encoding="utf-8") as out:
        while time.monotonic() < end + _GRACE_SECONDS:
            while len(running) < workers and time.monotonic() < end:
                name = min(boards, key=lambda each: boards[each].rank)
                task = Task(name, boards[name].next(), seed)
                running.append(pool.apply_async(_play, (task,)))
            time.sleep(0.05)
            for each in [each for each in running if each.ready()]:
                running.remove(each)
                task, lines, seconds = each.get()
                boards[task.board].seconds += seconds
                boards[task.board].positions += len(lines)
                out.writelines(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
                out.flush()
            if not running and time.monotonic() > end:
                break
        for name, board in boards.items():
            print(name, board.positions, "positions", round(board.seconds), "s", flush=True)
        for child in multiprocessing.active_children():
            child.kill()
        os._exit(0)  # the pool would wait for a minute, although its games are of no use any more


def main() -> None:
    """Play as the arguments say."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("boards", nargs="*", metavar="GAME:SIZE", default=BOARDS.split())
    parser.add_argument("--seconds", type=float, default=360.0, help="in all, with compiling")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    end = time.monotonic() + arguments.seconds
    games = {board.split(":")[0]: board for board in arguments.boards}
    spawning = multiprocessing.get_context("spawn")
    with spawning.Pool(min(len(games), arguments.workers)) as pool:
        pool.map(_compile, games.values(), 1)
    for board in games.values():
        _compile(board)  # now from the disk, so that the workers have it
    print(f"compiled, {end - time.monotonic():.0f} s left", flush=True)
    _run(arguments.file, arguments.boards, arguments.workers, end, arguments.seed)


if __name__ == "__main__":
    main()
