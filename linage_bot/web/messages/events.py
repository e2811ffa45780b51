"""Events sent to the pages of a session: the changed table and the current analysis.

Each page gets the events of its own view. The progress of compilation is sent to all pages,
independently of other events.
"""

import functools

from linage_bot.web.messages import analysis as thoughts
from linage_bot.web.messages import table as view
from linage_bot.web.messages.encoding import encode
from linage_bot.web.table.view import View
from linage_bot.web.table.viewer import Viewer
from linage_bot.web.thinking.session import Session


def tell(session: Session) -> None:
    """Send all pages the changes since their last events, and the current analysis."""
    telling = _Telling(session)
    for onlooker in session.onlookers:
        telling.tell(onlooker)
    tell_clock(session)


def greet(session: Session, newcomer: Viewer) -> None:
    """Send a new page the full state of the table."""
    _send(newcomer, "compiling", encode(session.compiling))
    _Telling(session).tell(newcomer)
    tell_clock(session)


def tell_clock(session: Session) -> None:
    """Send all pages the clocks, unless they can keep counting from the last ones sent."""
    clock = session.course.clock
    for onlooker in session.onlookers:
        if onlooker.told_clock is not clock:
            onlooker.told_clock = clock
            _send(onlooker, "clock", encode(view.clock(session)))


def tell_company(session: Session) -> None:
    """Send all pages of a shared table the people who are present now."""
    if session.course.company is not None:
        tell(session)


def tell_compiling(session: Session) -> None:
    """Send all pages the progress of compilation if it has changed."""
    seen = thoughts.compiling(session)
    if seen != session.compiling:
        session.compiling = seen
        for onlooker in session.onlookers:
            _send(onlooker, "compiling", encode(seen))


class _Telling:
    """The events of one moment, encoded once for all pages with the same view."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._seen = functools.cache(self._written)

    def _written(self, kind: str, sight: View, seat: int | None = None) -> str:
        match kind:
            case "table":
                return encode(view.table(self._session, sight, seat))
            case "analysis":
                return encode(thoughts.analysis(self._session, sight))
            case _:
                return encode(thoughts.graph(self._session, sight))

    def tell(self, onlooker: Viewer) -> None:
        """Send a page all that has changed since its last events."""
        session, sight = self._session, onlooker.sight
        company, tree = session.course.company, session.course.tree
        seat = None if company is None else company.seat_of(onlooker.holder)
        revision = view.revision(session, sight, seat)
        if onlooker.told != revision:
            if onlooker.told_tree is not tree:
                _send(onlooker, "tree", encode(view.tree(session)))
            _send(onlooker, "table", self._seen("table", sight, seat))
        if sight.analysing:
            _send(onlooker, "analysis", self._seen("analysis", sight))
            _send(onlooker, "graph", self._seen("graph", sight))
        reviewed = session.reviewer and session.reviewer.told
        if onlooker.told_review is not reviewed:
            _send(onlooker, "review", encode(thoughts.review(session)))
        onlooker.told, onlooker.told_tree, onlooker.told_review = revision, tree, reviewed


def _send(onlooker: Viewer, kind: str, text: str) -> None:
    onlooker.stream.send(kind, text)
