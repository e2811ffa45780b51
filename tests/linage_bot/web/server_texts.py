"""The texts for readers that the server sends to a page, apart from those that people write."""

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import linage_bot
from linage_bot.review.facts import Value
from linage_bot.review.words import verdict
from linage_bot.rules import GAMES
from linage_bot.rules.game import Game
from linage_bot.teaching import aim_of, examples_of, explained
from linage_bot.web.messages.lessons import lesson
from linage_bot.web.messages.table import _LOST

ROOT = Path(linage_bot.__file__).parent
TAKERS = {
    "ActionRefused": 0,
    "Area": 0,
    "BadOption": 1,
    "BadRecord": 1,
    "BadSize": 0,
    "HttpError": 1,
    "IllegalityReason": 0,
    "ScoredItem": 0,
    "check": 1,
    "warn": 0,
}
"""The functions that take a text for readers, and its place among their arguments."""
PLACE = re.compile(r"\{\d\}")
LEAST = 3  # letters between the values of a text that can be recognised
SENTENCES = re.compile(r"(?<=[.!?]) (?=[A-Z\d*])")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, as language.js divides it."""
    return SENTENCES.split(text)


def literals() -> Iterator[str]:
    """Yield the texts in the sources of the rules and of the server, with places for values."""
    for folder in ("records", "rules", "web"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            for text in _literals(ast.parse(file.read_text())):
                if len(PLACE.sub("", text)) > LEAST:
                    yield text


def _literals(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            place = TAKERS.get(node.func.id)
            if place is not None and len(node.args) > place and not _of_programs(node):
                yield from _text(node.args[place])
        elif isinstance(node, ast.Assign):
            if getattr(node.targets[0], "id", "") in ("reason", "words"):
                yield from _text(node.value)
        elif isinstance(node, ast.FunctionDef) and node.name in ("ending", "_openness"):
            for each in ast.walk(node):
                if isinstance(each, ast.Return) and each.value is not None:
                    yield from _text(each.value)


def _of_programs(call: ast.Call) -> bool:
    """Return whether a request is refused for a fault that no page makes."""
    status = call.args[0]
    return isinstance(status, ast.Constant) and status.value in (400, 401, 403, 405, 415, 421)


def _text(node: ast.expr) -> Iterator[str]:
    """Yield the text of a literal, whose values become `{0}`, `{1}` and so on."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _text(node.body)
        yield from _text(node.orelse)
    elif isinstance(node, ast.JoinedStr):
        numbers = itertools.count()
        yield "".join(
            part.value if isinstance(part, ast.Constant) else f"{{{next(numbers)}}}"
            for part in node.values
        )


def variants(kind: type[Game]) -> Iterator[Game]:
    """Yield a game with all combinations of its options; of many numbers, the smallest ones."""
    known = kind.options()
    choices = [
        ("on", "off")
        if isinstance(option.default, bool)
        else option.choices or tuple(map(str, range(option.minimum, min(option.maximum, 5) + 1)))
        for option in known.values()
    ]
    for values in itertools.product(*choices):
        yield kind.configure(options=dict(zip(known, values, strict=True)))


def rules() -> Iterator[str]:
    """Yield the rules of all games with all options, and their pictures' words."""
    for kind in GAMES.values():
        yield aim_of(kind)
        for game in variants(kind):
            for pie in (False, game.pie != "none"):
                yield from (paragraph.text for paragraph in explained(game, pie=pie))
            for example in examples_of(game):
                yield example.words
                yield example.picture.caption or ""


def lessons() -> Iterator[str]:
    """Yield the words of all first lessons, with the answers to every move."""
    for name in GAMES:
        for step in lesson(name).steps:
            yield from (step.title, step.words, step.task)
            yield from (answer.words for answer in step.answers)


def names() -> Iterator[str]:
    """Yield the names of players, options and their values."""
    for kind in GAMES.values():
        yield from kind.players
        for name, option in kind.options().items():
            yield name.replace("_", " ")
            yield option.help
            yield from option.choices
    yield from ("on", "off", "the solver", *_LOST.values())


def judgements() -> Iterator[str]:
    """Yield the words of counts, and of the values and mistakes of a review."""
    for kind in GAMES.values():
        tally = kind.configure().start().tally()
        if tally is not None:
            yield tally.words
    game = GAMES["linage"].configure()
    for value in (
        Value(1.0, 3.0, certain=True, exact=True),
        Value(0.5, 0.0, certain=True, exact=True),
        Value(1.0, None, certain=True),
        Value(0.5, 0.0),
        Value(0.6, 1.5),
        Value(0.6, None),
    ):
        yield verdict(game, value)
    where = "you are looking at move 3 of a variation"
    yield f"{where}: first play on from here, or go to the last position"
    yield from ("12.3 % of win rate", "1 point", "2 points")
