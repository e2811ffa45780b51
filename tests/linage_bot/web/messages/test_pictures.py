"""The pictures of a game at a table."""

import io
import threading
import xml.etree.ElementTree as ET

import pytest
from PIL import Image

from linage_bot.drawing import Picture
from linage_bot.records.reading import study_from_sgf
from linage_bot.web.messages.pictures import animation, page, record, shown, svg
from linage_bot.web.table.errors import HttpError
from linage_bot.web.table.game import TableGame
from tests.linage_bot.html_pages import Page
from tests.linage_bot.web.room import new_game

STUDY = b"(;SZ[5]RU[linage];B[cc](;W[aa];B[ee])(;C[a note];W[dd](;B[bb])(;B[dd])))"


def test_any_position_has_a_picture() -> None:
    """Each position has a picture with a dot on the last move; unknown positions give an error."""
    game = new_game("linage", "5", moves=(12, 3))
    assert svg(game, "0") == Picture(game.positions[0]).svg(styled=False)
    assert svg(game, "2") == Picture(game.positions[2], last=3).svg(styled=False)
    assert ET.fromstring(svg(game, "2")).get("role") == "img"
    for place in ("3", "-1", "x", "²", "", "9" * 5000):
        with pytest.raises(HttpError):
            svg(game, place)


def test_the_line_in_view_is_animated() -> None:
    """The animation shows the viewed line, without notes and unplayable moves."""
    game = TableGame.of(study_from_sgf(STUDY), (None, None))
    assert shown(game, "0")[1] == [12, 20, 4]
    nodes = dict(game.tree.walk())
    (bb,) = (number for number, node in nodes.items() if node.move == 16)
    (closed,) = (number for number, node in nodes.items() if node.closed is not None)
    assert shown(game, str(bb))[1] == [12, 8, 16]
    positions, moves = shown(game, str(closed))
    assert moves == [12, 8]
    with Image.open(io.BytesIO(animation(positions, moves, threading.Event()))) as image:
        assert (image.format, image.n_frames) == ("GIF", 3)


def test_the_line_in_view_is_a_page() -> None:
    """The page has the viewed line with its notes; only the game itself has a result."""
    game = TableGame.of(study_from_sgf(STUDY.replace(b"RU", b"RE[W+R]RU")), (None, None))
    assert "Horizontal wins by resignation" in Page(page(record(game, "0")).decode()).text
    nodes = dict(game.tree.walk())
    (closed,) = (number for number, node in nodes.items() if node.closed is not None)
    variation = record(game, str(closed))
    assert (variation.moves, variation.result) == ((12, 8), None)
    assert Page(page(variation).decode()).games[0]["notes"] == {"1": "a note"}
    with pytest.raises(HttpError):
        record(game, "99")
