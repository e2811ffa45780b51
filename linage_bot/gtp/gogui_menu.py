"""GoGui's Analyze menu: its entries, and the commands that only GoGui draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from linage_bot.engine.solver.sums.sums import is_solvable
from linage_bot.engine.worker import Job
from linage_bot.gtp.engine import Engine
from linage_bot.gtp.graphics import owners_gfx
from linage_bot.gtp.thoughts import Thought
from linage_bot.rules.game import Move
from protocol import gogui
from protocol.arguments import Colour
from protocol.commands import CommandTable
from protocol.gogui import AnalyzeCommand, AnalyzeType

if TYPE_CHECKING:
    from linage_bot.engine.search.candidates import Candidate

commands = CommandTable[Engine]()

_MENU = (
    AnalyzeCommand(AnalyzeType.GFX, "Region Owners", "linage-owners"),
    AnalyzeCommand(AnalyzeType.GFX, "Legal Moves", "linage-legal"),
    AnalyzeCommand(AnalyzeType.SBOARD, "Win Rate", "linage-win_rates"),
    AnalyzeCommand(AnalyzeType.SBOARD, "Visits", "linage-visits"),
    AnalyzeCommand(AnalyzeType.SBOARD, "Region Values", "linage-region_values"),
    AnalyzeCommand(AnalyzeType.SBOARD, "Temperatures", "linage-temperatures"),
    AnalyzeCommand(AnalyzeType.VAR, "Principal Variation", "linage-pv %c"),
    AnalyzeCommand(AnalyzeType.STRING, "Explain Last Move", "gomill-explain_last_move"),
    AnalyzeCommand(AnalyzeType.STRING, "Score", "final_score"),
    AnalyzeCommand(AnalyzeType.STRING, "Result", "gogui-rules_final_result"),
    AnalyzeCommand(AnalyzeType.HSTRING, "Game and Engine", "gomill-describe_engine"),
    AnalyzeCommand(AnalyzeType.PARAM, "Parameters", "linage-param"),
)

# What would only fail in some games, and where it does not.
_NOT_EVERYWHERE: dict[str, Callable[[Engine], bool]] = {
    "linage-region_values": lambda engine: is_solvable(engine.position),
    "linage-temperatures": lambda engine: is_solvable(engine.position),
    "final_score": lambda engine: engine.game.counts_points,
    "gogui-rules_final_result": lambda engine: not engine.game.counts_points,
}


@commands.register(name="gogui-analyze_commands")
def gogui_analyze_commands(engine: Engine) -> str:
    """List the entries of GoGui's Analyze menu that the game has: `type/label/command`, one a line.

    GoGui asks once, when it attaches the engine.
    """
    return gogui.analyze_commands(
        entry
        for entry in _MENU
        if entry.command not in _NOT_EVERYWHERE or _NOT_EVERYWHERE[entry.command](engine)
    )


@commands.register(name="gogui-title")
def gogui_title(engine: Engine) -> str:
    """Tell the title of GoGui's window: game, board, komi, and options that are not the default."""
    game = engine.game
    komi = () if game.komi_step is None else (f"komi {game.komi:g}",)
    defaults = {name: option.default for name, option in game.options().items()}
    special = [
        f"{name} {value}"
        for name, value in game.settings().items()
        if getattr(game, name) != defaults[name]
    ]
    return ", ".join((f"{game.name} {game.board}", *komi, *special))


@commands.register(name="linage-owners")
def linage_owners(engine: Engine) -> str:
    """Colour what the players own, as GoGui graphics."""
    return owners_gfx(engine.position)


@commands.register(name="linage-legal")
def linage_legal(engine: Engine) -> str:
    """Mark the points where the side to move may place, as GoGui graphics."""
    points = engine.board.vertices(engine.position.placements())
    return gogui.gfx((gogui.gfx_mark("CIRCLE", points), gogui.gfx_text(f"{len(points)} points")))


@commands.register(name="linage-win_rates")
def linage_win_rates(engine: Engine) -> Job:
    """Show for each point the win rate of a move there in percent; thinks first if need be."""
    return _board_of(engine, lambda candidate: f"{100 * candidate.win_rate:.0f}")


@commands.register(name="linage-visits")
def linage_visits(engine: Engine) -> Job:
    """Show for each point how many visits a move there got; thinks first if need be."""
    return _board_of(engine, lambda candidate: f"{candidate.visits}")


@commands.register(name="linage-pv")
def linage_pv(engine: Engine, color: Colour | None = None) -> Job:  # noqa: ARG001 - GoGui sends it
    """Tell the principal variation as moves with colours; thinks first if need be."""

    def show(thought: Thought | None) -> str:
        if thought is None:
            return ""
        line: tuple[Move, ...] = thought.decision.candidates[0].line
        players = (thought.position.to_move, thought.position.to_move.other)
        words = [
            f"{players[ply % 2].letter} {thought.position.name_of(move)}"
            for ply, move in enumerate(line)
        ]
        return " ".join(words)

    return _thinking(engine, show)


def _board_of(engine: Engine, label: Callable[[Candidate], str]) -> Job:
    board = engine.board

    def show(thought: Thought | None) -> str:
        # GoGui wants a whole board even where there was nothing to think about.
        found = () if thought is None else thought.decision.candidates
        labels = {each.move: label(each) for each in found if each.visits}
        return gogui.sboard(
            [
                [
                    None if (point := board.at(column, row)) is None else labels.get(point)
                    for column in range(board.columns)
                ]
                for row in reversed(range(board.rows))
            ]
        )

    return _thinking(engine, show)


def _thinking(engine: Engine, show: Callable[[Thought | None], str]) -> Job:
    """Show what is thought of the position, after thinking about it if nothing is.

    `show` gets None where there is nothing to choose.
    """
    limits = engine.limits()

    def run(job: Job) -> str:
        thought = engine.current_thought()
        if thought is None and not engine.position.over:
            engine.choose(limits, job.stopped, may_resign=False)
            thought = engine.current_thought()
        return show(thought)

    return Job(run, ends_by_itself=limits.bounded_by_visits)
