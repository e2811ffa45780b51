"""The bodies of a page's requests that are not actions at a table."""

from collections.abc import Mapping
from typing import Any, Literal

import attrs

from linage_bot.web.messages.wire import TimeMessage
from linage_bot.web.table.pie import PlayerKind

SeatChoice = PlayerKind | Literal["friend"]
"""An engine's level, None for a person at this page, or the person who opens a link."""


@attrs.frozen(kw_only=True)
class NewTableRequest:
    """A request for a table: a new game, or one that is given as a link, an SGF text or a file."""

    game: str | None = None
    size: str | None = None
    komi: float | None = None
    options: Mapping[str, str] | None = None
    pie: bool = False
    clock: TimeMessage | None = None
    link: str | None = None
    sgf: str | None = None
    file: str | None = None  # in base 64
    pace: float = 0.0  # seconds of rest between two moves of engines that play each other
    seats: tuple[SeatChoice, SeatChoice] = (None, None)
    invitations: tuple[str | None, str | None] = (None, None)  # the words in the seats' links
    secret: str | None = None  # of the creator's seat, if there is a friend


@attrs.frozen
class HintRequest:
    """A question for the best move in the position at a node."""

    node: int


@attrs.frozen
class LossRequest:
    """A question for the loss of a move in the position at a node."""

    node: int
    move: int


@attrs.frozen
class CodeRequest:
    """A request for the QR code of a link to a table."""

    link: str


@attrs.frozen
class AttemptRequest:
    """A learner's move in place of the reviewed one at a node, to be checked."""

    node: int
    move: int


@attrs.frozen
class EmptyRequest:
    """A request without fields."""


REQUESTS: Mapping[str, Any] = {
    "games": NewTableRequest,
    "hint": HintRequest,
    "loss": LossRequest,
    "attempt": AttemptRequest,
    "move-now": EmptyRequest,
    "rematch": NewTableRequest,
    "code": CodeRequest,
    "discard": EmptyRequest,
}
"""The type of each request, by the last fixed word of its path."""
