"""HTML pages made from templates, whole without a script; for light and dark, for phones too.

The templates are in `drawing/templates`. Their values are text and stay text on the page, with any
content, unless they are `Markup`. Imports Jinja2, so modules needed at a start do not import this.
"""

import base64
import hashlib
import re
from importlib import resources
from pathlib import Path
from typing import Final

import jinja2
from markupsafe import Markup

from linage_bot.drawing import STYLE, VARIABLES
from linage_bot.version import __version__

_GENERATOR: Final = b'<meta name="generator" content="linage-bot '
"""The mark near the beginning of a page that we have made."""
_HEAD_BYTES: Final = 1000

_LOADER: Final = jinja2.PackageLoader("linage_bot.drawing")
_TEMPLATES: Final = jinja2.Environment(
    loader=_LOADER,
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)
_SCRIPTS: Final = resources.files("linage_bot.drawing").joinpath("scripts")
_MODULES: Final = ("board/elements.js", "board/geometry.js", "board/drawing.js", "viewer.js")
_IMPORT: Final = re.compile(r"^import .*\n", re.MULTILINE)

SCRIPT: Final = Markup(
    "".join(_IMPORT.sub("", _SCRIPTS.joinpath(name).read_text("utf-8")) for name in _MODULES)
)
"""The one script of our pages, with which readers step through games.

It is all its modules in one, without imports: a saved page has no other files.
"""

ICON: Final = resources.files("linage_bot.drawing").joinpath("icon.svg").read_text("utf-8")

_TEMPLATES.globals |= {
    "script": SCRIPT,
    "script_hash": base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode(),
    "version": __version__,
    "inks": Markup(VARIABLES),
    "board_colours": Markup(_SCRIPTS.joinpath("board/board.css").read_text("utf-8")),
    "board_style": Markup(STYLE),
}


def prepare() -> None:
    """Compile all templates now, so that no later reader or game's clock has to wait for it."""
    for name in _TEMPLATES.list_templates():
        _TEMPLATES.get_template(name)


def may_replace(page: Path) -> bool:
    """Return whether there is no page at this path, or one that we have made; raises `OSError`."""
    try:
        with page.open("rb") as stream:
            return _GENERATOR in stream.read(_HEAD_BYTES)
    except FileNotFoundError:
        return True


def render(template: str, **values: object) -> str:
    """Return a page made from a template and the values that it names."""
    return _TEMPLATES.get_template(template).render(values)
