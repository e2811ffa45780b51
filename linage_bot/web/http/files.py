"""The page's own files: a fixed table of names, so no path from outside reaches the file system."""

import gzip
import hashlib
import html
import json
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable

import attrs

from linage_bot.drawing import board_variables

_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
}
PAGE = "page.html"
_STYLE = "style.css"
_MODULES = b"<!-- modules -->"  # where the page names its scripts
_LANGUAGES = b"<!-- languages -->"  # where it names the languages other than English


@attrs.frozen
class StaticFile:
    """A file with its type and entity tag."""

    content: bytes
    compressed: bytes  # by gzip
    type: str
    tag: str  # changes when the content does

    @classmethod
    def of(cls, name: str, content: bytes) -> "StaticFile":
        """Return a file with the type of its name's extension."""
        tag = hashlib.sha256(content).hexdigest()[:16]
        return cls(content, gzip.compress(content, mtime=0), _TYPES[_kind(name)], f'"{tag}"')


def load_files() -> dict[str, StaticFile]:
    """Return all files of the page by path, such as `board/geometry.js`, read once.

    The page names all scripts, so that a browser requests them with the page instead of finding
    each one through another, and the languages into which it is translated. The board's colours
    are those of all pictures; its drawing and the icon are those of other pages, too.
    """
    found = dict(_read(resources.files("linage_bot.web").joinpath("static")))
    found.update(_read(resources.files("linage_bot.drawing").joinpath("scripts/board"), "board/"))
    found["icon.svg"] = resources.files("linage_bot.drawing").joinpath("icon.svg").read_bytes()
    scripts = sorted(name for name in found if _kind(name) == "js")
    links = (f'<link rel="modulepreload" href="/static/{name}">' for name in scripts)
    found[PAGE] = found[PAGE].replace(_MODULES, "\n".join(links).encode())
    found[PAGE] = found[PAGE].replace(_LANGUAGES, _languages(found).encode())
    found[_STYLE] = board_variables().encode() + found[_STYLE]
    return {name: StaticFile.of(name, content) for name, content in found.items()}


def _languages(files: dict[str, bytes]) -> str:
    """Return the names of the languages by their codes, as an element of the page's head."""
    names = {
        path.removeprefix("languages/").removesuffix(".json"): json.loads(content)["language"]
        for path, content in sorted(files.items())
        if path.startswith("languages/")
    }
    return f'<meta name="languages" content="{html.escape(json.dumps(names))}">'


def _read(folder: Traversable, path: str = "") -> Iterator[tuple[str, bytes]]:
    for file in folder.iterdir():
        if file.is_dir():
            yield from _read(file, f"{path}{file.name}/")
        elif _kind(file.name) in _TYPES:
            yield path + file.name, file.read_bytes()


def _kind(name: str) -> str:
    return name.rpartition(".")[2]
