"""QR codes of links, which a phone's camera opens."""

from itertools import groupby

from linage_bot.web.messages.wire import CodeMessage
from linage_bot.web.table.errors import HttpError

_MOST_LETTERS = 400  # of a link
_QUIET_MODULES = 4  # the margin that readers need


def qr_code(text: str) -> CodeMessage:
    """Return the QR code of a text. Raise `HttpError` if the text is too long."""
    if len(text) > _MOST_LETTERS:
        raise HttpError(400, f"a link has at most {_MOST_LETTERS} letters")
    import segno  # not needed by most games

    rows = segno.make_qr(text, error="m").matrix
    path = "".join(
        _runs(_QUIET_MODULES, _QUIET_MODULES + number, row) for number, row in enumerate(rows)
    )
    return CodeMessage(size=len(rows) + 2 * _QUIET_MODULES, path=path)


def _runs(left: int, top: int, row: bytes | bytearray) -> str:
    """Return a rectangle for each run of dark modules in a row, as data of an SVG path."""
    words, column = "", left
    for dark, run in groupby(row):
        length = len(list(run))
        if dark:
            words += f"M{column} {top}h{length}v1h-{length}z"
        column += length
    return words
