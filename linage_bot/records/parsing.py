"""SGF files to trees of properties, with limits on their cost."""

import re
from collections.abc import Iterator
from typing import Final

import attrs

from linage_bot.records.decoding import Warn, to_utf8
from linage_bot.records.grammar import sgf_grammar
from linage_bot.records.record import BadRecord

LONGEST_SGF: Final = 4 << 20  # bytes: a long game with a page of analysis on every move
_MOST_PARTS: Final = 500_000  # that become objects: thousands of variations

_START: Final = re.compile(rb"\(\s*;(?=\s*(?:[;()\[]|[A-Za-z]+\s*\[|\Z))")  # not `(;-)` in a letter
_PART: Final = re.compile(
    rb"\[[^\\\]]*(?:\\.[^\\\]]*)*(?:\]|(?P<open>\\?\Z))|[;()]|[A-Za-z]{1,64}", re.DOTALL
)
_NODE: Final = re.compile(rb";\s*[A-Za-z]+\s*\[")
_OPENS, _CLOSES = b"()"
_PADDING: Final = b" \t\r\n\0\x1a"  # DOS files end with the last of them
_SHOWN: Final = 20  # letters of an unreadable part


@attrs.frozen
class _Game:
    """The bytes of one game in a file, and their place there."""

    sgf: bytes
    start: int
    end: int
    missing: int  # brackets at the end
    unclosed: bool  # the last value


def games_in(source: bytes | str, warn: Warn) -> list[str]:
    """Return the SGF of each game in a file, as decoded text.

    Raises `BadRecord` for a file that is too long or not SGF.
    """
    return [game.sgf.decode("utf-8", "replace") for game in _games(_utf8(source, warn), warn)]


def parse(source: bytes | str, warn: Warn) -> sgf_grammar.Coarse_game_tree:
    """Return the first game in a file; warn if it is not alone or lacks its last bracket.

    Raises `BadRecord` for a file that is too long or not SGF.
    """
    first, *others = _games(_utf8(source, warn), warn)
    if others:
        warn(f"SGF: {1 + len(others)} games; only the first is read")
    if first.unclosed:
        raise BadRecord("SGF", "the file ends within a value: no ] closes it")
    if first.missing:
        warn("SGF: the last ) is missing; the game is read to the end of the file")
    sgf = first.sgf + b")" * first.missing
    try:
        return sgf_grammar.parse_sgf_game(sgf)
    except ValueError as error:
        reason = str(error)
    _, end = sgf_grammar.tokenise(sgf)
    if end < len(sgf):  # where the tokens ended, if that was not the end
        rest = sgf[end:].decode("utf-8", "replace").split()
        reason = f"{' '.join(rest)[:_SHOWN]!r} is not part of a game"
    raise BadRecord("SGF", reason)


def _utf8(source: bytes | str, warn: Warn) -> bytes:
    # Text from JSON can hold half a letter.
    data = source.encode("utf-8", "replace") if isinstance(source, str) else source
    if len(data) > LONGEST_SGF:
        raise BadRecord("SGF", f"longer than {LONGEST_SGF >> 20} MiB")
    return data if isinstance(source, str) else to_utf8(data, warn)


def _games(data: bytes, warn: Warn) -> list[_Game]:
    """Find the games of a file, at least one; warn of moves outside of them.

    Raises `BadRecord` if there is no game.
    """
    games = list(_find_games(data))
    if not games:
        raise BadRecord("SGF", "no SGF data found")
    starts = [*(game.start for game in games[1:]), len(data)]
    if any(_NODE.search(data, game.end, start) for game, start in zip(games, starts, strict=True)):
        warn("SGF: a ) closes the game too early; the moves after it are not read")
    return games


def _find_games(data: bytes) -> Iterator[_Game]:
    """Yield each game of a file in order.

    Raises `BadRecord` once there are more values, names and delimiters than a parser should find.
    """
    parts, end = 0, 0
    while (start := _START.search(data, end)) is not None:
        depth, unclosed = 0, False
        for part in _PART.finditer(data, start.start()):
            parts += 1
            if parts > _MOST_PARTS:
                raise BadRecord("SGF", f"more than {_MOST_PARTS} nodes, properties and values")
            sign = data[part.start()]
            depth += (sign == _OPENS) - (sign == _CLOSES)
            end, unclosed = part.end(), part["open"] is not None
            if not depth:
                break
        if depth:
            end = len(data)
        sgf = data[start.start() : end].rstrip(_PADDING)
        yield _Game(sgf, start.start(), end, depth, unclosed)
