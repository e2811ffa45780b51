"""The messages that the server sends to a page, as frozen classes.

Points are numbers, a pass is -1, players are 0 (First) and 1 (Second), and a player's seat is the
level of an engine or None for a person. `encoding` writes a message as JSON, with names in
camelCase; `kinds` has the type of each event and response; `tools/wire.py` writes these types
for the page's scripts.
"""

from collections.abc import Mapping
from typing import Literal

import attrs

from linage_bot.engine.analysis import Candidate
from linage_bot.rules.game import Move, Player, PointCount, Result
from linage_bot.web.table.clock import TimeLeft
from linage_bot.web.table.pie import PlayerKind, Sides

Pair = tuple[float, float]
GraphValues = tuple[int, float, float]
TreeNode = tuple[int, int | None, Move | None, bool, bool]


@attrs.frozen(kw_only=True)
class GameMessage:
    """A game with its board, komi and options."""

    id: str
    name: str
    players: tuple[str, str]
    size: str
    columns: int
    rows: int
    hex: bool
    directed: bool  # the players' names are directions on the board
    komi: float
    komi_step: float | None  # None: no komi
    pie: str  # the offer of the first player: komi, stone or none
    options: Mapping[str, str]
    one_colour: bool
    counts_points: bool


@attrs.frozen
class OptionMessage:
    """An option of a game in the form of a new game."""

    default: str
    help: str
    choices: tuple[str, ...]
    minimum: int
    maximum: int


@attrs.frozen(kw_only=True)
class GameKindMessage(GameMessage):
    """A kind of game in the form of a new game, with its default options."""

    option_kinds: Mapping[str, OptionMessage]
    lesson: bool  # whether it has a first lesson
    aim: str  # in one sentence; may be empty


@attrs.frozen(kw_only=True)
class FormMessage:
    """The form of a new game, with the preselected game and players."""

    games: tuple[GameKindMessage, ...]
    chosen: GameMessage
    players: tuple[PlayerKind, PlayerKind]
    levels: int
    guest: bool  # the page may only watch and play at tables to which it has a pass


@attrs.frozen(kw_only=True)
class AreaMessage:
    """A part of the board to colour; `shown` is as in `rules.game.Area`."""

    kind: str
    points: tuple[int, ...]
    owner: Player | None
    shown: Literal["owned", "always", "dots"]
    number: int | None


@attrs.frozen
class ScoredItemMessage:
    """An item of the count at the end of a game."""

    words: str
    owner: Player | None
    value: float
    points: tuple[int, ...]


@attrs.frozen
class IllegalMovesMessage:
    """Empty points where no stone may be placed, the reason, and the points that it refers to."""

    reason: str
    about: tuple[int, ...]
    points: tuple[int, ...]


@attrs.frozen(kw_only=True)
class PositionMessage:
    """A position with its legal moves, and the reasons why other points are illegal."""

    first: tuple[int, ...]  # First's stones
    second: tuple[int, ...]
    to_move: Player
    legal: tuple[int, ...]
    may_pass: bool
    no_pass: str | None  # the reason
    refused: tuple[IllegalMovesMessage, ...]
    areas: tuple[AreaMessage, ...]
    scores: Pair | None
    tally: PointCount | None
    standing: Result
    over: bool


@attrs.frozen
class OpenPieMessage:
    """A pie that is not finished: whether its offer is made, and whether an engine acts next."""

    offered: bool
    engine: bool


@attrs.frozen
class OutcomeMessage:
    """The result of a game; `lost` says how the loser ended it early."""

    winner: Player | None  # None: a draw
    margin: float | None
    lost: str | None = None


@attrs.frozen
class EndingMessage:
    """The reason why a game ended and its final count."""

    reason: str
    counted: tuple[ScoredItemMessage, ...]
    scores: Pair | None
    words: str | None


@attrs.frozen
class SeatMessage:
    """A person's seat at a shared table: whether it is taken, and the person present."""

    taken: bool
    here: bool
    name: str  # empty if the person has given none


@attrs.frozen
class SeatsMessage:
    """The seats of a shared table, the people present, and the number of viewers."""

    you: int | None  # the number of the page's own seat
    by_player: tuple[SeatMessage | None, SeatMessage | None]
    viewers: int
    closed: bool  # analysis and hints are off


@attrs.frozen
class TimeMessage:
    """Both players' time settings in seconds, as in a request for a new game."""

    main: float
    increment: float
    period: float
    periods: int


@attrs.frozen(kw_only=True)
class TableMessage:
    """A table as one page sees it, except the analysis of its positions."""

    revision: str  # changes with any difference
    game: GameMessage
    players: tuple[PlayerKind, PlayerKind]
    pie: OpenPieMessage | None
    sides: Sides | None
    node: int  # the node of the last move of the game
    played: int  # the number of its moves
    viewed: int  # the node that the page views
    number: int  # the number of moves before it
    line: tuple[int, ...]  # the nodes of the game or of the variation in view
    position: PositionMessage  # that is viewed
    last: Move | None
    comment: str
    closed: str | None  # the reason why a loaded move cannot be played
    over: bool
    result: OutcomeMessage | None
    ending: EndingMessage | None
    turn: Literal["engine", "person", "other"] | None  # other: another person at a shared table
    seats: SeatsMessage | None
    again: bool  # whether the two people's next game has begun
    paused: bool
    time: TimeMessage | None
    pace: float  # seconds
    trouble: str | None  # why the search failed
    can_undo: bool
    can_redo: bool
    analysing: bool
    ownership: bool
    link: str


@attrs.frozen
class TreeMessage:
    """All moves of a table, the main line first, and the player who moves first.

    Each node is `[node, parent, move, whether it has a comment, whether it is unplayable]`.
    """

    begins: Player
    nodes: tuple[TreeNode, ...]


@attrs.frozen
class ClockMessage:
    """The time left on both clocks, and the player whose clock runs."""

    left: tuple[TimeLeft, TimeLeft]
    runs: Player | None
    period: float  # seconds
    periods: int


@attrs.frozen
class ExampleMessage:
    """A picture in the rules, placed after the paragraph of its number."""

    after: int
    name: str
    alt: str | None
    words: str


@attrs.frozen
class RulesMessage:
    """The rules of a game, in paragraphs."""

    rules: tuple[str, ...]
    examples: tuple[ExampleMessage, ...]


@attrs.frozen
class CompileProgressMessage:
    """The compilation that a table waits for: its subject, share (0 to 1) and seconds left."""

    what: str
    share: float
    seconds: int


@attrs.frozen
class MoveValueMessage:
    """The proven value of symmetric moves for the player to move, exact or an upper bound."""

    moves: tuple[Move, ...]
    most: float
    exact: bool


@attrs.frozen(kw_only=True)
class AnalysisMessage:
    """The analysis of the position at node `at`.

    Win rates and leads are from First's side, but those of the candidates from the mover's.
    """

    node: int
    visits: int
    win_rate: float | None
    lead: float | None
    exact: float | None  # the proven value
    best: tuple[Move, ...]
    estimated: bool  # the value is proven, but not which move reaches it
    settled: bool
    candidates: tuple[Candidate, ...]
    ownership: tuple[float, ...] | None  # -1 (Second) to 1 (First), for each point
    values: tuple[MoveValueMessage, ...]


@attrs.frozen(kw_only=True)
class PassMessage:
    """The word that admits others to a table, for links at the address that they can reach."""

    word: str
    address: str | None  # None if only this machine can reach the server


@attrs.frozen(kw_only=True)
class CodeMessage:
    """A QR code of `size` times `size` modules, its margin included; `path` fills the dark ones."""

    size: int
    path: str


@attrs.frozen
class GraphMessage:
    """First's win rate and lead: `[index of the node in the line, win rate, lead]`."""

    points: tuple[GraphValues, ...]


@attrs.frozen(kw_only=True)
class MistakeMessage:
    """A mistake: the number of the move, and the node where another would have been better."""

    number: int
    node: int
    player: Player
    move: Move
    best: tuple[Move, ...]
    played: tuple[Move, ...]  # the move and its best answers
    costs: tuple[str, ...]


@attrs.frozen(kw_only=True)
class ReviewMessage:
    """The result of a review; `points` is as in a graph."""

    line: tuple[int, ...]
    points: tuple[GraphValues, ...]
    verdicts: tuple[str, ...]
    mistakes: tuple[MistakeMessage, ...]
    given: int  # moves that a pie gave, which are no mistakes
    exact_from: int | None
    visits: int | None
