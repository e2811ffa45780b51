"""The search results that a page receives."""

from linage_bot.engine.analysis import Analysis, Candidate
from linage_bot.rules.game import PASS
from linage_bot.web.messages import analysis as thoughts
from linage_bot.web.thinking.session import Session
from tests.linage_bot.web.room import SETTINGS, new_course, received


def test_the_graph_ends_with_the_result() -> None:
    """The value graph ends with the result and leaves out other variations."""
    session = Session(new_course("linage", "7", moves=(PASS, PASS)), SETTINGS)
    found = Candidate(move=PASS, visits=10, win_rate=0.25, lead=-1.5, line=(PASS,))
    for at in (0, 7):
        position = session.course.positions[0]
        session.notebook.note(at, Analysis(position=position, candidates=(found,), visits=10))
    assert received(thoughts.graph(session)) == {"points": [[0, 0.25, -1.5], [2, 0.0, -0.5]]}
