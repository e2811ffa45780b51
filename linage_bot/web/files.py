"""The page's own files: a fixed table of names, so no path from outside reaches the file system."""

import hashlib
from importlib import resources

import attrs

_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
PAGE = "page.html"


@attrs.frozen
class StaticFile:
    """A file as it is sent."""

    content: bytes
    type: str
    tag: str  # changes when the content does


def load_files() -> dict[str, StaticFile]:
    """All files of the page by name, read once."""
    files = {}
    for file in resources.files("linage_bot.web").joinpath("static").iterdir():
        kind = _TYPES.get(file.name.rpartition(".")[2])
        if kind is not None:
            content = file.read_bytes()
            tag = hashlib.sha256(content).hexdigest()[:16]
            files[file.name] = StaticFile(content, kind, f'"{tag}"')
    return files
