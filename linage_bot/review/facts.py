"""The results of analysing a recorded game, for pages and programs."""

import attrs

from linage_bot.records.record import Record
from linage_bot.rules.game import Move, Player, Position
from linage_bot.settings.playing import PlaySettings


@attrs.frozen
class Value:
    """The value of a position, from First's side.

    A searched win rate is the mean over all visits, calibrated. `error` is the standard error by
    chance of the best move's; it does not include the search's misjudgement of the position.
    """

    win_rate: float  # 0 to 1; a draw counts one half
    score: float | None  # First's points less Second's, with komi; None in games without points
    visits: int = 0  # of the search; 0 where the score is proven
    error: float = 0.0
    certain: bool = False  # the result is proven
    exact: bool = False  # the score is proven, or where there are no points the game is over

    def win_rate_of(self, player: Player) -> float:
        """Return the win rate from a player's side."""
        return 1 - self.win_rate if player else self.win_rate

    def score_of(self, player: Player) -> float | None:
        """Return the score lead from a player's side; None in games without points."""
        return self.score if self.score is None or not player else -self.score


@attrs.frozen
class MoveReview:
    """The analysis of one move: the values before and after it, and better alternatives.

    `line` begins with the best move, `reply` with the best answer to the move played. Losses are
    never negative. They are `exact` where both values are proven; then a best move was proven to be
    best. Elsewhere `error` is the standard error of the win rate lost. A `given` move is an
    opening's, which its player did not choose: it loses nothing, and counts as the best.
    """

    number: int  # counted from 1
    player: Player
    move: Move
    phase: str
    before: Value
    after: Value
    best: Move
    line: tuple[Move, ...]
    reply: tuple[Move, ...]
    win_loss: float
    score_loss: float | None
    error: float
    exact: bool
    given: bool = False


@attrs.frozen
class Losses:
    """One player's quality of play in one phase: the number of own moves and their mean losses."""

    moves: int
    win_rate: float
    score: float | None


@attrs.frozen
class PhaseReview:
    """A part of the game, from move to move, with the losses of First and Second."""

    name: str
    first: int
    last: int
    players: tuple[Losses, Losses]


@attrs.frozen
class Review:
    """The analysis of a whole game.

    `positions` are those before the first move and after each move, `mistakes` the numbers of the
    worst moves, the worst first. From the position after `exact_from` moves on, all scores are
    proven; None: not even at the end.
    """

    record: Record
    settings: PlaySettings  # of each search
    proof_nodes: int  # for trying to prove one position's score
    positions: tuple[Position, ...]
    start: Value
    moves: tuple[MoveReview, ...]
    phases: tuple[PhaseReview, ...]
    mistakes: tuple[int, ...]
    exact_from: int | None

    @property
    def values(self) -> tuple[Value, ...]:
        """The values of the start and of the position after each move."""
        return (self.start, *(move.after for move in self.moves))
