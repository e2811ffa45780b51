"""Parsers of a page's requests at a table, from JSON to an action, a view or a question.

Errors are `HttpError`, or `ActionRefused` if a request is well-formed but cannot be met.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from linage_bot.web.http.fields import read_fields
from linage_bot.web.messages.requests import AttemptRequest, HintRequest, LossRequest
from linage_bot.web.table.actions import ACTIONS, PageAction
from linage_bot.web.table.errors import HttpError
from linage_bot.web.table.view import View
from linage_bot.web.thinking.questions import Answer, Asked
from linage_bot.web.thinking.session import Session

Fields = dict[str, Any]


def read_body(body: bytes) -> Fields:
    """Return the JSON object in a body."""
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        raise HttpError(400, "the body is not JSON") from None
    if not isinstance(fields, dict):
        raise HttpError(400, "the body is not a JSON object")
    return fields


def read_action(word: str, fields: Fields) -> PageAction:
    """Return the named action, with fields of its types. May raise `ActionRefused`, too."""
    kind = ACTIONS.get(word)
    if kind is None:
        raise HttpError(404, "there is no such action")
    return read_fields(kind, fields)


def read_view(words: Mapping[bytes, list[bytes]]) -> View:
    """Return a page's view from the query of an address."""

    def number(name: bytes) -> int:
        found = words.get(name, [b""])[0]
        return int(found) if found.isdigit() and len(found) < 10 else 0

    node = number(b"node")
    analysing, ownership = (number(name) > 0 for name in (b"analyse", b"ownership"))
    return View(node if b"node" in words else None, analysing, ownership)


def read_question(word: str, fields: Fields) -> Callable[[Session], Answer | Asked]:
    """Return a page's question: a hint, the loss of a move, or the check of an attempt."""
    if word == "hint":
        hint = read_fields(HintRequest, fields)
        return lambda session: session.advice(hint.node)
    if word == "attempt":
        attempt = read_fields(AttemptRequest, fields)
        return lambda session: session.attempt(attempt.node, attempt.move)
    loss = read_fields(LossRequest, fields)
    return lambda session: session.loss(loss.node, loss.move)
