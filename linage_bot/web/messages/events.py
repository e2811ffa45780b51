"""Events sent to the pages of a session: the changed table and the current analysis.

Each page gets the events of its own view. The progress of compilation is sent to all pages,
independently of other events.
"""

import functools

from linage_bot.web.messages.analysis import (
    analysis_message,
    compiling_message,
    graph_message,
    review_message,
)
from linage_bot.web.messages.encoding import encode
from linage_bot.web.messages.table import clock_message, revision, table_message, tree_message
from linage_bot.web.table.view import View
from linage_bot.web.table.viewer import Viewer
from linage_bot.web.thinking.session import Session


def send_changes(session: Session) -> None:
    """Send all pages the changes since their last events, and the current analysis."""
    events = _Events(session)
    for viewer in session.viewers:
        events.send(viewer)
    send_clock(session)


def send_everything(session: Session, newcomer: Viewer) -> None:
    """Send a new page the full state of the table."""
    _send(newcomer, "compiling", encode(session.compiling))
    _Events(session).send(newcomer)
    send_clock(session)


def send_clock(session: Session) -> None:
    """Send all pages the clocks, unless they can keep counting from the last ones sent."""
    clock = session.game.clock
    for viewer in session.viewers:
        if viewer.sent_clock is not clock:
            viewer.sent_clock = clock
            _send(viewer, "clock", encode(clock_message(session)))


def send_presence(session: Session) -> None:
    """Send all pages of a shared table the people who are present now."""
    if session.game.seats is not None:
        send_changes(session)


def send_progress(session: Session) -> None:
    """Send all pages the progress of compilation if it has changed."""
    seen = compiling_message(session)
    if seen != session.compiling:
        session.compiling = seen
        for viewer in session.viewers:
            _send(viewer, "compiling", encode(seen))


class _Events:
    """The events of one moment, encoded once for all pages with the same view."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._text = functools.cache(self._encoded)

    def _encoded(self, kind: str, view: View, seat: int | None = None) -> str:
        match kind:
            case "table":
                return encode(table_message(self._session, view, seat))
            case "analysis":
                return encode(analysis_message(self._session, view))
            case _:
                return encode(graph_message(self._session, view))

    def send(self, viewer: Viewer) -> None:
        """Send a page all that has changed since its last events."""
        session, view = self._session, viewer.view
        seats, tree = session.game.seats, session.game.tree
        seat = None if seats is None else seats.seat_of(viewer.holder)
        seen = revision(session, view, seat)
        if viewer.sent != seen:
            if viewer.sent_tree is not tree:
                _send(viewer, "tree", encode(tree_message(session)))
            _send(viewer, "table", self._text("table", view, seat))
        if view.analysing:
            _send(viewer, "analysis", self._text("analysis", view))
            _send(viewer, "graph", self._text("graph", view))
        reviewed = session.reviewer and session.reviewer.state
        if viewer.sent_review is not reviewed:
            _send(viewer, "review", encode(review_message(session)))
        viewer.sent, viewer.sent_tree, viewer.sent_review = seen, tree, reviewed


def _send(viewer: Viewer, kind: str, text: str) -> None:
    viewer.stream.send(kind, text)
