"""TypeScript's checker, from npm, finds no error in the page's scripts."""

import os
import re
import subprocess
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).with_name("scripts")
TSC = SCRIPTS / "node_modules/.bin/tsc"
STATIC = Path(str(resources.files("linage_bot.web"))) / "static"
TYPES = {
    "a": "HTMLAnchorElement",
    "button": "HTMLButtonElement",
    "details": "HTMLDetailsElement",
    "dialog": "HTMLDialogElement",
    "input": "HTMLInputElement",
    "label": "HTMLLabelElement",
    "progress": "HTMLProgressElement",
    "select": "HTMLSelectElement",
    "table": "HTMLTableElement",
    "textarea": "HTMLTextAreaElement",
}


class _Ids(HTMLParser):
    """The type of each element of a page that has an id."""

    def __init__(self) -> None:
        super().__init__()
        self.types: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if name := dict(attrs).get("id"):
            self.types[name] = TYPES.get(tag, "HTMLElement")


@pytest.mark.thorough
def test_the_scripts_have_no_type_errors() -> None:
    """The types of the page's scripts agree with each other and with the server's messages."""
    if not TSC.exists():
        reason = f"TypeScript missing: run `npm ci` in {SCRIPTS}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    done = subprocess.run(
        [TSC, "--project", SCRIPTS, "--pretty", "false"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_types_of_elements_are_those_of_the_page() -> None:
    """Each id of the page is in `PageElements`, with the type of its element."""
    page = _Ids()
    page.feed((STATIC / "page.html").read_text())
    declared = dict(re.findall(r'^  "?([\w-]+)"?: (HTML\w+)', _page_elements(), re.MULTILINE))
    page.types = {name: kind for name, kind in page.types.items() if not name.startswith("player-")}
    assert {name: declared.get(name) for name in page.types} == page.types


def _page_elements() -> str:
    types = (STATIC / "types.d.ts").read_text()
    return types.split("interface PageElements {")[1].split("\n}")[0]
