"""GoGui's Analyze menu: its entries, and the commands that only GoGui draws."""

from collections.abc import Callable

from linage_bot.engine.analysis import Analysis, Candidate
from linage_bot.engine.command_job import CommandJob
from linage_bot.engine.solver.methods import values_regions
from linage_bot.gtp.engine import GtpEngine, commands
from linage_bot.gtp.graphics import graphic, together, value_board, variation
from protocol.session.arguments import Colour

_MENU = {  # the type of display in GoGui and the label, by command
    "linage-owners": "gfx/Region Owners",
    "linage-legal": "gfx/Legal Moves",
    "linage-win_rates": "sboard/Win Rate",
    "linage-visits": "sboard/Visits",
    "linage-region_values": "sboard/Region Values",
    "linage-temperatures": "sboard/Temperatures",
    "linage-pv %c": "var/Principal Variation",
    "gomill-explain_last_move": "string/Explain Last Move",
    "final_score": "string/Score",
    "gogui-rules_final_result": "string/Result",
    "gomill-describe_engine": "hstring/Game and Engine",
    "linage-param": "param/Parameters",
}

# Commands that fail in some games, with a test for the games that support them.
_NOT_EVERYWHERE: dict[str, Callable[[GtpEngine], bool]] = {
    "linage-region_values": lambda engine: values_regions(engine.game),
    "linage-temperatures": lambda engine: values_regions(engine.game),
    "final_score": lambda engine: engine.game.counts_points,
    "gogui-rules_final_result": lambda engine: not engine.game.counts_points,
}


@commands.named("gogui-analyze_commands")
def gogui_analyze_commands(engine: GtpEngine) -> str:
    """List the entries of GoGui's Analyze menu that the game has: `type/label/command`, one a line.

    GoGui sends this once, when it attaches the engine.
    """
    return "\n".join(
        f"{shown}/{command}"
        for command, shown in _MENU.items()
        if command not in _NOT_EVERYWHERE or _NOT_EVERYWHERE[command](engine)
    )


@commands.named("gogui-title")
def gogui_title(engine: GtpEngine) -> str:
    """Return GoGui's window title: game, board, komi, and options that are not the default."""
    game = engine.game
    komi = () if game.komi_step is None else (f"komi {game.komi:g}",)
    defaults = {name: option.default for name, option in game.options().items()}
    special = [
        f"{name} {value}"
        for name, value in game.settings().items()
        if getattr(game, name) != defaults[name]
    ]
    return ", ".join((f"{game.name} {game.board}", *komi, *special))


@commands.named("linage-legal")
def linage_legal(engine: GtpEngine) -> str:
    """Mark the points where the side to move may place, as GoGui graphics."""
    points = engine.board.vertices(engine.position.placements())
    return together((graphic("CIRCLE", points), f"TEXT {len(points)} points"))


@commands.named("linage-win_rates")
def linage_win_rates(engine: GtpEngine) -> CommandJob:
    """Show for each point the win rate of a move there in percent; search first if necessary."""
    return _board_of(engine, lambda candidate: f"{100 * candidate.win_rate:.0f}")


@commands.named("linage-visits")
def linage_visits(engine: GtpEngine) -> CommandJob:
    """Show for each point the number of visits of a move there; search first if necessary."""
    return _board_of(engine, lambda candidate: f"{candidate.visits}")


@commands.named("linage-pv")
def linage_pv(engine: GtpEngine, color: Colour | None = None) -> CommandJob:  # noqa: ARG001 - GoGui sends it
    """Return the principal variation as moves with colours; search first if necessary."""
    return _thinking(engine, variation)


def _board_of(engine: GtpEngine, label: Callable[[Candidate], str]) -> CommandJob:
    def show(own: Analysis) -> str:
        # GoGui needs a whole board even if there was nothing to search.
        labels = {each.move: label(each) for each in own.candidates if each.visits}
        return value_board(engine.board, labels)

    return _thinking(engine, show)


def _thinking(engine: GtpEngine, show: Callable[[Analysis], str]) -> CommandJob:
    """Return a job that shows the analysis for the player to move, searching if necessary.

    `show` gets an analysis without candidates if there is nothing to choose.
    """

    def run(job: CommandJob) -> str:
        return show(engine.examine(job.stopped).seen_by(engine.position.to_move))

    return CommandJob(run, ends_by_itself=engine.examining_bounded_by_visits)
