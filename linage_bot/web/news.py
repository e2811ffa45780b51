"""What pages are told of a session: the table when it has changed, and what is thought of it."""

from __future__ import annotations

from linage_bot.web import view
from linage_bot.web.session import Session
from linage_bot.web.stream import Stream


def tell(session: Session) -> None:
    """Send all pages what is new."""
    if session.told != session.revision:
        session.told = session.revision
        _send(session.streams, "table", view.table(session))
    _tell_thoughts(session, session.streams)


def greet(session: Session, stream: Stream) -> None:
    """Send a page that comes all there is, and go on telling it."""
    session.streams.append(stream)
    _send([stream], "table", view.table(session))
    _tell_thoughts(session, [stream])


def _tell_thoughts(session: Session, streams: list[Stream]) -> None:
    if session.notebook.on and streams:
        _send(streams, "analysis", view.analysis(session))
        _send(streams, "graph", view.graph(session))


def _send(streams: list[Stream], kind: str, value: view.Json) -> None:
    for stream in streams:
        stream.send(kind, value)
