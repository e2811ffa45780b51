"""Words that come in pairs: `b D4 w pass`."""

from linage_bot.gtp.engine import PLAYERS, GtpEngine
from linage_bot.rules.boards import Point
from linage_bot.rules.game import Move, Player
from protocol.arguments import Colour, parse_colour, parse_point, parse_vertex
from protocol.errors import CommandFailed


def moves(engine: GtpEngine, words: tuple[str, ...]) -> list[tuple[Colour, Move]]:
    """Colours and moves; raises `CommandFailed`."""
    return [(parse_colour(c), engine.move(parse_vertex(v))) for c, v in _pairs(words)]


def stones(engine: GtpEngine, words: tuple[str, ...]) -> tuple[tuple[Player, Point], ...]:
    """Players and points; raises `CommandFailed`."""
    return tuple((PLAYERS[parse_colour(c)], engine.point(parse_point(v))) for c, v in _pairs(words))


def _pairs(words: tuple[str, ...]) -> list[tuple[str, str]]:
    if len(words) % 2:
        raise CommandFailed("syntax error: expected pairs of COLOR VERTEX")
    return list(zip(words[::2], words[1::2], strict=True))
