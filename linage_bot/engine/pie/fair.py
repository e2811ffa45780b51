"""The shipped table of even openings: komi, and in games without komi first stones.

Where the board is solved, the even komi is the score under best play; elsewhere it is an estimate
from self-play, told with the number of games, the visits a move and the standard error.
`benchmarks/fair_openings.py` makes the table.
"""

import math

import attrs

from linage_bot.engine.solver.solved import row_of, solved_board
from linage_bot.rules.game import PASS, Game, Move, Player

TABLE = "pie/openings"
_BUTTON = 0.5  # points


@attrs.frozen
class EvenKomi:
    """The komi with which First wins as often as Second: proven, or from so many games."""

    komi: float
    games: int = 0  # 0: proven
    visits: int = 0
    error: float = 0.0  # standard error, in points
    first_wins: float = 0.5  # share of the games, with komi about there

    @property
    def exact(self) -> bool:
        """Whether it is proven: best play is a draw with it, or as near to it as a komi can be."""
        return self.games == 0 and self.error == 0


@attrs.frozen
class Trial:
    """How often First won after a first stone."""

    stone: Move
    games: int
    first_wins: float  # share of the games

    @property
    def error(self) -> float:
        """The standard error of the share, not less than that of an even one in 4 times the games.

        So few games say little, even if all ended alike.
        """
        spread = max(0.25, math.sqrt(self.first_wins * (1 - self.first_wins)))
        return spread / math.sqrt(self.games)


def known_komi(game: Game) -> EvenKomi | None:
    """The even komi of a game with komi, whatever komi it is given; None where nobody knows.

    The button is worth half a point, one way or the other (docs/solver.md), so the komi without it
    says enough where nothing else is known.
    """
    solved = solved_board(game)
    if solved is not None:
        return EvenKomi(game.with_komi(solved.score).komi)
    row = row_of(TABLE, game, game.board.size)
    if row is not None:
        return EvenKomi(row["komi"], row["games"], row["visits"], row["error"], row["first_wins"])
    if not getattr(game, "button", False):
        return None
    known = known_komi(attrs.evolve(game, button=False))  # type: ignore[call-arg]
    return known and attrs.evolve(known, error=known.error + _BUTTON)


def nearest_komi(game: Game, komi: float, *, whole: bool = False) -> float:
    """The nearest komi that the game can have, whole, or with half a point if any can have that."""
    half = not whole and game.with_komi(0.5).komi == 0.5
    return game.with_komi(round(komi - 0.5) + 0.5 if half else round(komi)).komi


def known_stones(game: Game) -> tuple[Trial, ...]:
    """Trials of first stones, one of each class of those alike by symmetry; none if unknown."""
    row = row_of(TABLE, game, game.board.size)
    if row is None:
        return ()
    return tuple(
        Trial(game.board.point(vertex), games, share) for vertex, games, share in row["stones"]
    )


def known_trial(game: Game, stone: Move) -> Trial | None:
    """The trial of a first stone or of one like it."""
    alike = next((each for each in stone_classes(game) if stone in each), ())
    return next((each for each in known_stones(game) if each.stone in alike), None)


def proven_side(game: Game, stone: Move) -> Player | None:
    """Who wins after First's stone, in a game that counts no points; None if it is not known."""
    solved = solved_board(game)
    if solved is None or game.counts_points:
        return None
    wins = solved.score > 0 and stone in solved.best
    return Player.FIRST if wins else Player.SECOND


def stone_classes(game: Game) -> tuple[tuple[Move, ...], ...]:
    """The legal first stones, in classes of those that are alike by symmetry."""
    board, classes, seen = game.board, [], 0
    for stone in game.start().moves():
        if stone != PASS and not seen >> stone & 1:
            alike = {
                symmetry.image[stone] for symmetry in board.symmetries() if symmetry.target == board
            }
            classes.append(tuple(sorted(alike)))
            seen |= sum(1 << each for each in alike)
    return tuple(classes)
