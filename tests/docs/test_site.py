"""The documentation's site: every page and public name is on it, and its links lead somewhere."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import linage_bot

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
API = "\n".join(file.read_text(encoding="utf-8") for file in sorted(DOCS.glob("api/*.rst")))


class Links(HTMLParser):
    """The links of one page, the files that it loads, and its anchors."""

    def __init__(self, page: Path) -> None:
        """Read the page."""
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors = {""}
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the addresses of an element."""
        values = {name: value for name, value in attrs if value is not None}
        self.anchors.add(values.get("id", ""))
        if "href" in values:
            self.links.append(values["href"])
        if tag == "link":
            self.loaded.append(values["href"])
        if "src" in values:
            self.links.append(values["src"])
            self.loaded.append(values["src"])


def dead(site: Path) -> list[str]:
    """Return the links inside a site that lead nowhere, and the files that it loads from others."""
    pages = {page.resolve(): Links(page) for page in site.rglob("*.html")}
    found = []
    for page, links in pages.items():
        name = page.relative_to(site.resolve())
        found += [f"{name} loads {link}" for link in links.loaded if urlsplit(link).netloc]
        for link in links.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            anchors = pages[target].anchors if target in pages else {""}
            if not target.is_file() or unquote(parts.fragment) not in anchors:
                found.append(f"{name}: {link}")
    return found


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_the_site_is_built_without_a_warning_and_has_no_dead_link(tmp_path: Path) -> None:
    """The site can be read offline: all its links lead to its pages, and it has a search index."""
    strict = ("--quiet", "--fail-on-warning", "--keep-going", "--nitpicky")
    doctrees = ("--doctree-dir", str(tmp_path / "doctrees"))
    line = [sys.executable, "-m", "sphinx", *strict, *doctrees, str(DOCS), str(tmp_path / "site")]
    built = subprocess.run(line, capture_output=True, encoding="utf-8", check=False)
    assert (built.returncode, built.stderr) == (0, "")
    assert dead(tmp_path / "site") == []
    index = (tmp_path / "site" / "searchindex.js").read_text(encoding="utf-8")
    assert all(name.lower() in index.lower() for name in linage_bot.__all__)
    engine = (tmp_path / "site" / "api" / "engine.html").read_text(encoding="utf-8")
    assert "the number of threads of one search" in engine


def test_a_dead_link_is_noticed(tmp_path: Path) -> None:
    """Of six links, those to a missing page, a missing anchor and a foreign script are reported."""
    (tmp_path / "other.html").write_text("<p id=here>")
    links = ("other.html#here", "other.html#there", "none.html", "#", "https://example.org")
    page = "".join(f'<a href="{link}">x</a>' for link in links)
    (tmp_path / "page.html").write_text(page + '<script src="//example.org/a.js"></script>')
    assert dead(tmp_path) == [
        "page.html loads //example.org/a.js",
        "page.html: other.html#there",
        "page.html: none.html",
    ]


def test_every_page_is_listed_in_the_index_once() -> None:
    """A reader finds every page at one place of the site's table of contents."""
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^([a-z][\w/-]*)$", index, re.MULTILINE)
    pages = [file for kind in ("md", "rst") for file in DOCS.rglob(f"*.{kind}")]
    names = {page.relative_to(DOCS).with_suffix("").as_posix() for page in pages}
    names -= {name for name in names if name.startswith("changes.d/")}  # parts of a page to come
    assert sorted(listed) == sorted(names - {"index"})


def test_every_public_name_has_a_place_in_the_api_reference() -> None:
    """The API reference has what `linage_bot` exports, and each module of `protocol`."""
    described = {name.rpartition(".")[2] for name in re.findall(r"(?:::|~)\s?([\w.]+)", API)}
    assert set(linage_bot.__all__) - described == set()
    files = [file for file in ROOT.glob("protocol/*/*.py") if file.name != "__init__.py"]
    modules = {f"protocol.{file.parent.name}.{file.stem}" for file in files}
    assert modules == set(re.findall(r"automodule:: (protocol\.\w+\.\w+)", API))
