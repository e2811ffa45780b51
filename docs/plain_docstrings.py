"""A Sphinx extension that reads the docstrings of this project, which are plain text.

An indented block is shown unchanged, and lines such as `visits: the most visits` describe
parameters. The fields of an attrs class are described by the comments in its source.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from typing import Any

import attrs
from sphinx.application import Sphinx

_CODE = re.compile(r"`([^`]+)`(?=(\w?))")
_PARAMETER = re.compile(r"([a-z]\w*): (\S.*)")
_INDENT = "    "


def as_rst(docstring: str) -> str:
    """Return a docstring as reStructuredText."""
    found: list[str] = []
    in_block = False
    for paragraph in docstring.strip("\n").split("\n\n"):
        is_block = paragraph.startswith(_INDENT)
        if is_block and not in_block:
            found.append("::")
        found.append(paragraph if is_block else _inline(paragraph))
        in_block = is_block
    return "\n\n".join(found)


def _inline(paragraph: str) -> str:
    """Return a paragraph of text or of parameters, in which names are references."""
    lines = _CODE.sub(_marked, paragraph).splitlines()
    if _PARAMETER.fullmatch(lines[0]) and all(
        line.startswith(_INDENT) or _PARAMETER.fullmatch(line) for line in lines
    ):
        lines = [_PARAMETER.sub(r":param \1: \2", line) for line in lines]
    return "\n".join(lines)


def _marked(code: re.Match[str]) -> str:
    text = " ".join(code[1].split())  # code in reStructuredText has no space at its ends
    marks = "`" if re.fullmatch(r"[A-Za-z_][\w.]*", text) else "``"
    return f"{marks}{text}{marks}" + (r"\ " if code[2] else "")


def field_comments(kind: type) -> dict[str, str]:
    """Return the comment of each field that a class itself defines.

    It is at the end of the field's line, or on the lines before it.
    """
    source = textwrap.dedent(inspect.getsource(kind))
    lines = source.splitlines()
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.ClassDef)
    found = {}
    for node in definition.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            rest = lines[node.end_lineno - 1].encode()[node.end_col_offset :].decode()
            words = [rest.strip().removeprefix("#").strip()]
            above = node.lineno - 2
            while lines[above].strip().startswith("# "):
                words.insert(0, lines[above].strip().removeprefix("# "))
                above -= 1
            found[node.target.id] = " ".join(filter(None, words))
    return found


def _read(
    _app: Sphinx, what: str, _name: str, described: Any, _options: object, lines: list[str]
) -> None:
    text = as_rst("\n".join(lines))
    if what in ("class", "exception") and attrs.has(described):
        comments: dict[str, str] = {}
        for kind in filter(attrs.has, described.__mro__):
            comments = field_comments(kind) | comments
        fields = [
            f":param {field.alias}: {_CODE.sub(_marked, comments[field.name])}"
            for field in attrs.fields(described)
            if field.init and comments.get(field.name)
        ]
        text = "\n".join([text, "", *fields])
    lines[:] = [*text.splitlines(), ""]


def setup(app: Sphinx) -> dict[str, bool]:
    """Convert each docstring that autodoc reads."""
    app.connect("autodoc-process-docstring", _read)
    return {"parallel_read_safe": True}
