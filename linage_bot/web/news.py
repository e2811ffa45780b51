"""What pages are told of a session: the table when it has changed, and what is thought of it.

While code is compiled for it they are told that, too, whatever else happens.
"""

import json

from linage_bot.web import view
from linage_bot.web.session import Session
from linage_bot.web.stream import Stream


def tell(session: Session, newcomer: Stream | None = None) -> None:
    """Send all pages what is new, or a page that has just come all there is."""
    news = {} if newcomer is None else {"compiling": session.compiling}
    if news or session.told != session.revision:
        if newcomer is not None or session.told_tree is not session.course.tree:
            news["tree"] = view.tree(session)
        news["table"] = view.table(session)
    if session.course.analysing:
        news |= {"analysis": view.analysis(session), "graph": view.graph(session)}
    reviewed = session.reviewer and session.reviewer.told
    if newcomer is not None or session.told_review is not reviewed:
        news["review"] = view.review(session)
    _send(news, session.streams if newcomer is None else [newcomer])
    if newcomer is None:
        session.told, session.told_tree = session.revision, session.course.tree
        session.told_review = reviewed


def tell_compiling(session: Session) -> None:
    """Send all pages how far the compiler is, unless they know."""
    seen = view.compiling(session)
    if seen != session.compiling:
        session.compiling = seen
        _send({"compiling": seen}, session.streams)


def _send(news: dict[str, view.Json | None], streams: list[Stream]) -> None:
    for kind, value in news.items():
        data = json.dumps(value, separators=(",", ":"))
        for stream in streams:
            stream.send(kind, data)
