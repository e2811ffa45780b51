"""Commands that give a GUI the rules, and that choose the game and its options."""

import json

import attrs

from linage_bot.gtp.engine import GtpEngine, commands
from linage_bot.gtp.graphics import board_of, owners_gfx
from linage_bot.rules import GAMES
from linage_bot.rules.boards import HexBoard, Point
from linage_bot.rules.options import BadOption, format_option
from protocol.session.arguments import shown
from protocol.session.errors import CommandFailed


@commands.named("gogui-rules_game_id")
def gogui_rules_game_id(engine: GtpEngine) -> str:
    """Return GoGui's name of the game: one capitalised word, such as `Twocolorlinage`."""
    return "".join(filter(str.isalpha, engine.game.name)).capitalize()


@commands.named("gogui-rules_board_size")
def gogui_rules_board_size(engine: GtpEngine) -> str:
    """Return the board's size: `15`, `9 7` or, for a hexagon of side 9, `17 hex`."""
    board = engine.board
    return f"{board.columns} hex" if isinstance(board, HexBoard) else board.size.replace("x", " ")


@commands.named("gogui-rules_board")
def gogui_rules_board(engine: GtpEngine) -> str:
    """Show the stones from the top row: `.` empty, `X` black, `O` white, `?` no such point.

    In games where all stones are alike every stone is an `X`.
    """
    position, board = engine.position, engine.board

    def sign(cell: Point) -> str:
        if not board.points >> cell & 1:
            return "?"
        if not position.stones >> cell & 1:
            return "."
        return "O" if position.second >> cell & 1 and not engine.game.one_colour else "X"

    return board_of(board, sign)


@commands.named("gogui-rules_board_gfx")
@commands.named("linage-owners")
def linage_owners(engine: GtpEngine) -> str:
    """Colour the points that the players own, as GoGui graphics."""
    return owners_gfx(engine.position)


@commands.named("gogui-rules_legal_moves")
def gogui_rules_legal_moves(engine: GtpEngine) -> str:
    """List the legal moves of the side to move; an empty answer means that the game is over."""
    return " ".join(map(engine.position.name_of, engine.legal_moves()))


@commands.named("gogui-rules_side_to_move")
def gogui_rules_side_to_move(engine: GtpEngine) -> str:
    """Return the side to move: `black` or `white`."""
    return engine.position.to_move.colour


@commands.named("gogui-rules_final_result")
def gogui_rules_final_result(engine: GtpEngine) -> str:
    """Return the result in words."""
    game, result = engine.game, engine.position.result()
    if result.winner is None:
        return "Draw" if engine.position.over else "Undecided"
    winner = f"{game.players[result.winner]} ({result.winner.colour})"
    if result.margin is None:
        return f"{winner} wins"
    # GoGui sends its komi to the engine that plays, not to the one that reports the result.
    return f"{winner} wins by {result.margin:g} (komi {game.komi:g})"


@commands.named("linage-game")
def linage_game(engine: GtpEngine, game: str, *options: str) -> None:
    """Begin another game, with options as NAME=VALUE: `linage-game leblin size=7`.

    `size` and `komi` are options here too. Options that are not named take their defaults, but the
    size stays if the new game allows it. Only on an empty board, else `board not empty`.
    """
    values = {}
    for word in options:
        name, separator, value = word.partition("=")
        if not separator:
            raise CommandFailed(f"syntax error: expected NAME=VALUE, not {shown(word)}")
        values[name] = value
    _begin(engine, game, values)


@commands.named("kata-get-rules")
def kata_get_rules(engine: GtpEngine) -> str:
    """Return the game, its size, komi and options as one line of JSON."""
    game = engine.game
    own = {name: getattr(game, name) for name in game.options()}
    return json.dumps({"game": game.id, "size": game.board.size, "komi": game.komi, **own})


@commands.named("kata-set-rules")
def kata_set_rules(engine: GtpEngine, *rules: str) -> None:
    """Set the game and its options from JSON as in `kata-get-rules`; `{}` changes nothing.

    Only on an empty board, else `board not empty`.
    """
    try:
        wanted = json.loads(" ".join(rules))
    except (ValueError, RecursionError):
        raise CommandFailed("syntax error: not JSON") from None
    if not isinstance(wanted, dict):
        raise CommandFailed("syntax error: expected a JSON object")
    game = wanted.pop("game", engine.game.id)
    kept: dict[str, str] = {}
    if game == engine.game.id:
        kept = {**engine.game.settings(), "komi": f"{engine.game.komi:g}"}
    for name, value in wanted.items():
        if not isinstance(value, str | int | float | bool):
            raise CommandFailed(f"syntax error: {name[:60]}: not a word, number or truth value")
        kept[name] = f"{value:.15g}" if isinstance(value, float) else format_option(value)
    _begin(engine, str(game), kept)


def _begin(engine: GtpEngine, name: str, options: dict[str, str]) -> None:
    """Begin a game with these options, including size and komi; keep the old size if it fits."""
    engine.check_empty("the game can be changed only before the first move")
    if name not in GAMES:
        reason = f"there is no game {shown(name)}; the games are {', '.join(GAMES)}"
        raise CommandFailed(f"syntax error: {reason}")
    kind, size, komi = GAMES[name], options.pop("size", None), options.pop("komi", None)
    try:
        game = kind.configure(size, None if komi is None else float(komi), options)
        if size is None and kind.board_kind is engine.game.board_kind:
            game = attrs.evolve(game, board=engine.board)
    except BadOption as error:
        raise CommandFailed(f"syntax error: {error!s:.200}") from None
    except ValueError:
        raise CommandFailed(f"syntax error: komi: not a number: {komi!r:.60}") from None
    engine.new_game(game)
