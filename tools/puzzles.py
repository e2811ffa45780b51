"""Puzzles made from games of the engine: positions in which the solver proves a single best move.

Komi is set so that the best move wins by half a point; then every other move loses. After the best
move, the opponent plays the answer after which the sequence of single winning moves is longest.

The grade measures how difficult a puzzle is. It depends on the visits with which the search finds
each step in four of five tries, without the solver and without priors, so by random playouts alone.
One grade is a factor of four in visits, because the search wins about four games of five against
itself with a quarter of the visits (docs/search/index.md). So a player who is one grade stronger
finds puzzles of one grade more.
"""

import random
import threading
from collections.abc import Iterable, Iterator

import attrs

from linage_bot.engine.engine import Engine
from linage_bot.engine.puzzles.puzzle import GRADES, Puzzle, PuzzleStep, Refutation
from linage_bot.engine.solver.proof import Proof, Solver
from linage_bot.engine.solver.proven_values import ProvenValues
from linage_bot.engine.tables import Row
from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS, Game, Move, Position
from linage_bot.rules.history import History, ImpossibleSetup
from linage_bot.rules.line_games import LineGame
from linage_bot.settings.playing import PlaySettings

VISITS = (16, 64, 256, 1024)  # grade 5 needs more than the last of them
_TRIES, _SUCCESSES = 5, 4
_FEWEST_MOVES = 5  # legal moves at the first step, at least
_FEWER_MOVES = 3  # legal moves at the other steps, at least
_MOST_STEPS = 4
_LINE = 5  # moves of a refutation, at most
_NODES = 400_000  # of one proof, at most
_EASY_NODES = 40_000  # of a proof that takes only a moment
_CARELESS = PlaySettings(level=9, solver=False, resign_rate=None)


class PuzzleMaker:
    """A maker of puzzles for one game and board; all of them share the solver's memory."""

    def __init__(self, game: Game, seed: int) -> None:
        self._game = game.with_komi(0)
        self._chance = random.Random(seed)
        self._solver = Solver()
        self._proofs: dict[Position, ProvenValues | None] = {}

    def found(self) -> Iterator[Puzzle]:
        """Yield puzzles without end, each from a different game."""
        while True:
            puzzle = self._in_one_game()
            self._proofs.clear()
            if puzzle is not None:
                yield puzzle

    def _in_one_game(self) -> Puzzle | None:
        """Play a game between weak engines after random moves; return a puzzle from it, if any."""
        engine = Engine(_CARELESS, seed=self._chance.getrandbits(32))
        history, random_moves = History(self._game), self._chance.randrange(2, 5)
        candidates: list[Position] = []
        while not history.position.over:
            position = history.position
            if len(history.moves) < random_moves:
                move = self._chance.choice(position.moves())
            else:
                chosen = engine.play(history).move
                move = PASS if chosen is None else chosen
            if within_reach(position) and len(position.moves()) >= _FEWEST_MOVES:
                candidates.append(position)
            history = history.play(move)
        self._chance.shuffle(candidates)
        made = (self.puzzle_of(position) for position in candidates)
        return next((puzzle for puzzle in made if puzzle is not None), None)

    def puzzle_of(self, position: Position) -> Puzzle | None:
        """Return the puzzle made from a position with a suitable komi; None if there is none."""
        puzzle = Puzzle(
            game=self._game,
            stones=frozenset(bits(position.first)),
            second=frozenset(bits(position.second)),
            to_move=position.to_move,
            grade=1,
            visits=None,
            steps=(),
        )
        if self._game.one_colour:  # the owners of stones have no meaning
            puzzle = attrs.evolve(
                puzzle, stones=frozenset(bits(position.stones)), second=frozenset()
            )
        try:
            start = puzzle.history().position  # without passes and earlier positions
        except ImpossibleSetup:
            return None
        proven = self._proven(start)
        if proven is None or proven.lead is None or len(proven.best) != 1:
            return None
        game = self._game
        if game.counts_points:
            sign = position.to_move.sign
            game = attrs.evolve(game, komi=sign * (proven.lead - 0.5))
        elif proven.lead <= 0:
            return None
        start = attrs.evolve(start, game=game)
        steps = self._steps(start, _MOST_STEPS)
        if not steps or len(steps[0].wrong) + 1 < _FEWEST_MOVES:
            return None
        return graded(attrs.evolve(puzzle, game=game, steps=tuple(steps)))

    def _proven(self, position: Position) -> ProvenValues | None:
        """Return the exact value of every move; None if that takes too long."""
        if position not in self._proofs:
            proof = Proof(position, nodes=_NODES, solver=self._solver)
            if not proof.finished:
                proof.run(threading.Event())
            self._proofs[position] = proof.proven if proof.reached else None
        return self._proofs[position]

    def _steps(self, position: Position, most: int) -> list[PuzzleStep]:
        """Return the steps from a position; none unless exactly one move wins."""
        proven = None if most == 0 or position.over else self._proven(position)
        if proven is None:
            return []
        winning = [move for move, span in proven.moves.items() if span.low > 0]
        least = _FEWEST_MOVES if most == _MOST_STEPS else _FEWER_MOVES
        if len(winning) != 1 or len(proven.moves) < least:
            return []
        if any(span.high >= 0 for move, span in proven.moves.items() if move not in winning):
            return []  # a draw is no loss
        wrong = {}
        for move, span in proven.moves.items():
            if move not in winning:
                line = self._line(position.after(move), _LINE)
                if line is None:
                    return []
                wrong[move] = Refutation(span.low, line)
        after = position.after(winning[0])
        longest: tuple[int, Move | None, list[PuzzleStep]] = (0, None, [])
        for reply in after.moves() if not after.over else ():
            steps = self._steps(after.after(reply), most - 1)
            if len(steps) > longest[0]:
                longest = len(steps), reply, steps
        best = winning[0]
        return [PuzzleStep(best, proven.moves[best].low, wrong, longest[1]), *longest[2]]

    def _line(self, position: Position, most: int) -> tuple[Move, ...] | None:
        """Return up to `most` moves of best play from a position; None if that takes too long.

        The losing player makes it difficult: of equally good moves, they play the one after which
        the fewest moves win.
        """
        line: list[Move] = []
        while len(line) < most and not position.over and position.placements():
            proven = self._proven(position)
            if proven is None:
                return None
            best = [move for move in proven.best if move != PASS] or list(proven.best)
            if proven.value.high < 0:
                best.sort(key=lambda move: self._winning_after(position, move))
            move = best[0]
            line.append(move)
            position = position.after(move)
        return tuple(line)

    def _winning_after(self, position: Position, move: Move) -> int:
        after = position.after(move)
        proven = None if after.over else self._proven(after)
        if proven is None:
            return len(position.moves())
        return sum(span.low > 0 for span in proven.moves.values())


def within_reach(position: Position) -> bool:
    """Return whether the solver is likely to prove all moves of a position in a moment."""
    return Proof(position).takes(None, _EASY_NODES)


def graded(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with its grade, which is that of its most difficult step."""
    visits = [visits_to_find(*each) for each in zip(puzzle.positions(), puzzle.steps, strict=True)]
    if None in visits:
        return attrs.evolve(puzzle, visits=None, grade=GRADES[-1])
    most = max(each for each in visits if each is not None)
    return attrs.evolve(puzzle, visits=most, grade=GRADES[VISITS.index(most)])


def visits_to_find(position: Position, step: PuzzleStep) -> int | None:
    """Return the fewest of `VISITS` that, like all larger ones, find the move; None if none do."""
    found = None
    for visits in reversed(VISITS):
        tries = range(_TRIES)
        if sum(_choice(position, visits, seed) == step.best for seed in tries) < _SUCCESSES:
            break
        found = visits
    return found


def _choice(position: Position, visits: int, seed: int) -> Move | None:
    """Return the move that a search without priors and proofs chooses."""
    settings = PlaySettings(visits=visits, seed=seed, solver=False, resign_rate=None)
    return Engine(settings).play(History.at(position)).move


def to_row(puzzle: Puzzle) -> Row:
    """Return a puzzle as a row of the file, with points as vertices."""
    name_of = puzzle.game.start().name_of
    steps = []
    for step in puzzle.steps:
        row: Row = {"best": name_of(step.best), "lead": step.lead}
        row["wrong"] = {
            name_of(move): [each.lead, " ".join(map(name_of, each.line))]
            for move, each in step.wrong.items()
        }
        if step.reply is not None:
            row["reply"] = name_of(step.reply)
        steps.append(row)
    game = puzzle.game
    second = {"second": _vertices(game, puzzle.second)} if puzzle.second else {}
    return {
        "game": game.id,
        "size": game.board.size,
        "komi": game.komi,
        "options": game.settings(),
        "stones": _vertices(game, puzzle.stones),
        **second,
        "to_move": puzzle.to_move.colour,
        "grade": puzzle.grade,
        "visits": puzzle.visits,
        "steps": steps,
    }


def _vertices(game: Game, stones: Iterable[int]) -> str:
    return " ".join(game.board.vertices(sum(1 << point for point in stones)))


def form(position: Position) -> tuple[int, int, int]:
    """Return numbers that are the same for all positions equal under the board's symmetries."""
    flips = isinstance(position.game, LineGame)  # columns favour one player, rows the other
    one_colour = position.game.one_colour
    sides = (position.stones, 0) if one_colour else (position.first, position.second)
    found = []
    for symmetry in position.game.board.symmetries():
        swapped = flips and symmetry.transposes
        first, second = reversed(sides) if swapped and not one_colour else sides
        mover = position.to_move.other if swapped else position.to_move
        found.append((symmetry(first), symmetry(second), int(mover)))
    return min(found)
