"""A page that is connected to a table: its event stream, and the messages it was sent last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linage_bot.records.tree import MoveTree
from linage_bot.web.table.clock import TableClock
from linage_bot.web.table.view import FOLLOWING, View

if TYPE_CHECKING:
    from linage_bot.web.messages.stream import Stream


class Viewer:
    """A page's event stream and view, and the state that it was sent last.

    Its requests carry its `name`. `holder` is the hash of its person's secret if they have a seat.
    """

    def __init__(
        self, stream: Stream, name: str = "", view: View = FOLLOWING, holder: str = ""
    ) -> None:
        self.stream = stream
        self.name = name
        self.view = view
        self.holder = holder
        self.sent: object = None  # the last table sent,
        self.sent_tree: MoveTree | None = None  # its moves,
        self.sent_clock: TableClock | None = None
        self.sent_review: object = self  # and the last review or None sent; a Viewer: nothing yet
