"""Commands that show what the engine thinks: analysis lines, and GoGui's Analyze menu."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from linage_bot.agent import Report
from linage_bot.game import Move, Player, Position
from linage_bot.gtp.engine import PLAYERS, Engine, Thought
from linage_bot.gtp.rules import owners_gfx
from linage_bot.search.limits import Limits
from linage_bot.search.loading import wait_for_kernel
from linage_bot.worker import Job
from protocol import analysis as lines
from protocol import gogui
from protocol.arguments import Colour, Special, parse_vertex
from protocol.cgos_analysis import cgos_json
from protocol.commands import CommandTable
from protocol.errors import CommandFailed
from protocol.gogui import AnalyzeCommand, AnalyzeType

if TYPE_CHECKING:
    from linage_bot.search.think import Thinking
    from linage_bot.search.tree import Candidate

commands = CommandTable[Engine]()

_DEFAULT_INTERVAL_SECONDS = 1.0
_OWNERSHIP_POINTS = 15_000  # to look at for one line: 10 to 30 ms
_Owners = Callable[[], list[float] | None]
_WriteLine = Callable[[list[lines.Candidate], _Owners], str]


def _kata_line(found: list[lines.Candidate], owners: _Owners) -> str:
    return lines.kata_line(found, owners())


def _lz_line(found: list[lines.Candidate], _owners: _Owners) -> str:
    return lines.lz_line(found)


# ------------------------------------------------------------------- analysis lines


@commands.register(name="kata-analyze")
def kata_analyze(engine: Engine, *arguments: str) -> Job:
    """Think about the position until the next line, and tell at every interval what was found.

    `[COLOR] [CENTISECONDS] [KEY VALUE] …`; keys: interval, minmoves, maxmoves, avoid, allow,
    ownership. The answer is `=`, then lines of `info move D4 visits 836 winrate 0.47 scoreLead 1.5
    … pv D4 Q16 info move …` as seen by COLOR, by default the side to move. With `ownership true`
    they end with `ownership` and, row by row from the top left, how much of each point COLOR will
    own, 1 to -1: the mean over random games after the first variation.
    """
    return _analyze(engine, arguments, _kata_line)


@commands.register
def analyze(engine: Engine, *arguments: str) -> Job:
    """As `kata-analyze`."""
    return _analyze(engine, arguments, _kata_line)


@commands.register(name="lz-analyze")
def lz_analyze(engine: Engine, *arguments: str) -> Job:
    """As `kata-analyze`, with win rates as whole numbers out of 10000."""
    return _analyze(engine, arguments, _lz_line)


@commands.register(name="kata-genmove_analyze")
def kata_genmove_analyze(engine: Engine, *arguments: str) -> Job:
    """Choose and play a move as `genmove`, telling lines as `kata-analyze` meanwhile.

    The last line of the answer is `play` and the move.
    """
    return _genmove_analyze(engine, arguments, _kata_line)


@commands.register
def genmove_analyze(engine: Engine, *arguments: str) -> Job:
    """As `kata-genmove_analyze`."""
    return _genmove_analyze(engine, arguments, _kata_line)


@commands.register(name="lz-genmove_analyze")
def lz_genmove_analyze(engine: Engine, *arguments: str) -> Job:
    """As `kata-genmove_analyze`, with win rates as whole numbers out of 10000."""
    return _genmove_analyze(engine, arguments, _lz_line)


@commands.register(name="cgos-genmove_analyze")
def cgos_genmove_analyze(engine: Engine, color: Colour, *_arguments: str) -> Job:
    """Choose and play a move; the answer is one line of JSON for CGOS, then `play` and the move.

    What some clients send behind the colour, such as an interval, changes nothing.
    """
    engine.check_turn(color)
    limits = engine.limits()

    def run(job: Job) -> str:
        position = engine.position
        decision = engine.choose_and_play(limits, job.stopped)
        found = _seen_by(position, position.to_move, decision.candidates)
        job.progress(cgos_json(list(found)))
        return f"play {_word(position, decision.move)}"

    return Job(run, ends_by_itself=limits.bounded_by_visits)


def _analyze(engine: Engine, arguments: tuple[str, ...], write: _WriteLine) -> Job:
    request = lines.parse_analyze_arguments(arguments)
    allowed = _allowed(engine, request)

    def run(job: Job) -> str:
        position = engine.position
        viewer = PLAYERS[request.colour] if request.colour else position.to_move

        def report(thinking: Thinking) -> None:
            _tell(job, request, write, position, viewer, thinking.candidates())

        job.progress("")
        if not position.over:
            thinking = engine.agent.think(
                position,
                Limits(),
                job.stopped,
                moves=allowed,
                report=Report(report, _interval(request)),
                moves_since=engine.moves_since,
            )
            if thinking is not None and not job.stopped.is_set():  # the result is certain
                report(thinking)
        job.stopped.wait()
        return ""

    return Job(run, stopped_by_any_line=True)


def _genmove_analyze(engine: Engine, arguments: tuple[str, ...], write: _WriteLine) -> Job:
    request = lines.parse_analyze_arguments(arguments)
    if request.colour is not None:
        engine.check_turn(request.colour)
    allowed, limits = _allowed(engine, request), engine.limits()

    def run(job: Job) -> str:
        position = engine.position

        def report(thinking: Thinking) -> None:
            _tell(job, request, write, position, position.to_move, thinking.candidates())

        job.progress("")
        decision = engine.choose_and_play(
            limits, job.stopped, allowed, Report(report, _interval(request))
        )
        _tell(job, request, write, position, position.to_move, decision.candidates)
        return f"play {_word(position, decision.move)}"

    return Job(run, ends_by_itself=limits.bounded_by_visits)


def _interval(request: lines.AnalyzeRequest) -> float:
    seconds = request.interval_seconds
    return _DEFAULT_INTERVAL_SECONDS if seconds is None else seconds


def _allowed(engine: Engine, request: lines.AnalyzeRequest) -> tuple[Move, ...] | None:
    """The moves the request leaves for the side to move; None if all of them.

    Restrictions hold for the first move of a line, whatever depth they name.
    """
    moves = engine.legal_moves()
    colour = Colour.WHITE if engine.position.to_move else Colour.BLACK
    allowed = set(moves)
    for restriction in request.avoid:
        if restriction.colour is colour:
            allowed -= _named(engine, restriction.moves)
    for restriction in request.allow:
        if restriction.colour is colour:
            allowed &= _named(engine, restriction.moves)
    if len(allowed) == len(moves):
        return None
    if not allowed:
        raise CommandFailed("syntax error: no legal move is left by avoid and allow")
    return tuple(move for move in moves if move in allowed)


def _named(engine: Engine, words: Iterable[str]) -> set[Move]:
    return {engine.move(parse_vertex(word)) for word in words}


def _seen_by(
    position: Position, viewer: Player, candidates: Iterable[Candidate]
) -> list[lines.Candidate]:
    """Candidates as protocol lines write them, best first, those never visited left out."""
    mine = viewer is position.to_move
    return [
        lines.Candidate(
            move=position.name_of(each.move),
            visits=each.visits,
            winrate=each.win_rate if mine else 1 - each.win_rate,
            score_lead=each.score_lead if mine else -each.score_lead,
            order=order,
            pv=tuple(position.name_of(move) for move in each.line),
            score_spread=each.score_spread,
        )
        for order, each in enumerate(candidates)
        if each.visits
    ]


def _tell(
    job: Job,
    request: lines.AnalyzeRequest,
    write: _WriteLine,
    position: Position,
    viewer: Player,
    candidates: Sequence[Candidate],
) -> None:
    """Report one line of analysis, if there is anything to tell."""
    found = _seen_by(position, viewer, candidates)
    wanted = found if request.max_moves is None else found[: max(1, request.max_moves)]

    def owners() -> list[float] | None:
        if not request.ownership:
            return None
        best = next(each for each in candidates if each.visits)
        return _ownership_after(job, position, viewer, best.line)

    if wanted:
        job.progress(write(wanted, owners))


def _ownership_after(
    job: Job, position: Position, viewer: Player, line: tuple[Move, ...]
) -> list[float] | None:
    """How much of each point the viewer will own after a line; None if there is no kernel yet."""
    kernel = wait_for_kernel(position.game, job.stopped)
    if kernel is None:
        return None
    from linage_bot.search.ownership import ownership  # imports Numba

    # Always the same seed: the numbers change when the line does, not by chance.
    count = min(100, _OWNERSHIP_POINTS // position.game.board.count)
    means = ownership(kernel, position, line, count, seed=1)
    return means if viewer is Player.FIRST else [-mean for mean in means]


def _word(position: Position, move: Move | None) -> str:
    return Special.RESIGN.value if move is None else position.name_of(move)


# ------------------------------------------------------------------- GoGui's Analyze menu

_MENU = (
    AnalyzeCommand(AnalyzeType.GFX, "Region Owners", "linage-owners"),
    AnalyzeCommand(AnalyzeType.GFX, "Legal Moves", "linage-legal"),
    AnalyzeCommand(AnalyzeType.SBOARD, "Win Rate", "linage-win_rates"),
    AnalyzeCommand(AnalyzeType.SBOARD, "Visits", "linage-visits"),
    AnalyzeCommand(AnalyzeType.VAR, "Principal Variation", "linage-pv %c"),
    AnalyzeCommand(AnalyzeType.STRING, "Explain Last Move", "gomill-explain_last_move"),
    AnalyzeCommand(AnalyzeType.STRING, "Score", "final_score"),
    AnalyzeCommand(AnalyzeType.HSTRING, "Game and Engine", "gomill-describe_engine"),
)


@commands.register(name="gogui-analyze_commands")
def gogui_analyze_commands(_engine: Engine) -> str:
    """List the entries of GoGui's Analyze menu: `type/label/command`, one a line."""
    return gogui.analyze_commands(_MENU)


@commands.register(name="gogui-title")
def gogui_title(engine: Engine) -> str:
    """Tell the title of GoGui's window: the game and its options that are not the default."""
    game = engine.game
    defaults = {name: option.default for name, option in game.options().items()}
    special = [
        f"{name} {value}"
        for name, value in game.settings().items()
        if getattr(game, name) != defaults[name]
    ]
    return ", ".join((f"{game.name} {game.board}", *special))


@commands.register(name="linage-owners")
def linage_owners(engine: Engine) -> str:
    """Colour what the players own, as GoGui graphics."""
    return owners_gfx(engine)


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
