"""What pages are told of a session: the table when it has changed, and what is thought of it."""

import json

from linage_bot.web import view
from linage_bot.web.session import Session
from linage_bot.web.stream import Stream


def tell(session: Session, newcomer: Stream | None = None) -> None:
    """Send all pages what is new, or a page that has just come all there is."""
    news = {}
    if newcomer is not None or session.told != session.revision:
        news["table"] = view.table(session)
    if session.notebook.on:
        news |= {"analysis": view.analysis(session), "graph": view.graph(session)}
    for kind, value in news.items():
        data = json.dumps(value, separators=(",", ":"))
        for stream in session.streams if newcomer is None else [newcomer]:
            stream.send(kind, data)
    if newcomer is None:
        session.told = session.revision
