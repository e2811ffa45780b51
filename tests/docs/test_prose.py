"""Docstrings begin and speak plainly, by the rule for prose in CONTRIBUTING.md."""

import ast
import functools
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("linage_bot", "protocol", "tests", "benchmarks", "tools", "docs", "examples")
_DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
QUESTION = r"(What|Who|Whom|Whose|How|Where|When|Why|That|So)\b"
OBSCURE = re.compile(
    r"\b(mend|anew|meanwhile|whoever|whatever|wherever|(no|some|any|every)body|goes on|for good)\b"
)


@functools.cache
def docstrings() -> tuple[tuple[str, str], ...]:
    """Return the place and text of each docstring of ours."""
    files = (file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))
    return tuple(
        (f"{file.relative_to(ROOT)}: {getattr(node, 'name', 'module')}", text)
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, _DOCUMENTED) and (text := ast.get_docstring(node))
    )


def test_docstrings_do_not_begin_with_a_question() -> None:
    """A function's docstring begins with a verb, a class's with a noun phrase."""
    texts = dict(docstrings())
    assert len(texts) > 1000
    assert [place for place, text in texts.items() if re.match(QUESTION, text)] == []


def test_docstrings_avoid_words_that_have_to_be_decoded() -> None:
    """Docstrings name the client, user or value instead of a pronoun for all of them."""
    assert [place for place, text in docstrings() if OBSCURE.search(text)] == []
