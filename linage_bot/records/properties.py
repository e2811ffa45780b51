"""The meaning of SGF's properties, one by one."""

import re
from collections.abc import Mapping

import attrs

from linage_bot.records.grammar import sgf_grammar, sgf_properties
from linage_bot.records.record import BadRecord
from linage_bot.records.writing import LETTERS
from linage_bot.rules import GAMES
from linage_bot.rules.boards import BadSize, Board, Point, Points
from linage_bot.rules.game import LARGEST_KOMI, PASS, Game, Move, Player
from linage_bot.rules.options import BadOption
from protocol.session.text import plain_number

Properties = Mapping[str, list[bytes]]  # of a node: names and values, still escaped

_GIVEN = re.compile(r"([0-9]{1,4}) given moves?")


def read_game(root: Properties, default_game: Game | None) -> Game:
    """Return the game that `RU`, `SZ` and `KM` describe, or `default_game` in their size and komi.

    Raises `BadRecord`.
    """
    rules, size, komi = text_of(root, "RU"), _read_size(root), _read_komi(root)
    name, _, options = rules.partition(":")
    kind = GAMES.get(name.strip().lower())
    try:
        if kind is not None:
            board = kind.board_kind.of_array(*size)
            return kind.configure(board.size, komi, _read_options(rules, options, board))
        _check_foreign(root, rules)
        if default_game is None:
            raise BadRecord(_shown("RU", rules), f"names none of our games ({', '.join(GAMES)})")
        game = attrs.evolve(default_game, board=default_game.board_kind.of_array(*size))
        return game if komi is None else game.with_komi(komi)
    except BadSize as error:
        raise BadRecord(_shown("SZ", text_of(root, "SZ") or "19"), str(error)) from None
    except BadOption as error:
        if error.name == "komi" and komi is not None:
            raise BadRecord(_shown("KM", text_of(root, "KM")), error.reason) from None
        raise BadRecord(_shown("RU", rules), str(error)) from None


def _check_foreign(root: Properties, rules: str) -> None:
    """Raise `BadRecord` unless another program's Go file can be read as one of our games."""
    if "=" in rules.partition(":")[2] or text_of(root, "AP").startswith("linage-bot"):
        raise BadRecord(_shown("RU", rules), f"unknown game; the games are {', '.join(GAMES)}")
    if (number := text_of(root, "GM").strip()) not in ("", "1"):
        raise BadRecord(_shown("GM", number), "is neither Go nor one of our games")


def _read_options(rules: str, options: str, board: Board) -> dict[str, str]:
    """Return the options as text; a size among them only has to agree with `SZ`."""
    settings: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in options.split(";"))):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals or name in settings:
            shown = _one_line(repr(part))
            raise BadRecord(_shown("RU", rules), f"{shown} is not a new option NAME=VALUE")
        settings[name] = value
    for name in ("side", "size"):
        if settings.pop(name, board.size) != board.size:
            raise BadRecord(_shown("RU", rules), f"SZ describes a board of {name} {board.size}")
    return settings


def _read_size(root: Properties) -> tuple[int, int]:
    """Return the columns and rows of `SZ`; 19 if it is missing, as in FF[4]."""
    text = text_of(root, "SZ") or "19"
    match = re.fullmatch(r"\s*([0-9]{1,3})\s*(?::\s*([0-9]{1,3})\s*)?", text)
    if match is None:
        raise BadRecord(_shown("SZ", text), "not a board size such as 13 or 9:7")
    return int(match[1]), int(match[2] or match[1])


def _read_komi(root: Properties) -> float | None:
    """Return the number in `KM`, or None if it is missing or empty."""
    text = text_of(root, "KM").strip()
    if not text:
        return None
    try:
        komi: float = sgf_properties.interpret_real(plain_number(text))
    except ValueError:
        komi = LARGEST_KOMI + 1
    if abs(komi) > LARGEST_KOMI:
        raise BadRecord(_shown("KM", text), "not a number of points")
    return komi


def read_given(root: Properties) -> int:
    """Return the number of given first moves if `ON` is in our format, else 0."""
    match = _GIVEN.fullmatch(text_of(root, "ON").strip())
    return int(match[1]) if match else 0


def read_player(text: str) -> Player:
    """Return the player that `PL` names; raises `BadRecord`."""
    for player in Player:
        if text.strip().lower() in (player.letter, player.colour):
            return player
    raise BadRecord(_shown("PL", text), "neither B nor W")


def players_of(node: Properties) -> list[Player]:
    """Return the players with a move in a node."""
    return [player for player in Player for _ in node.get(player.letter.upper(), ())]


def read_move(where: str, raw: bytes, board: Board) -> Move:
    """Return a point or a pass; `tt` is FF[3]'s pass where it cannot be a point."""
    if not raw or (raw == b"tt" and max(board.columns, board.rows) <= 19):
        return PASS
    return _read_point(where, raw, board)


def _read_point(where: str, raw: bytes, board: Board) -> Point:
    if len(raw) == 2 and raw.isalpha() and raw.islower():
        point = board.at(raw[0] - LETTERS[0], board.rows - 1 - (raw[1] - LETTERS[0]))
        if point is not None:
            return point
    shown = _one_line(raw.decode("utf-8", "replace"))
    raise BadRecord(where, f"[{shown}] is not a point of the {board.shape} board")


def read_points(name: str, raw: bytes, board: Board) -> Points:
    """Return one point, or the points of a rectangle with the corners `aa:cc`."""
    first, colon, last = raw.strip().partition(b":")
    start = _read_point(name, first, board)
    if not colon:
        return 1 << start
    top, left = divmod(start, board.columns)
    bottom, right = divmod(_read_point(name, last, board), board.columns)
    row = sum(1 << column for column in range(left, right + 1))
    return sum(row << board.columns * each for each in range(bottom, top + 1))


def comment_of(node: Properties) -> str:
    """Return the comments of a node as one; some programs write several."""
    texts: list[bytes] = [sgf_grammar.text_value(raw) for raw in node.get("C", ())]
    return b"\n".join(texts).decode("utf-8", "replace")


def text_of(node: Properties, name: str) -> str:
    """Return a one-line property, empty if it is missing; of several values the first."""
    text: bytes = sgf_grammar.simpletext_value(node.get(name, [b""])[0])
    return text.decode("utf-8", "replace")


def _shown(name: str, text: str) -> str:
    """Return a property in the form that errors use."""
    return f"{name}[{_one_line(text)}]" if text else name


def _one_line(text: str) -> str:
    """Return the text on one short line."""
    text = "".join(letter if letter.isprintable() else " " for letter in text)
    return text if len(text) <= 60 else f"{text[:57]}..."
