"""The summary of a game's moves: its phases, each player's losses in them, the worst moves.

Phases depend on the open part of the board: the share of its points on which the player to move may
place a stone. It is the opening while that is at least three quarters, the middle while it is at
least a third, and the endgame from then on; a phase that is over does not come back.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from linage_bot.review.facts import Losses, MoveReview, PhaseReview
from linage_bot.rules.game import Player, Position

PHASES: Final = (("opening", 3 / 4), ("middle", 1 / 3), ("endgame", 0.0))

MOST_MISTAKES: Final = 6
_WIN_LOSS: Final = 0.05  # from which a move is a mistake
_SCORE_LOSS: Final = 1.0  # the same where the winner does not change
_ERRORS: Final = 2.0  # standard errors that a loss must exceed


def phases_of(positions: Iterable[Position]) -> Iterator[str]:
    """Yield the phases in which moves are made from the positions of a game."""
    phase = 0
    for position in positions:
        share = position.placements().bit_count() / position.game.board.count
        while share < PHASES[phase][1]:
            phase += 1
        yield PHASES[phase][0]


def phase_reviews(moves: Sequence[MoveReview]) -> tuple[PhaseReview, ...]:
    """Return the phases that occurred."""
    found = []
    for name, _ in PHASES:
        own = [move for move in moves if move.phase == name]
        if own:
            players = (_losses(own, Player.FIRST), _losses(own, Player.SECOND))
            found.append(PhaseReview(name, own[0].number, own[-1].number, players))
    return tuple(found)


def _losses(moves: Sequence[MoveReview], player: Player) -> Losses:
    own = [move for move in moves if move.player is player and not move.given]
    scores = [move.score_loss for move in own if move.score_loss is not None]
    return Losses(
        len(own),
        sum(move.win_loss for move in own) / max(1, len(own)),
        sum(scores) / len(scores) if scores else None,
    )


def worst(moves: Sequence[MoveReview]) -> tuple[int, ...]:
    """Return the numbers of the clear mistakes, the worst first, at most `MOST_MISTAKES`.

    They are sorted by the win rate lost, in tenths of a percent as on the page, and then by points.
    A mistake costs at least 5 % of win rate, and two standard errors; or a point by proof.
    """
    mistakes = [
        move
        for move in moves
        if is_mistake(move.win_loss, move.score_loss, move.error, exact=move.exact)
    ]
    mistakes.sort(key=lambda move: (-round(100 * move.win_loss, 1), -(move.score_loss or 0.0)))
    return tuple(move.number for move in mistakes[:MOST_MISTAKES])


def is_mistake(
    win_loss: float, score_loss: float | None, error: float, *, exact: bool = False
) -> bool:
    """Return whether a loss, as in `MoveReview`, makes a move a clear mistake."""
    if win_loss >= max(_WIN_LOSS, _ERRORS * error):
        return True
    return exact and (score_loss or 0.0) >= _SCORE_LOSS
