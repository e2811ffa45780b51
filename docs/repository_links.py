"""A Sphinx extension for links from a page to files outside `docs/`, which work on GitHub as well.

README, CONTRIBUTING and CHANGELOG have pages on the site, which include them. Of a link to another
file the site has only the text, because the repository has no address yet.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

DOCS = Path(__file__).parent
ROOT = DOCS.parent
INCLUDED = {
    ROOT / "README.md": DOCS / "index.md",
    ROOT / "CONTRIBUTING.md": DOCS / "contributing.md",
    ROOT / "CHANGELOG.md": DOCS / "changelog.md",
}
_LINK = re.compile(r"\[([^][]*)\]\((?!\w+:|#)([^)\s#]+)([^)\s]*)\)")  # text, file, heading


def rewritten(text: str, folder: Path) -> str:
    """Return the Markdown of a file in this folder with its links as the site needs them."""

    def target(link: re.Match[str]) -> str:
        words, path, heading = link.groups()
        file = (folder / path).resolve()
        page = INCLUDED.get(file, file)
        if page.is_file() and page.is_relative_to(DOCS):
            return f"[{words}](/{page.relative_to(DOCS).as_posix()}{heading})"
        return words

    return _LINK.sub(target, text)


def setup(app: Sphinx) -> dict[str, bool]:
    """Rewrite each page, and each file that a page includes, when it is read."""

    def read_page(app: Sphinx, name: str, source: list[str]) -> None:
        file = Path(app.env.doc2path(name))
        if file.suffix == ".md":
            source[0] = rewritten(source[0], file.parent)

    def read_included(_app: Sphinx, file: Path, _page: str, source: list[str]) -> None:
        source[0] = rewritten(source[0], (DOCS / file).resolve().parent)

    app.connect("source-read", read_page)
    app.connect("include-read", read_included)
    return {"parallel_read_safe": True}
