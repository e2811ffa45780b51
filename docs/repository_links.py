"""A Sphinx extension for links from a page to files outside `docs/`, which work on GitHub as well.

README, CONTRIBUTING and CHANGELOG have pages on the site, which include them; links to other files
lead to the repository.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from sphinx.application import Sphinx

DOCS = Path(__file__).parent
ROOT = DOCS.parent
INCLUDED = {
    ROOT / "README.md": DOCS / "index.md",
    ROOT / "CONTRIBUTING.md": DOCS / "contributing.md",
    ROOT / "CHANGELOG.md": DOCS / "changelog.md",
}
_LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)\s#]+)")  # without the heading, if it names one


def rewritten(text: str, folder: Path, repository: str) -> str:
    """Return the Markdown of a file in this folder with its links as the site needs them."""

    def target(link: re.Match[str]) -> str:
        file = (folder / link[1]).resolve()
        page = INCLUDED.get(file, file)
        if page.is_file() and page.is_relative_to(DOCS):
            return f"/{page.relative_to(DOCS).as_posix()}"
        return f"{repository}/blob/main/{file.relative_to(ROOT).as_posix()}"

    return _LINK.sub(target, text)


def setup(app: Sphinx) -> dict[str, bool]:
    """Rewrite each page, and each file that a page includes, when it is read."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    repository = pyproject["project"]["urls"]["Homepage"]

    def read_page(app: Sphinx, name: str, source: list[str]) -> None:
        file = Path(app.env.doc2path(name))
        if file.suffix == ".md":
            source[0] = rewritten(source[0], file.parent, repository)

    def read_included(_app: Sphinx, file: Path, _page: str, source: list[str]) -> None:
        source[0] = rewritten(source[0], (DOCS / file).resolve().parent, repository)

    app.connect("source-read", read_page)
    app.connect("include-read", read_included)
    return {"parallel_read_safe": True}
