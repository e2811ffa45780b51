"""HTML pages that need no script and no other file; for light and dark, for phones too."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Final

from linage_bot import __version__
from linage_bot.boards import HexBoard
from linage_bot.game import Game
from linage_bot.pictures import STYLE, VARIABLES

GENERATOR: Final = f'<meta name="generator" content="linage-bot {__version__}">'

# Nothing on a page may fetch anything, whatever a record's names and comments try.
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

_STYLE: Final = """
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
       margin: 0 auto; max-width: 70rem; padding: 1rem clamp(.8rem, 3vw, 2rem) 4rem;
       color: var(--ink); background: var(--page); }
h1, h2, h3 { line-height: 1.2; }
h2 { margin: 2.2rem 0 .8rem; }
a { color: var(--first-strong); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums; }
th, td { padding: .2em .7em; text-align: right; border-bottom: 1px solid var(--rule); }
th { color: var(--soft); font-weight: 600; }
th:first-child, td:first-child { text-align: left; }
@media (max-width: 40rem) { table { font-size: .875rem; } th, td { padding: .2em .25em; } }
pre { background: var(--paper); padding: .8em; overflow-x: auto; }
.graph { display: block; width: 100%; max-width: 44rem; height: auto; overflow: visible; }
.graph a path { pointer-events: all; }
.graph a:hover path { opacity: .5; }
@media (max-width: 40rem) { .graph text { font-size: 15px !important; } }
figure { margin: 0; }
"""


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def document(title: str, body: str, style: str = "") -> str:
    """A whole page; `title` is text, `body` HTML, `style` CSS beside what all pages share."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n{GENERATOR}\n'
        f"<title>{html.escape(title)}</title>\n"
        f"<style>{VARIABLES}{_STYLE}{style}{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def table(heading: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """A table, which scrolls by itself where it is too wide; cells are text unless `Markup`."""

    def row(cells: Iterable[object], tag: str) -> str:
        inner = "".join(f"<{tag}>{_cell(cell)}</{tag}>" for cell in cells)
        return f"<tr>{inner}</tr>"

    body = "\n".join(row(cells, "td") for cells in rows)
    return f'<div class="wide"><table>\n{row(heading, "th")}\n{body}\n</table></div>'


def _cell(cell: object) -> str:
    return cell if isinstance(cell, Markup) else html.escape(str(cell))


def describe_game(game: Game) -> str:
    """A game in words: `Linage 9x9, komi 0.5`."""
    board = game.board
    size = f"{board.columns}x{board.rows}"
    if isinstance(board, HexBoard):
        size = f"side {board.side}"
    return f"{game.name} {size}" + ("" if game.komi_step is None else f", komi {game.komi:g}")
