"""The review as a page: complete, self-contained, safe, with all findings."""

import itertools
import re
import xml.etree.ElementTree as ET

import attrs
import pytest

from linage_bot.drawing import STYLE
from linage_bot.drawing.layout import RADIUS, BoardLayout, number
from linage_bot.records.reading import from_sgf
from linage_bot.review import review_game, words
from linage_bot.review.page import MOST_SHOWN, to_html
from linage_bot.review.plain import to_plain
from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS
from tests.linage_bot.html_pages import Page
from tests.linage_bot.review.games import QUICK, RECORDS


@pytest.mark.parametrize("game", sorted(RECORDS))
def test_the_page_stands_alone(judged, game):
    """The page fetches nothing, runs no foreign script, and has no broken link."""
    text = to_html(judged(game))
    page = Page(text)
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert all(link.startswith("#") for link in page.links)
    # The only addresses are the names of XML's vocabularies.
    assert set(re.findall(r"\w+://[^\"'\s<)]+", text)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in text


def test_it_is_made_for_phones_and_for_the_dark(judged):
    """The width is the device's, and both the page and its pictures have dark colours."""
    text = to_html(judged("linage"))
    assert 'name="viewport" content="width=device-width' in text
    assert text.count(STYLE) == 1
    assert "color-scheme: light dark" in text


def test_the_head_says_what_was_played(judged):
    """Players, game, options, result, event, and who judged."""
    text = Page(to_html(judged("linage"))).text
    for fact in (
        "Ann – Ben",
        "Linage 5x5, komi 0.5",
        "line 3, button off, edition current",
        "Horizontal wins by 7.5",
        "A <b>cup</b>",
        "2026-11-20",
        "150 visits a search, seed 1",
    ):
        assert fact in text, fact
    assert "White wins by resignation" in Page(to_html(judged("leblin"))).text


def test_a_result_that_the_board_denies_is_told():
    """The page shows the result by the rules beside the one that the record claims."""
    sgf = RECORDS["linage"].replace("RE[W+7.5]", "RE[B+3]")
    text = Page(to_html(review_game(from_sgf(sgf.encode()), QUICK))).text
    assert "Vertical wins by 3; on the board Horizontal wins by 7.5" in text


def test_what_a_record_says_cannot_become_part_of_the_page():
    """Names and events are shown as plain text, even if they contain markup."""
    evil = '"><script>alert(1)</script><img src=x onerror=y>'
    sgf = RECORDS["leblin"].replace("Ann", evil).replace("PW[Ben]", f"PW[Ben]EV[{evil}]RO[{evil}]")
    sgf = sgf.replace("W+R", evil)
    page = Page(to_html(review_game(from_sgf(sgf.encode()), QUICK)))
    assert page.text.count(evil) >= 4


SVG = "{http://www.w3.org/2000/svg}"


def seen(picture, board):
    """Return the stones, numbered future moves and crosses of a picture, by point."""
    plan = BoardLayout.of(board, coordinates=True, caption=False)
    points = {tuple(map(number, plan.of_point(point))): point for point in bits(board.points)}
    circles = list(picture.iter(f"{SVG}circle"))
    stones = {points[circle.get("cx"), circle.get("cy")] for circle in circles if is_stone(circle)}
    elements = list(picture)
    numbered = {
        points[circle.get("cx"), circle.get("cy")]: text.text
        for circle, text in itertools.pairwise(elements)
        if circle.get("stroke-dasharray")
    }
    moved = [path.get("transform") for path in elements if path.get("transform")]
    crosses = {points[tuple(re.findall(r"[-.\d]+", text))] for text in moved}
    return stones, numbered, crosses


def is_stone(circle):
    return circle.get("r") == number(RADIUS)


def numbers(line):
    """The numbers that moves of a line get: a pass none, and a point its first."""
    shown = list(enumerate(line[:MOST_SHOWN], 1))
    return {move: str(count) for count, move in reversed(shown) if move != PASS}


@pytest.mark.parametrize("game", sorted(RECORDS))
def test_each_mistake_has_its_diagrams(judged, game):
    """One diagram shows the move played and its reply, another the better line.

    A cross shows in the second where the move was played.
    """
    other = [move.number for move in judged(game).moves if move.move != move.best]
    found = attrs.evolve(judged(game), mistakes=tuple(other))
    assert other
    text, board = to_html(found), found.record.game.board
    for count in other:
        move, before = found.moves[count - 1], found.positions[count - 1]
        start = text.index(f'id="mistake-{count}"')
        article = text[start : text.index("</article>", start)]
        name = before.name_of
        assert f"{name(move.move)} instead of {name(move.best)}" in article
        assert f"Played: <b>{name(move.move)}</b>" in article
        assert f"Better: <b>{name(move.best)}</b>" in article
        played, better = (
            seen(ET.fromstring(picture), board)
            for picture in re.findall("<svg.*?</svg>", article, re.DOTALL)
        )
        stones, line = set(bits(before.stones)), numbers(move.line)
        assert played == (stones, numbers((move.move, *move.reply)), set())
        assert better == (stones, line, {move.move} - {PASS} - set(line))
        assert line.get(move.best) == (None if move.best == PASS else "1")


@pytest.mark.parametrize("game", sorted(RECORDS))
def test_the_game_can_be_stepped_through(judged, game):
    """Each step shows the position's value, the cost of a mistake, and the record's comment."""
    found = judged(game)
    other = next(move for move in found.moves if move.move != move.best)
    record = attrs.evolve(found.record, comments={other.number: "<b>oh</b>"})
    found = attrs.evolve(found, record=record, mistakes=(other.number,))
    [steps] = Page(to_html(found)).games
    name, before = found.positions[0].name_of, found.positions[other.number - 1]
    assert len(steps["words"]) == len(found.positions)
    for words_, value in zip(steps["words"], found.values, strict=True):
        assert words_.endswith(words.verdict(before.game, value))
    [note] = steps["notes"].items()
    assert note[0] == str(other.number)
    assert f"Better: {name(other.best)}" in note[1]
    assert note[1].endswith("\n<b>oh</b>")


def test_a_game_without_mistakes_says_so(judged):
    """No empty section."""
    found = attrs.evolve(judged("linage"), mistakes=())
    assert "No clear mistakes found" in Page(to_html(found)).text


@pytest.mark.parametrize("game", sorted(RECORDS))
def test_the_table_of_moves_says_what_the_json_says(judged, game):
    """Move by move: the move, the win rate, the lead, the losses and the best move."""
    found = judged(game)
    heading, *rows = Page(to_html(found)).tables[-1]
    facts = to_plain(found)["moves"]
    assert len(rows) == len(facts)
    for row, fact, move in zip(rows, facts, found.moves, strict=True):
        cells = dict(zip(heading, row, strict=True))
        assert (cells["move"], cells["played"]) == (str(fact["number"]), fact["move"])
        rate = float(cells[heading[3]].rstrip(" %")) / 100
        assert rate == pytest.approx(fact["after"]["win_rate"], abs=0.0011)
        if fact["after"]["score"] is not None:
            lead = float(cells[heading[4]].replace("−", "-"))
            assert lead == pytest.approx(fact["after"]["score"], abs=0.051)
            lost = cells["points lost"].replace("–", "0")
            assert float(lost) == pytest.approx(fact["loss"]["score"], abs=0.051)
        lost = cells["win rate lost"].replace("–", "0").rstrip(" %")
        assert float(lost) / 100 == pytest.approx(fact["loss"]["win_rate"], abs=0.00051)
        best = fact["move"] if cells["best"] in ("=", "given") else cells["best"]
        assert best == fact["best"]
        assert (cells["visits"] == "proven") == move.after.exact


def test_a_move_that_was_given_is_called_so(judged):
    """A given move has no loss and no better move in the table."""
    found = judged("leblin")
    record = attrs.evolve(found.record, given=2)
    heading, *rows = Page(to_html(review_game(record, QUICK))).tables[-1]
    assert [row[heading.index("best")] == "given" for row in rows] == [True] * 2 + [False] * 10
    assert [row[heading.index("win rate lost")] for row in rows[:2]] == ["–", "–"]


def test_the_exact_endgame_is_told_as_far_as_it_is_proven(judged):
    """The values are the proven ones; without a proof before the end there is no such section."""
    for found in (judged("linage"), judged("linage", proof_nodes=20)):
        page = Page(to_html(found))
        assert "The exact endgame" in page.text
        start = found.exact_from
        assert ("from the start" if start == 0 else f"after move {start}") in page.text
        best = words.lead(found.record.game, found.values[start])
        assert f"With best play of both from there {best}" in page.text
        _, *rows = page.tables[1]
        lossy = [move for move in found.moves if move.exact and move.score_loss]
        assert [row[0] for row in rows] == [str(move.number) for move in lossy]
        assert [float(row[-1]) for row in rows] == [move.score_loss for move in lossy]
    other = judged("gardar")
    assert "exact endgame" not in Page(to_html(other)).text


def test_an_exact_endgame_without_points_tells_who_wins(judged):
    """Without points, the page shows winners instead of leads."""
    found = judged("linage-parity")
    page, game = Page(to_html(found)), found.record.game
    best = words.outcome(game, found.values[found.exact_from])
    assert best.endswith(" wins")
    end = words.outcome(game, found.values[-1])
    assert f"With best play of both from there {best}; in the end {end}." in page.text
    _, *rows = page.tables[1]
    lossy = [move for move in found.moves if move.exact and move.win_loss]
    assert [row[0] for row in rows] == [str(move.number) for move in lossy]


def test_the_phases_are_told(judged):
    """The page shows each phase's criterion and each player's mean losses."""
    found = judged("linage")
    page = Page(to_html(found))
    assert "opening while a stone may be placed on at least 75 % of the points" in page.text
    _, *rows = page.tables[0]
    assert len(rows) == 2 * len(found.phases)
    assert rows[0][0] == f"opening, 1–{found.phases[0].last}"
    assert float(rows[0][-1]) == pytest.approx(found.phases[0].players[0].score, abs=0.005)
