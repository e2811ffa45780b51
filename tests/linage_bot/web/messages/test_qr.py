"""QR codes of links."""

import re

import pytest
import segno

from linage_bot.web.messages.qr import qr_code
from linage_bot.web.table.errors import HttpError

LINK = f"http://192.168.1.7:8413/g/a-game?guest={40 * 'f'}#seat={40 * '0'}"


def test_a_code_has_the_modules_of_the_text_within_a_margin() -> None:
    """The drawn rectangles are the dark modules of the link's code, with the margin around them."""
    code = qr_code(LINK)
    rows = [[0] * code.size for _ in range(code.size)]
    for words in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", code.path):
        left, top, width = map(int, words)
        rows[top][left : left + width] = [1] * width
    modules = [list(row) for row in segno.make_qr(LINK, error="m").matrix_iter(border=4)]
    assert rows == modules


def test_a_long_text_is_refused() -> None:
    """A text that is longer than any link is refused."""
    with pytest.raises(HttpError, match="at most 400 letters"):
        qr_code("x" * 401)
