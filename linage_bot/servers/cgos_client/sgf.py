"""A game on CGOS as SGF: a game of ours as `records` writes it, any other as Go."""

import re
from pathlib import Path

from sgfmill.common import move_from_vertex

from linage_bot.records.grammar import sgf as sgfmill_sgf
from linage_bot.records.record import Record
from linage_bot.records.writing import to_sgf
from linage_bot.rules import GAMES
from linage_bot.rules.boards import BadSize, NoSuchPoint
from linage_bot.rules.options import BadOption
from linage_bot.servers.cgos_client.live import LiveGame
from linage_bot.settings.files import write_whole
from protocol.cgos.words import sgf_result


def as_sgf(game: LiveGame, event: str, date: str, result: str) -> str:
    """Return a game so far as SGF; one that is none of ours, or invalid as one, is written as Go.

    An empty `result`, CGOS's word for it, means that its end was not seen.
    """
    try:
        return to_sgf(_record(game, event, date, result))
    except (KeyError, BadSize, BadOption, NoSuchPoint):
        return _as_go(game, event, date, result)


def _record(played: LiveGame, event: str, date: str, result: str) -> Record:
    setup, kind = played.setup, GAMES[played.rules.game]
    size = kind.board_kind.of_array(setup.size, setup.size).size
    game = kind.configure(size, None, dict(played.rules.options)).with_komi(setup.komi)
    return Record(
        game=game,
        moves=tuple(game.move(each.move) for each in played.moves),
        players=(setup.black.name, setup.white.name),
        result=sgf_result(result) or None,
        date=date,
        event=event,
        round=str(setup.number),
        comments=played.comments,
    )


def _as_go(played: LiveGame, event: str, date: str, result: str) -> str:
    """Return a game as SGF of Go; a move that is no point of the board ends the record."""
    setup = played.setup
    game = sgfmill_sgf.Sgf_game(min(setup.size, 26))
    root = game.get_root()
    facts = {
        "KM": setup.komi,
        "PB": setup.black.name,
        "PW": setup.white.name,
        "BR": setup.black.rating,
        "WR": setup.white.rating,
        "DT": date,
        "EV": event,
        "RO": str(setup.number),
        "RU": played.rules.game,
        "RE": sgf_result(result),
    }
    for name, fact in facts.items():
        if fact != "":
            root.set(name, fact)
    for number, each in enumerate(played.moves):
        try:
            point = move_from_vertex(each.move, setup.size)
        except ValueError:
            break
        node = game.extend_main_sequence()
        node.set_move("w" if number % 2 else "b", point)
        if comment := played.comments.get(number + 1):
            node.add_comment_text(comment)
    data: bytes = game.serialise()
    return data.decode("utf-8")


def _safe_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.@-]", "_", name)


def write(
    folder: Path, participant: str, game: LiveGame, event: str, date: str, result: str
) -> Path:
    """Write the game into the participant's own subfolder, made if need be; raise `OSError`.

    Each participant has a subfolder because two of them may play the same game. Return the path.
    """
    setup = game.setup
    name = _safe_name(f"{date}-{setup.number}-{setup.black.name}-{setup.white.name}.sgf")
    path = folder / _safe_name(participant) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, as_sgf(game, event, date, result).encode())
    return path
