"""The site's public records of finished games, read as ours: for reviews, and for openings.

The site publishes all games of Linage as one list of objects of its format APGameRecord: a header,
and the words played, in rounds of two. There variants go by the names that people see, `13x13
board`, `Lines of 3 (default)`. What our rules cannot repeat, such as a pass that leaves the button
where it is, is a `BadGame`.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import attrs

from linage_bot.records import BadRecord, Concession, Record, same_result
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
    """A finished game on the site: its id there, and all of it in our terms."""

    id: str
    record: Record


def read_archive(data: bytes | str) -> Iterator[Archived | BadGame]:
    """The games of a list of records, each or why it is none of ours; raises `SettingFault`."""
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
        raise BadGame(f"we do not play {str(game.get('name'))[:40]!r}")
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
    """What the site calls a game, if a file can be called so too."""
    try:
        name = str(entry["header"]["site"]["gameid"])
    except (KeyError, TypeError):
        return None
    return name if _FILE.fullmatch(name) else None


def _variant(shown: str) -> str | None:
    """A variant by the name that the site configures it by; None for one that changes nothing."""
    for pattern, kind in _SHOWN:
        if found := pattern.fullmatch(shown):
            return f"{kind}-{found[1]}"
    return None if shown.startswith("Default ") else shown


def _word(ply: Any) -> str:
    """What was played: a word, or an object that holds one."""
    word = ply.get("move") if isinstance(ply, dict) else ply
    if not isinstance(word, str):
        raise SettingFault("moves", "a move that is not text")
    return word.strip().lower()


def _played(site: SitePosition, words: Iterable[str]) -> tuple[SitePosition, tuple[Move, ...]]:
    """The end of a game, and its moves in our terms; raises `BadGame`."""
    moves = list[Move]()
    for word in words:
        before, site = site, site.after(word)
        if before.phase is Phase.KOMI or site.ended or word == PLAY_SECOND:
            continue
        moves.append(_move(before, site, word))
    return site, tuple(moves)


def _move(before: SitePosition, after: SitePosition, word: str) -> Move:
    """A turn on the site as a move; our pass is the button as long as it is there."""
    if word in (PASS_WORD, TAKE_BUTTON):
        if word == before.word(PASS):
            return PASS
    elif (point := after.point(word)) is not None:
        return point
    raise BadGame(f"ply {after.plies}: our rules have no such turn as {word[:40]!r}")


def _result(first: Seated, second: Seated, ending: str) -> str:
    """How a game ended, in SGF's form."""
    if first.result == second.result:
        return "0"
    winner = Player.FIRST if first.result > second.result else Player.SECOND
    if ending in _LETTERS:
        return str(Concession(winner.other, _LETTERS[ending]))
    if first.score is None or second.score is None:
        return str(Result(winner))
    return str(Result(winner, abs(first.score - second.score)))


def _check(record: Record) -> None:
    """Raises `BadGame` if the rules see another result than the site, `BadRecord` for a move."""
    position = record.history().position
    ours, theirs = str(position.result()), record.result or ""
    if Concession.of(theirs) is None and not same_result(theirs, ours):
        raise BadGame(f"the result is {theirs} there, {ours} by our rules")


def openings_of(records: Iterable[Record], stones: int) -> dict[str, list[str]]:
    """How games began, for `linage-bot match`: for each board and line, lists of first moves.

    Games that began with fewer stones than these, or passed before, are left out; of openings that
    are alike by a symmetry the first one stays. The keys are fit to be names of files.
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
