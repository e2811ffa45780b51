"""Commands that play, take back and choose moves."""

import threading

from linage_bot.engine.command_job import CommandJob
from linage_bot.engine.limits import Limits
from linage_bot.gtp.engine import PLAYERS, GtpEngine, commands
from protocol.session.arguments import Colour
from protocol.session.errors import CommandFailed

CANCELLED = "cancelled"  # instead of a move


@commands.register
def play(engine: GtpEngine, color: Colour, vertex: str) -> None:
    """Play a move: a vertex or `pass`; colours alternate, black begins.

    Fails with `illegal move` and the rule that forbids it, or `invalid color or coordinate`.
    When the game is over a pass is accepted from either colour.
    """
    engine.play(PLAYERS[color], engine.move(vertex))


@commands.named("gogui-play_sequence")
def gogui_play_sequence(engine: GtpEngine, *moves: str) -> None:
    """Play pairs of COLOR VERTEX; if one is illegal, play none of them."""
    engine.play_all(engine.pairs(moves))


@commands.register
def undo(engine: GtpEngine) -> None:
    """Take back the last move; fails with `cannot undo`."""
    engine.undo(1)


@commands.named("gg-undo")
def gg_undo(engine: GtpEngine, moves: int = 1) -> None:
    """Take back MOVES moves; if there are fewer, take back none."""
    if moves < 0:
        raise CommandFailed("syntax error: a number of moves cannot be negative")
    engine.undo(moves)


@commands.register
def genmove(engine: GtpEngine, color: Colour) -> CommandJob:
    """Choose a move, play it and return it: a vertex, `pass` or `resign`.

    The search ends at the limit on visits, seconds or the clock, or when `stop`, `# interrupt` or
    `quit` arrives; solved boards need no search. When the game is over the answer is `pass`.
    """
    return _search(engine, color, plays=True)


@commands.register
def reg_genmove(engine: GtpEngine, color: Colour) -> CommandJob:
    """Choose a move and return it without playing it; never resigns."""
    return _search(engine, color, may_resign=False)


@commands.named("kata-search")
def kata_search(engine: GtpEngine, color: Colour | None = None) -> CommandJob:
    """Choose a move or `resign` as `genmove` does, and return it without playing it.

    COLOR is by default the side to move. The clocks do not run: set them with `time_left`.
    """
    return _search(engine, color)


@commands.named("kata-search_cancellable")
def kata_search_cancellable(engine: GtpEngine, color: Colour | None = None) -> CommandJob:
    """Search as `kata-search` does; any new line ends it, and the answer is then `cancelled`."""
    return _search(engine, color, cancellable=True)


def _search(
    engine: GtpEngine,
    color: Colour | None,
    *,
    plays: bool = False,
    may_resign: bool = True,
    cancellable: bool = False,
) -> CommandJob:
    if color is not None:
        engine.check_turn(PLAYERS[color])

    def run(job: CommandJob) -> str:
        if plays:
            return engine.name_of(engine.choose_and_play(job.stopped))
        decision = engine.choose(job.stopped, may_resign=may_resign)
        return CANCELLED if cancellable and job.stopped.is_set() else engine.name_of(decision)

    return CommandJob(run, stopped_by_any_line=cancellable, ends_by_itself=engine.bounded_by_visits)


@commands.named("gomill-explain_last_move")
def gomill_explain_last_move(engine: GtpEngine) -> CommandJob | str:
    """Explain in one line why the last move on the board was chosen; empty if no search chose it.

    The engine keeps the reason for each move that a command chose, as long as the move is on the
    board. After `resign` it explains the resignation. A move of a weak level is analysed at full
    strength for this command, for at most a second if there is no limit on visits.
    """
    if engine.explained:
        return engine.explanation(threading.Event())

    def run(job: CommandJob) -> str:
        return engine.explanation(job.stopped)

    return CommandJob(run, ends_by_itself=engine.examining_bounded_by_visits)


@commands.named("gomill-describe_engine")
def gomill_describe_engine(engine: GtpEngine) -> str:
    """Describe the engine and the game it plays, in a few lines."""
    game, settings = engine.game, engine.player.settings
    options = [f"{name} {value}" for name, value in game.settings().items()]
    limits = Limits.of(settings)
    player = ["linage-bot", f"{settings.threads} thread(s)"]
    if limits.visits is not None:
        player.append(f"{limits.visits} visits a move")
    if limits.seconds is not None:
        player.append(f"{limits.seconds:g} s a move")
    rules = [f"{game.name} {game.board}", f"komi {game.komi:g}", *options]
    return ", ".join(player) + "\n" + ", ".join(rules)
