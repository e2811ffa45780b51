"""Puzzles, and the shipped file that holds them.

A puzzle is a position in which exactly one move wins. Its steps are the moves that the learner has
to find: after each but the last the opponent's reply again leaves exactly one winning move. Every
wrong move is stored with its result and refutation, so playing a puzzle needs no search.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping

import attrs

from linage_bot.engine.tables import Row, read_table
from linage_bot.rules import GAMES
from linage_bot.rules.game import Game, Move, Player, Position
from linage_bot.rules.history import History

TABLE = "puzzles/puzzles"
GRADES = range(1, 6)


@attrs.frozen
class Refutation:
    """The learner's result of a wrong move under best play, and the line that refutes it."""

    lead: float  # less than 0: points where the game counts them, else -1
    line: tuple[Move, ...]  # the opponent's answer first


@attrs.frozen
class PuzzleStep:
    """One move that the learner has to find."""

    best: Move
    lead: float  # the learner's lead after it: more than 0
    wrong: Mapping[Move, Refutation]  # all other legal moves
    reply: Move | None = None  # the opponent's; None: this is the last step


@attrs.frozen(kw_only=True)
class Puzzle:
    """A position with one winning move, and its continuation while each win is again unique."""

    game: Game  # with the komi by which the best move alone wins
    stones: frozenset[int]  # First's, or all of them in games of one colour
    second: frozenset[int] = frozenset()
    to_move: Player
    grade: int  # 1 to 5
    visits: int | None  # with which the engine's search finds every step; None: more than tried
    steps: tuple[PuzzleStep, ...]

    @property
    def name(self) -> str:
        """A permanent name, independent of the puzzle's place in the file."""
        stones = self.game.board.vertices(sum(1 << point for point in self.stones))
        second = self.game.board.vertices(sum(1 << point for point in self.second))
        stones = [*stones, *(f"second {vertex}" for vertex in second)]
        words = (self.game.board.size, f"{self.game.komi:g}", self.to_move.letter, *stones)
        return f"{self.game.id}-{hashlib.sha256(' '.join(words).encode()).hexdigest()[:8]}"

    def history(self) -> History:
        """Return the game from the puzzle's setup; raises `ImpossibleSetup`."""
        setup = [(Player.FIRST, point) for point in sorted(self.stones)]
        setup += [(Player.SECOND, point) for point in sorted(self.second)]
        return History(self.game, setup=setup, begins=self.to_move)

    def without_komi(self) -> Puzzle:
        """Return the puzzle without komi: the best move then leads by more than the others."""
        if not self.game.counts_points:
            return self
        komi = self.to_move.sign * self.game.komi

        def plain(step: PuzzleStep) -> PuzzleStep:
            wrong = {
                move: attrs.evolve(each, lead=each.lead + komi) for move, each in step.wrong.items()
            }
            return attrs.evolve(step, lead=step.lead + komi, wrong=wrong)

        steps = tuple(map(plain, self.steps))
        return attrs.evolve(self, game=self.game.with_komi(0), steps=steps)

    def positions(self) -> list[Position]:
        """Return the position of each step."""
        history, found = self.history(), []
        for step in self.steps:
            found.append(history.position)
            if step.reply is not None:
                history = history.play(step.best).play(step.reply)
        return found


@functools.cache
def shipped_puzzles() -> Mapping[str, Puzzle]:
    """Return the shipped puzzles by name; within a game, easier ones come before harder ones."""
    puzzles = map(from_row, read_table(TABLE))
    return {puzzle.name: puzzle for puzzle in puzzles}


def from_row(row: Row) -> Puzzle:
    """Return the puzzle stored in a row of the table."""
    kind = GAMES[row["game"]]
    komi = None if kind.komi_step is None else row["komi"]
    game = kind.configure(row["size"], komi, row["options"])

    def line(words: str) -> tuple[Move, ...]:
        return tuple(map(game.move, words.split()))

    steps = []
    for step in row["steps"]:
        wrong = {
            game.move(word): Refutation(lead, line(words))
            for word, (lead, words) in step["wrong"].items()
        }
        reply = game.move(step["reply"]) if "reply" in step else None
        best = game.move(step["best"])
        steps.append(PuzzleStep(best, step["lead"], wrong, reply))
    return Puzzle(
        game=game,
        stones=frozenset(map(game.move, row["stones"].split())),
        second=frozenset(map(game.move, row.get("second", "").split())),
        to_move=Player.FIRST if row["to_move"] == Player.FIRST.colour else Player.SECOND,
        grade=row["grade"],
        visits=row["visits"],
        steps=tuple(steps),
    )
