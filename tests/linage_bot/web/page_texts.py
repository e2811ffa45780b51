"""The texts of the page, in which `{0}`, `{1}` and so on stand for values, as in translations."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path

STATIC = Path(str(resources.files("linage_bot.web"))) / "static"
ATTRIBUTES = ("title", "aria-label", "placeholder", "data-offline")
SILENT = {"script", "style", "noscript"}
EMPTY = {"meta", "link", "input", "path", "circle"}
_TAGGED = re.compile(r"(?<![\w.])t`")
_SERVED = re.compile(r'\bserved\("([^"]*)"\)')
_COMMENT = re.compile(r"/\*.*?\*/|(?<=\s)//[^\n]*", re.DOTALL)
_LITERAL = re.compile(r'(?<!served\()"([^"\n]*)"|(?<![\w`])`([^`\n]*)`')
_WORDS = re.compile(r"\b[A-Za-z]{2,} [a-z]{2,}")


def page_texts() -> set[str]:
    """Return the texts of page.html and of the scripts."""
    found = set(_scripts())
    page = _Texts()
    page.feed((STATIC / "page.html").read_text())
    return found | {text for text in page.found if re.search(r"[^\W\d_]{2}", text)}


def served_words() -> set[str]:
    """Return the words of the server that the scripts themselves name."""
    return {word for text in _sources() for word in _SERVED.findall(text)}


def untranslated() -> set[str]:
    """Return what the scripts write as it is, except the names of classes and elements."""
    styles = "".join(file.read_text() for file in STATIC.rglob("*.css"))
    found = set()
    for source in _sources():
        for plain, template in _LITERAL.findall(_COMMENT.sub("", source)):
            text = re.sub(r"\$\{[^}]*\}", "", plain or template)
            named = all("-" in word or f".{word}" in styles for word in text.split())
            if _WORDS.search(text) and not named:
                found.add(text)
    return found


def _sources() -> Iterator[str]:
    for file in sorted(STATIC.rglob("*.js")):
        yield file.read_text()


def _scripts() -> Iterator[str]:
    for source in _sources():
        for start in _TAGGED.finditer(source):
            yield _template(source, start.end())


def _template(source: str, at: int) -> str:
    """Return the text of a template that begins at a place of a script."""
    parts, number = [], 0
    while source[at] != "`":
        if source.startswith("${", at):
            at = _after(source, at + 2)
            parts.append(f"{{{number}}}")
            number += 1
        else:
            parts.append(source[at])
            at += 1
    return "".join(parts)


def _after(source: str, at: int) -> int:
    """Return the place after the expression in a template, whose braces and templates nest."""
    while source[at] != "}":
        if source[at] == "{":
            at = _after(source, at + 1)
        elif source[at] == "`":
            at += 1
            while source[at] != "`":
                at = _after(source, at + 2) if source.startswith("${", at) else at + 1
            at += 1
        else:
            at += 1
    return at + 1


class _Texts(HTMLParser):
    """The texts and readable attributes of a page, without those that stay as they are."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self._kept: list[bool] = []  # for each open element whether its text stays

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.found.update(named[name] or "" for name in ATTRIBUTES if name in named)
        if tag not in EMPTY:
            kept = tag in SILENT or named.get("translate") == "no"
            self._kept.append(kept or (bool(self._kept) and self._kept[-1]))

    def handle_endtag(self, tag: str) -> None:
        if tag not in EMPTY:
            self._kept.pop()

    def handle_data(self, data: str) -> None:
        if not (self._kept and self._kept[-1]):
            self.found.add(data.strip())
