"""Malformed lines of GTP, most of them almost right, for any session."""

from random import Random

from linage_bot.gtp import commands
from linage_bot.rules import GAMES
from linage_bot.rules.game import Game, Position
from linage_bot.rules.options import BadOption
from protocol.gtp.engine import BUILT_INS

_USAGES = [entry.usage.split() for _, entry in sorted((BUILT_INS | commands).items())]

_COLOURS = ("b", "w", "B", "white", "BLACK", "x")
_VERTICES = (
    *("A1", "a2", "B1", "B2", "C1", "c3", "D4", "E5", "pass", "PASS", "resign", "A5", "D2"),
    *("I5", "Z99", "A0", "A26", "a-1", "AA1", "1A", "tt", "\uff21\uff11", "\u212a1"),
)
_NUMBERS = (
    *("0", "1", "2", "3", "4", "5", "7", "-1", "+3", "0.5", "2.5", "6.5", "1e9", "-1e300"),
    *(
        "nan",
        "inf",
        "1e400",
        "1e-400",
        "9" * 17,
        "9" * 30,
        "1" + "0" * 5000,
        "1_0",
        "0x10",
        "\u0663",
    ),
)
_STRANGE = (
    *("", "é", "\U0001d11e", "\u202e", "\u2028", "\xa0", "\x1b[2J", "\x7f", "\0", "#", "\t", "\r"),
    *("x" * 5000, "[" * 5000, "{", "}", '"', "\\", "%s", "--help", "=", "?", "//", "a/b", "NULL"),
)
_EXAMPLES = tuple(
    line.split()
    for line in (
        "play b A1",
        "play w pass",
        "play b pass",
        "gg-undo 2",
        "gogui-play_sequence b C3 w B2 b pass",
        "gogui-play_sequence b A3 w A3",
        "gogui-play_sequence w C1 b B3 w C1",
        "gogui-setup b A1 w C2",
        "gogui-setup b B1 w B2 b B1",
        "set_position b A1 w B3 b C3",
        "gogui-setup_player w",
        "boardsize 4",
        "boardsize 99",
        "boardsize 3 5",
        "rectangular_boardsize 5 3",
        "komi 2.5",
        "genmove w",
        "kata-analyze b 10 minmoves 3 maxmoves 5 ownership true",
        "kata-genmove_analyze b 50 avoid b A1,B1 1",
        "kata-search_analyze w allow w C1 1",
        "lz-analyze interval 1",
        "cgos-genmove_analyze b",
        "cgos-gameover B+Resign",
        "cgos-opponent_rating 1800?",
        "time_settings 60 10 3",
        "time_settings 0 1 0",
        "time_left b 5.25 0",
        "time_left w 10 3",
        "kgs-time_settings canadian 60 10 5",
        "kgs-time_settings byoyomi 60 10 5",
        "kata-time_settings fischer-capped 60 5 90 -1",
        "kata-time_settings none",
        "kata-set-param maxVisits 3",
        "kata-set-param maxTime 0.01",
        "kata-set-param seed random",
        "kata-set-param maxNodes 40000",
        "kata-set-param level 2",
        "kata-set-param resignRate never",
        "kata-set-param liveGraphics owners",
        "linage-param threads 2",
        'kata-set-rules {"game": "leblin", "size": "4"}',
        'kata-set-rules {"line": 2, "komi": 1.5}',
        "linage-game gardar size=3 komi=2",
        "linage-game linage-two-color size=4x3 line=2 button=on",
        "pie_choose 2.5",
        "pie_choose A1",
        "linage-solve 0.1",
        "printsgf game.sgf",
        "loadsgf game.sgf",
        "loadsgf game.sgf 3",
        "loadsgf /dev/zero",
        "loadsgf /",
        "known_command play",
    )
)


def strange_game(rng: Random) -> Game:
    """Return a game of any kind on a small board, with any compatible options."""
    kind = GAMES[rng.choice(sorted(GAMES))]
    size = rng.choice(("3", "4", "5", "3x5", "2"))
    options = {
        name: rng.choice(
            option.choices
            or (("on", "off") if isinstance(option.default, bool) else ("2", "3", "4", "7"))
        )
        for name, option in kind.options().items()
        if rng.random() < 0.4
    }
    try:
        return kind.configure(size, None, options)
    except BadOption:
        return kind.configure("3")


def strange_line(rng: Random, position: Position) -> bytes:
    """Return a line without its newline; sometimes a legal move, so that games continue."""
    if rng.random() < 0.2 and not position.over:
        words = ["play", position.to_move.letter, position.name_of(rng.choice(position.moves()))]
    else:
        words = list(rng.choice(_EXAMPLES)) if rng.random() < 0.6 else _by_usage(rng)
    while rng.random() < 0.35:
        _spoil(rng, words)
    if rng.random() < 0.03:
        words.insert(0, rng.choice(_NUMBERS))
    line = " ".join(words).replace("\n", "").encode()
    if rng.random() < 0.02:
        at = rng.randrange(len(line) + 1)
        line = line[:at] + rng.choice((b"\xff", b"\xc3", b"\0", b"\xed\xa0\x80")) + line[at:]
    return line


def _by_usage(rng: Random) -> list[str]:
    """Return a command with random words of the kinds that its usage names."""
    name, *kinds = rng.choice(_USAGES)
    words = [name]
    for kind in kinds:
        if kind == "...]":
            words += [_word(rng) for _ in range(rng.randrange(5))]
        elif not kind.startswith("[") or rng.random() < 0.5:
            words.append(_word(rng, kind.strip("[]")))
    return words


def _word(rng: Random, kind: str = "") -> str:
    pools = {"COLOR": _COLOURS, "VERTEX": _VERTICES, "NAME": tuple(GAMES)}
    any_pool = (_COLOURS, _VERTICES, _NUMBERS, _NUMBERS, _STRANGE)
    return rng.choice(pools.get(kind) or rng.choice(any_pool))


def _spoil(rng: Random, words: list[str]) -> None:
    """Change one word of the line."""
    at = rng.randrange(len(words)) if words else 0
    change = rng.randrange(6)
    if change == 0 or not words:
        words.insert(at, _word(rng))
    elif change == 1:
        del words[at]
    elif change == 2:
        words[at] = words[at].swapcase()
    elif change == 3:
        cut = rng.randrange(len(words[at]) + 1)
        words[at] = words[at][:cut] + rng.choice(_STRANGE) + words[at][cut:]
    else:
        words[at] = _word(rng)
