"""The search results that a page receives."""

from linage_bot.engine.analysis import Analysis, Candidate
from linage_bot.rules.game import PASS
from linage_bot.web.messages.analysis import graph_message
from linage_bot.web.thinking.session import Session
from tests.linage_bot.web.room import SETTINGS, new_game, received


def test_the_graph_ends_with_the_result() -> None:
    """The value graph ends with the result and leaves out other variations."""
    session = Session(new_game("linage", "7", moves=(PASS, PASS)), SETTINGS)
    found = Candidate(move=PASS, visits=10, win_rate=0.25, lead=-1.5, line=(PASS,))
    for node in (0, 7):
        position = session.game.positions[0]
        session.cache.store(node, Analysis(position=position, candidates=(found,), visits=10))
    assert received(graph_message(session)) == {"points": [[0, 0.25, -1.5], [2, 0.0, -0.5]]}
