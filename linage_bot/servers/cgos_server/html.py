"""Pieces of HTML: a page, a table, a link. Whatever comes from players is escaped here."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

import attrs


@attrs.frozen
class Html:
    """Text that is HTML already."""

    text: str


def shown(value: object) -> str:
    """Anything as HTML; what is not `Html` is text."""
    return value.text if isinstance(value, Html) else html.escape(str(value))


def link(path: str, text: object) -> Html:
    """A link to another page."""
    return Html(f'<a href="{html.escape(path)}">{shown(text)}</a>')


def element(name: str, content: object, classes: str = "") -> Html:
    """An element with its content."""
    attribute = f' class="{classes}"' if classes else ""
    return Html(f"<{name}{attribute}>{shown(content)}</{name}>")


def joined(parts: Iterable[object], between: str = "") -> Html:
    """Several pieces as one."""
    return Html(html.escape(between).join(map(shown, parts)))


def table(
    heading: Sequence[object],
    rows: Iterable[Sequence[object]],
    texts: Iterable[int] = (0,),
    classes: str = "",
) -> Html:
    """A table; the columns whose numbers are in `texts` hold words, the others numbers."""
    words = frozenset(texts)

    def row(cells: Sequence[object], name: str) -> Html:
        made = (
            cell
            if isinstance(cell, Html) and cell.text.startswith(f"<{name}")
            else element(name, cell, "text" if place in words else "")
            for place, cell in enumerate(cells)
        )
        return element("tr", joined(made))

    head = element("thead", row(heading, "th"))
    body = element("tbody", joined(row(cells, "td") for cells in rows))
    return element("div", element("table", joined([head, body]), classes), "wide")


def page(title: str, site: str, navigation: Iterable[Html], body: object, refresh: int = 0) -> str:
    """A whole page; one that shows something live asks for itself again after some seconds."""
    again = f'<meta http-equiv="refresh" content="{refresh}">\n' if refresh else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'{again}<title>{shown(title)}</title>\n<link rel="stylesheet" href="/style.css">\n'
        f"</head>\n<body>\n<header><strong>{shown(link('/', site))}</strong>"
        f"<nav>{shown(joined(navigation))}</nav></header>\n<main>\n"
        f"<h1>{shown(title)}</h1>\n{shown(body)}\n</main>\n</body>\n</html>\n"
    )
