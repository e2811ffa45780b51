"""The commands of the administrator: `who`, `games`, `match`, `abort`, `quit`."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from linage_bot.servers.cgos_server.game import match_line
from linage_bot.servers.cgos_server.lobby import Lobby, PlayerStatus
from linage_bot.servers.cgos_server.settings import LONGEST_CLOCK_SECONDS
from linage_bot.servers.cgos_server.store import MoveRow
from linage_bot.servers.cgos_server.viewers import SHOWN_GAMES

_LONGEST_COMMAND: Final = 200
"""The limit in characters; responses repeat the command's words and must fit into a line."""


class BadCommand(Exception):
    """An invalid command; the text gives the reason."""


def run_command(lobby: Lobby, line: str) -> list[str]:
    """Run a command and return the lines of its response; never empty."""
    if len(line) > _LONGEST_COMMAND:
        return [f"a command has at most {_LONGEST_COMMAND} characters"]
    name, *words = line.split() or [""]
    command = _COMMANDS.get(name)
    if command is None:
        return [f"unknown command; there are {', '.join(_COMMANDS)}, quit"]
    try:
        return list(command(lobby, words)) or ["none"]
    except BadCommand as fault:
        return [str(fault)]


def _list_players(lobby: Lobby, _words: Sequence[str]) -> Iterator[str]:
    """Yield a line for each online player: name, state, game or 0, rating, games."""
    for name, player in sorted(lobby.players.items()):
        live = lobby.game_of.get(name)
        number = 0 if live is None else live.row.number
        word, games = lobby.ratings.word(name), lobby.pairing_history.totals[name].games
        yield f"{name} {player.state.value} {number} {word} {games}"


def _games(lobby: Lobby, _words: Sequence[str]) -> Iterator[str]:
    """Yield a line for each recent or live game; if live, with clocks, White's first, and moves."""
    for row in reversed(lobby.store.last_games(SHOWN_GAMES)):
        head, _, result = match_line(lobby.game, row).line.rpartition(" ")
        yield f"{head} - - - {result}"
    for live in lobby.live_games.values():
        head, _, result = match_line(lobby.game, live.row).line.rpartition(" ")
        black, white = live.clocks(lobby.environment.now())
        yield f"{head} {white} {black} {len(live.moves)} {result}"


def _start_match(lobby: Lobby, words: Sequence[str]) -> Iterator[str]:
    """Begin a game, optionally with other clocks and from a position of another game."""
    if not 2 <= len(words) <= 6:
        raise BadCommand("match WHITE BLACK [WHITE_SECONDS BLACK_SECONDS [GAME [MOVES]]]")
    white, black = words[:2]
    if white == black:
        raise BadCommand(f"{white} cannot play itself")
    for name in (white, black):
        player = lobby.players.get(name)
        if player is None:
            raise BadCommand(f"{name} is not connected")
        if player.state is not PlayerStatus.WAITING:
            raise BadCommand(f"{name} is not waiting: {player.state.value}")
    clocks = None
    if len(words) > 2:
        seconds = [_number(word, LONGEST_CLOCK_SECONDS) for word in words[2:4]]
        clocks = (1000 * seconds[-1], 1000 * seconds[0])
    row = lobby.begin(black, white, clocks, _position(lobby, words[4:])).row
    yield f"match {row.number} {white}({row.second_rating}) {black}({row.first_rating})"


def _position(lobby: Lobby, words: Sequence[str]) -> Sequence[MoveRow]:
    """Return the first moves of another game, as many as the command requests."""
    if not words:
        return ()
    number = _number(words[0])
    row = lobby.store.game(number)
    if row is None:
        raise BadCommand(f"there is no game {number}")
    moves = lobby.store.moves(number)
    # The last move of a finished game may have ended it.
    most = max(0, len(moves) - (row.result is not None))
    length = _number(words[1], max(1, most)) if len(words) > 1 else most
    return moves[: min(length, most)]


def _abort(lobby: Lobby, words: Sequence[str]) -> Iterator[str]:
    """End a live game, which then does not count."""
    if not 1 <= len(words) <= 2:
        raise BadCommand("abort GAME [RESULT]")
    live = lobby.live_games.get(_number(words[0]))
    if live is None:
        raise BadCommand("there is no such live game")
    lobby.abort(live, words[1] if len(words) > 1 else "Abort")
    yield f"aborted {live.row.number} {live.row.second} {live.row.first}"


def _number(word: str, most: int = 1 << 62) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 20 and 1 <= int(word) <= most):
        raise BadCommand(f"{word} is not a number from 1 to {most}")
    return int(word)


_COMMANDS: Final[dict[str, Callable[[Lobby, Sequence[str]], Iterator[str]]]] = {
    "who": _list_players,
    "games": _games,
    "match": _start_match,
    "abort": _abort,
}
