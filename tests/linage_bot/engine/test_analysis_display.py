"""An analysis in a terminal and in a notebook."""

from xml.etree import ElementTree

import pytest

from linage_bot.engine.analysis import Analysis, Candidate
from linage_bot.engine.analysis_display import picture
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.rollouts import with_owners
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Player
from linage_bot.rules.history import History


def candidate(move: int, visits: int, win_rate: float, lead: float, *more: int) -> Candidate:
    return Candidate(move=move, visits=visits, win_rate=win_rate, lead=lead, line=(move, *more))


POSITION = History(GAMES["linage"].configure("5")).play("C3").position
FOUND = Analysis(
    position=POSITION,
    visits=1000,
    candidates=(
        candidate(0, 600, 0.25, -1.5, 1, PASS),
        candidate(1, 380, 0.5, 2),
        candidate(PASS, 15, 0.75, 3),
        *(candidate(each, 1, 0.75, 3) for each in range(2, 7)),
    ),
)


def test_an_analysis_in_short_is_one_line():
    """The values of the position, from the viewer's side, and the best move."""
    short = "<Analysis of linage 5: 1000 visits, Vertical's win rate 35.5%, lead -0.1, best A1>"
    assert repr(FOUND) == short
    other = "Horizontal's win rate 64.5%, lead +0.1"
    assert other in repr(FOUND.seen_by(Player.SECOND))
    assert repr(Analysis(position=POSITION)) == "<Analysis of linage 5: 0 visits>"


def test_an_analysis_is_printed_with_its_best_moves():
    """A row for each of the first five moves, with its values and expected line."""
    assert (
        str(FOUND)
        == """\
Linage 5: 1000 visits, Vertical's win rate 35.5%, lead -0.1, best A1
     600 visits   25.0%   -1.5  A1 B1 pass
     380 visits   50.0%   +2.0  B1
      15 visits   75.0%   +3.0  pass
       1 visits   75.0%   +3.0  C1
       1 visits   75.0%   +3.0  D1
and 3 more moves"""
    )


@pytest.mark.parametrize("name", GAMES)
def test_any_analysis_can_be_shown(name):
    """Searched, proven, of a finished game and empty: in short, printed, and as a picture."""
    start = History(GAMES[name].configure("3"))
    over = start
    while not over.position.over:
        over = over.play(over.position.moves()[-1])
    with Engine(seed=1) as engine:
        found = engine.analyse(start, Limits(visits=50))
        for each in (found, engine.analyse(over), Analysis(position=start.position)):
            assert "\n" not in repr(each)
            assert len(repr(each)) < 150
            assert str(each).splitlines()[0].startswith(GAMES[name].name)
            ElementTree.fromstring(each._repr_svg_())
            ElementTree.fromstring(each._repr_html_())


def texts_of(xml):
    return [each.text for each in ElementTree.fromstring(xml).iter() if each.text]


def test_a_notebook_shows_the_win_rates_on_the_board():
    """A searched move has its win rate in percent, from the same side as its candidate."""
    texts = texts_of(FOUND._repr_svg_())
    assert "25" in texts  # of A1
    assert "50" in texts
    assert any("1000 visits, Vertical's win rate 35.5%" in text for text in texts)
    assert "75" in texts_of(FOUND.seen_by(Player.SECOND)._repr_svg_())


def test_expected_owners_are_squares_on_the_points_without_a_label():
    """The squares have First's view, also if the analysis has Second's."""
    owned = with_owners(FOUND)
    assert len(owned.owners) == 25
    heat = picture(owned).heat
    assert heat == picture(owned.seen_by(Player.SECOND)).heat
    assert 0 not in heat  # which has a label
    assert heat[24] == owned.owners[24]
    assert picture(FOUND).heat == {}


def test_a_notebook_shows_a_table_of_the_best_moves_beside_the_board():
    """Five rows with the move, its values for the viewer, and its line; leads only if counted."""
    html = FOUND._repr_html_()
    table = list(ElementTree.fromstring(html).iter("tr"))
    assert [cell.text for cell in table[0]] == [
        "move",
        "Vertical's win rate",
        "lead",
        "visits",
        "line",
    ]
    assert [cell.text for cell in table[1]] == ["A1", "25.0%", "-1.5", "600", "A1 B1 pass"]
    assert len(table) == 6
    assert FOUND._repr_svg_() in html
    parity = Analysis(
        position=GAMES["linage-parity"].configure("5").start(), candidates=FOUND.candidates
    )
    assert "lead" not in texts_of(parity._repr_html_())
    assert "<table>" not in Analysis(position=POSITION)._repr_html_()


def test_names_from_an_added_game_are_shown_as_text(monkeypatch):
    """The names of another package's game cannot add markup to a notebook."""
    monkeypatch.setattr(type(POSITION.game), "players", ("<b>&", "\"'"))
    for each in (FOUND, FOUND.seen_by(Player.SECOND)):
        root = ElementTree.fromstring(each._repr_html_())
        assert not list(root.iter("b"))
        assert any(each.position.game.players[each.viewer] in text for text in root.itertext())
