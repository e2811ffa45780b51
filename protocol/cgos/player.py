"""The messages from a player to a CGOS server, for both sides, without I/O.

These lines have no names of their own; their meaning depends on the server's question.  So the
server calls `parse_hello`, `why_no_name`, `parse_credentials` or `parse_answer` according to the
state of the conversation.  The parsers raise `RemoteProtocolError`.
"""

import re
from typing import Final

import attrs

from protocol.cgos.words import ANALYZE, Message, Text, Word
from protocol.session.errors import RemoteProtocolError

_NAME: Final = re.compile(r"[A-Za-z_.-][A-Za-z0-9_.-]{2,17}")
MIN_PASSWORD: Final = 3
MAX_PASSWORD: Final = 64
_PLAYER, _VIEWER = "e1", "v1"


@attrs.frozen
class Hello(Message):
    """The answer to `protocol`: the client's name, and whether it is a player or a viewer."""

    client: str
    analyze: bool = False
    viewer: bool = False

    @property
    def line(self) -> str:
        kind = _VIEWER if self.viewer else _PLAYER
        return " ".join([kind, *self.client.split(), *([ANALYZE] if self.analyze else [])])


@attrs.frozen
class Credentials(Message):
    """The answer to `password`: the password, and a new one to replace it, or an empty string."""

    password: Word = attrs.field(repr=False)
    new_password: Text = attrs.field(default="", repr=False)


@attrs.frozen
class MoveAnswer(Message):
    """The answer to `genmove`: a vertex, `pass` or `resign`, and optional JSON on one line."""

    move: Word
    analysis: Text = ""


@attrs.frozen
class Ready(Message):
    """The answer to `gameover`: the player is ready for another game."""

    head = "ready"


def parse_hello(line: str) -> Hello:
    """Read the first line of a player or viewer."""
    kind, *words = line.split() or [""]
    if kind not in (_PLAYER, _VIEWER):
        raise RemoteProtocolError("neither e1 nor v1", line[:80])
    client = " ".join(each for each in words if each != ANALYZE)
    return Hello(client, ANALYZE in words, kind == _VIEWER)


def why_no_name(text: str) -> str | None:
    """Return why a text cannot be a player's name; None if it can."""
    if _NAME.fullmatch(text):
        return None
    if text[:1].isdigit():
        return "a name does not begin with a digit"
    return "a name has 3 to 18 characters, of A-Z a-z 0-9 _ . -"


def parse_credentials(line: str) -> Credentials:
    """Read `PASSWORD` or `OLD NEW`; the error does not repeat the line."""
    words = line.split()
    if not 1 <= len(words) <= 2:
        raise RemoteProtocolError(
            "a password is one word; to change it, send the old and the new one"
        )
    if not all(MIN_PASSWORD <= len(each) <= MAX_PASSWORD for each in words):
        raise RemoteProtocolError(f"a password has {MIN_PASSWORD} to {MAX_PASSWORD} characters")
    return Credentials(*words)


def parse_answer(line: str) -> MoveAnswer:
    """Read a move and an optional analysis without checking either."""
    words = line.split(maxsplit=1)
    if not words:
        raise RemoteProtocolError("not a move", line[:80])
    return MoveAnswer(*words)
