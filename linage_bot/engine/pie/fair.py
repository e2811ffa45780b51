"""The shipped table of even openings: komi, and in games without komi first stones.

If the board is solved, the even komi is the score under best play; otherwise it is an estimate
from self-play, with the number of games, the visits per move and the standard error.
`benchmarks/fair_openings.py` makes the table.
"""

import math

import attrs

from linage_bot.engine.solver.solved_boards import row_of, solved_board
from linage_bot.rules.game import PASS, Game, Move, Player

TABLE = "pie/openings"
_BUTTON = 0.5  # points


@attrs.frozen
class EvenKomi:
    """The komi with which First wins as often as Second: proven, or estimated from games."""

    komi: float
    games: int = 0  # 0: proven
    visits: int = 0
    error: float = 0.0  # standard error, in points
    first_wins: float = 0.5  # share of the games, which are played with about this komi

    @property
    def exact(self) -> bool:
        """Whether it is proven: best play is a draw with it, or as near to it as a komi can be."""
        return self.games == 0 and self.error == 0


@attrs.frozen
class Trial:
    """The share of games that First won after a given first stone."""

    stone: Move
    games: int
    first_wins: float  # share of the games

    @property
    def error(self) -> float:
        """The standard error of the share, at least that of an even share in 4 times the games.

        So a few games are weak evidence, even if all ended alike.
        """
        spread = max(0.25, math.sqrt(self.first_wins * (1 - self.first_wins)))
        return spread / math.sqrt(self.games)


def known_komi(game: Game) -> EvenKomi | None:
    """Return the even komi of a game, ignoring the komi that it has; None if it is not known.

    The button is worth half a point, one way or the other (docs/solver/method.md), so the komi
    without the button is used, with a larger error, if nothing else is known.
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
    """Return the nearest komi that the game can have, with half a point if possible.

    `whole`: a whole number of points.
    """
    half = not whole and game.with_komi(0.5).komi == 0.5
    return game.with_komi(round(komi - 0.5) + 0.5 if half else round(komi)).komi


def known_stones(game: Game) -> tuple[Trial, ...]:
    """Return the trials of first stones, one for each symmetry class; empty if unknown."""
    row = row_of(TABLE, game, game.board.size)
    if row is None:
        return ()
    return tuple(
        Trial(game.board.point(vertex), games, share) for vertex, games, share in row["stones"]
    )


def known_trial(game: Game, stone: Move) -> Trial | None:
    """Return the trial of a first stone or of a symmetric one; None if there is none."""
    alike = next((each for each in stone_classes(game) if stone in each), ())
    return next((each for each in known_stones(game) if each.stone in alike), None)


def proven_side(game: Game, stone: Move) -> Player | None:
    """Return the proven winner after First's stone; None if not known or the game has points."""
    solved = solved_board(game)
    if solved is None or game.counts_points:
        return None
    wins = solved.score > 0 and stone in solved.best
    return Player.FIRST if wins else Player.SECOND


def stone_classes(game: Game) -> tuple[tuple[Move, ...], ...]:
    """Return the legal first stones, grouped into symmetry classes."""
    board, classes, seen = game.board, [], 0
    for stone in game.start().moves():
        if stone != PASS and not seen >> stone & 1:
            alike = {
                symmetry.image[stone] for symmetry in board.symmetries() if symmetry.target == board
            }
            classes.append(tuple(sorted(alike)))
            seen |= sum(1 << each for each in alike)
    return tuple(classes)
