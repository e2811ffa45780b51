"""The site's public records of finished games, read as ours: for reviews and openings.

The site publishes all games of Linage as one list of objects of its format APGameRecord: a header,
and the words played, in rounds of two. Variants have the names that people see, `13x13 board`,
`Lines of 3 (default)`. A game that our rules cannot repeat, such as one with a pass that leaves the
button where it is, is a `BadGame`.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import attrs

from linage_bot.records.record import BadRecord, EarlyEnd, Record, same_result
from linage_bot.rules.game import PASS, Move, Player, Result
from linage_bot.servers.abstract_play.payloads import META_GAME, list_in, object_in, plies
from linage_bot.servers.abstract_play.position import (
    PASS_WORD,
    PLAY_SECOND,
    TAKE_BUTTON,
    BadGame,
    Phase,
    SitePosition,
    replay,
)
from linage_bot.settings.checks import SettingFault
from linage_bot.settings.reading import parse_json, read

_SHOWN: Final = (
    (re.compile(r"([0-9]{1,3})x\1 board"), "size"),
    (re.compile(r"Lines of ([0-9]{1,3})\b.*"), "line"),
)
_LETTERS: Final = {"resign": "R", "timeout": "T", "abandoned": "F"}  # SGF's, by the last word
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_FILE: Final = re.compile(r"[A-Za-z0-9_-]{1,100}")


@attrs.frozen
class Seated:
    """A player in the header of a record."""

    name: str
    result: float  # the higher, the better
    score: float | None = None


@attrs.frozen
class Archived:
    """A finished game on the site: its id there, and its record in our terms."""

    id: str
    record: Record


def read_archive(data: bytes | str) -> Iterator[Archived | BadGame]:
    """Yield each game of a list, or a `BadGame` with the reason; raise `SettingFault`."""
    for number, entry in enumerate(parse_json(data, list), 1):
        name = _id(entry) or str(number)
        try:
            yield _archived(name, object_in(entry))
        except (SettingFault, BadGame, BadRecord) as error:
            yield BadGame(f"game {name}: {error}")


def _archived(name: str, entry: dict[str, Any]) -> Archived:
    header = object_in(entry.get("header"))
    game = object_in(header.get("game"))
    if str(game.get("name")).lower() != META_GAME:
        raise BadGame(f"this bot does not play {str(game.get('name'))[:40]!r}")
    variants = filter(None, map(_variant, read(game.get("variants", []), tuple[str, ...])))
    words = [_word(each) for each in plies(entry) if each is not None]
    position, moves = _played(replay(variants, ()), words)
    players = [_seated(each) for each in list_in(header, "players")]
    if len(players) != 2:
        raise BadGame("Linage has two players")
    first, second = (players[position.seat_of(player) - 1] for player in Player)
    date = _DATE.match(str(header.get("date-end", "")))
    record = Record(
        position.position.game,
        moves,
        players=(first.name, second.name),
        result=_result(first, second, words[-1] if words else ""),
        date=date and date[0],
        event=f"Abstract Play {name}",
    )
    _check(record)
    return Archived(name, record)


def _seated(entry: Any) -> Seated:
    player = object_in(entry)
    return read({key: player.get(key) for key in ("name", "result", "score")}, Seated)


def _id(entry: Any) -> str | None:
    """Return the site's id of a game; None if it is missing or cannot name a file."""
    try:
        name = str(entry["header"]["site"]["gameid"])
    except (KeyError, TypeError):
        return None
    return name if _FILE.fullmatch(name) else None


def _variant(shown: str) -> str | None:
    """Return the configuration name of a variant; None for one that changes nothing."""
    for pattern, kind in _SHOWN:
        if found := pattern.fullmatch(shown):
            return f"{kind}-{found[1]}"
    return None if shown.startswith("Default ") else shown


def _word(ply: Any) -> str:
    """Return the word of a ply, which is text or an object with `move`; raise `SettingFault`."""
    word = ply.get("move") if isinstance(ply, dict) else ply
    if not isinstance(word, str):
        raise SettingFault("moves", "a move is not a text")
    return word.strip().lower()


def _played(site: SitePosition, words: Iterable[str]) -> tuple[SitePosition, tuple[Move, ...]]:
    """Return the final position and the moves of a game in our terms; raise `BadGame`."""
    moves = list[Move]()
    for word in words:
        before, site = site, site.after(word)
        if before.phase is Phase.KOMI or site.ended or word == PLAY_SECOND:
            continue
        moves.append(_move(before, site, word))
    return site, tuple(moves)


def _move(before: SitePosition, after: SitePosition, word: str) -> Move:
    """Return a turn as a move; the pass is the button until it is taken. Raise `BadGame`."""
    if word in (PASS_WORD, TAKE_BUTTON):
        if word == before.word(PASS):
            return PASS
    elif (point := after.point(word)) is not None:
        return point
    raise BadGame(f"ply {after.plies}: our rules have no such turn as {word[:40]!r}")


def _result(first: Seated, second: Seated, ending: str) -> str:
    """Return the result of a game in SGF's form."""
    if first.result == second.result:
        return "0"
    winner = Player.FIRST if first.result > second.result else Player.SECOND
    if ending in _LETTERS:
        return str(EarlyEnd(winner.other, _LETTERS[ending]))
    if first.score is None or second.score is None:
        return str(Result(winner))
    return str(Result(winner, abs(first.score - second.score)))


def _check(record: Record) -> None:
    """Raise `BadGame` if our rules give another result than the site, `BadRecord` for a move."""
    position = record.history().position
    ours, theirs = str(position.result()), record.result or ""
    if EarlyEnd.of(theirs) is None and not same_result(theirs, ours):
        raise BadGame(f"the site's result is {theirs}, but {ours} by our rules")


def openings_of(records: Iterable[Record], stones: int) -> dict[str, list[str]]:
    """Return openings for `linage-bot match`: for each board and line, lists of first moves.

    Games that began with fewer than `stones` stones, or passed or ended before, are left out; of
    openings that are alike by a symmetry the first one stays. The keys are valid file names.
    """
    found: dict[str, dict[tuple[Move, ...], str]] = {}
    for record in records:
        game, line = record.game, record.moves[:stones]
        if len(line) < stones or PASS in line or record.until(stones).history().position.over:
            continue
        board, options = game.board, game.settings()
        images = [
            tuple(each.image[point] for point in line)
            for each in board.symmetries()
            if not each.transposes  # rows stay rows: they belong to one player
        ]
        alike = found.setdefault(f"{game.id}-{board.size}-line-{options['line']}", {})
        alike.setdefault(min(images), " ".join(board.vertex(point).lower() for point in line))
    return {name: list(lines.values()) for name, lines in found.items()}
