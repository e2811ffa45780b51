"""Commands that report a running search, in lines for GUIs."""

from collections.abc import Callable, Iterable, Sequence

from linage_bot.engine.analysis import Analysis, Report
from linage_bot.engine.candidates import cells_in_order, move_info, moves_left
from linage_bot.engine.command_job import CommandJob
from linage_bot.engine.rollouts import with_owners
from linage_bot.gtp.engine import PLAYERS, GtpEngine, commands
from linage_bot.gtp.moves import CANCELLED
from linage_bot.rules.game import Move
from protocol.cgos.analysis import cgos_json
from protocol.gtp import analysis as lines
from protocol.session.arguments import Colour
from protocol.session.errors import CommandFailed

_WriteLine = Callable[[list[lines.MoveInfo], Sequence[float] | None, lines.Root], str]


@commands.named("kata-analyze")
def kata_analyze(engine: GtpEngine, *arguments: str) -> CommandJob:
    """Search the position until the next line arrives, and report the results at every interval.

    `[COLOR] [CENTISECONDS] [KEY VALUE] …`; keys: interval, minmoves, maxmoves, avoid, allow,
    ownership. The answer is `=`, then lines of `info move D4 visits 836 winrate 0.47 scoreLead 1.5
    … pv D4 Q16 info move …` as seen by COLOR, by default the side to move. Moves without visits are
    listed only to reach `minmoves`. A proven move has `exactWinrate` (1, 0.5 or 0) and `exactLead`
    (the score) before its `pv`; the proof comes from the table of solved boards, the search, or the
    solver. The first move also has `exactRootWinrate` and `exactRootLead`, those of the position.
    Proven best moves come first, and no other move is reported as better. A move without these
    keys has an estimate, even if the value of the position is proven. `scoreMean`, `scoreLead`
    and `scoreSelfplay` are all the lead, `scoreStdev` is the standard deviation of scores from it,
    and `utility` is the win rate from -1 to 1. With `ownership true` the lines end with `ownership`
    and a number for each point, row by row from the top left: its expected owner, from 1 (COLOR) to
    -1, the mean over random games after the first variation.
    """
    return _analyze(engine, arguments, lines.kata_line)


@commands.register
def analyze(engine: GtpEngine, *arguments: str) -> CommandJob:
    """Search as `kata-analyze` does; rates are whole numbers out of 10000, as Sabaki reads them."""
    return _analyze(engine, arguments, lines.analyze_line)


@commands.named("lz-analyze")
def lz_analyze(engine: GtpEngine, *arguments: str) -> CommandJob:
    """Search as `kata-analyze` does, with win rates as whole numbers out of 10000."""
    return _analyze(engine, arguments, lines.lz_line)


@commands.named("kata-genmove_analyze")
def kata_genmove_analyze(engine: GtpEngine, *arguments: str) -> CommandJob:
    """Choose and play a move as `genmove` does, and print lines as `kata-analyze` does.

    The last line of the answer is `play` and the move.
    """
    return _choose(engine, arguments, lines.kata_line)


@commands.register
def genmove_analyze(engine: GtpEngine, *arguments: str) -> CommandJob:
    """Search and play as `kata-genmove_analyze` does, with rates as whole numbers out of 10000."""
    return _choose(engine, arguments, lines.analyze_line)


@commands.named("lz-genmove_analyze")
def lz_genmove_analyze(engine: GtpEngine, *arguments: str) -> CommandJob:
    """Search and play as `kata-genmove_analyze` does; win rates are whole numbers out of 10000."""
    return _choose(engine, arguments, lines.lz_line)


@commands.named("kata-search_analyze")
def kata_search_analyze(engine: GtpEngine, *arguments: str) -> CommandJob:
    """Search as `kata-genmove_analyze` does, but do not play the move or run the clocks."""
    return _choose(engine, arguments, lines.kata_line, plays=False)


@commands.named("kata-search_analyze_cancellable")
def kata_search_analyze_cancellable(engine: GtpEngine, *arguments: str) -> CommandJob:
    """Search as `kata-search_analyze` does; any new line ends it with `play cancelled`."""
    return _choose(engine, arguments, lines.kata_line, plays=False, cancellable=True)


@commands.named("cgos-genmove_analyze")
def cgos_genmove_analyze(engine: GtpEngine, color: Colour, *_arguments: str) -> CommandJob:
    """Choose and play a move; the answer is one line of JSON for CGOS, then `play` and the move.

    Arguments that some clients send after the colour, such as an interval, are ignored.
    """
    engine.check_turn(PLAYERS[color])

    def run(job: CommandJob) -> str:
        mover = engine.position.to_move
        decision = engine.choose_and_play(job.stopped)
        found = _move_infos(decision.analysis.seen_by(mover))
        known = cgos_json(found, "proven" if decision.exact else "")
        return f"\n{known}\nplay {engine.name_of(decision)}"

    return CommandJob(run, ends_by_itself=engine.bounded_by_visits)


def _analyze(engine: GtpEngine, arguments: tuple[str, ...], write: _WriteLine) -> CommandJob:
    request = lines.parse_analyze_arguments(arguments)
    allowed = _allowed(engine, request)

    def run(job: CommandJob) -> str:
        position = engine.position
        viewer = PLAYERS[request.colour] if request.colour else position.to_move

        def report(analysis: Analysis) -> None:
            job.progress(_line(job, request, write, analysis.seen_by(viewer)))

        job.progress("")
        each = Report(report, request.interval_seconds)
        analysis = engine.analyze(job.stopped, allowed, each)
        if analysis.candidates and not job.stopped.is_set():  # the position is solved
            report(analysis)
        job.stopped.wait()
        return ""

    return CommandJob(run, stopped_by_any_line=True)


def _choose(
    engine: GtpEngine,
    arguments: tuple[str, ...],
    write: _WriteLine,
    plays: bool = True,
    cancellable: bool = False,
) -> CommandJob:
    request = lines.parse_analyze_arguments(arguments)
    if request.colour is not None:
        engine.check_turn(PLAYERS[request.colour])
    allowed = _allowed(engine, request)

    def run(job: CommandJob) -> str:
        mover = engine.position.to_move

        def line(analysis: Analysis) -> str:
            return _line(job, request, write, analysis.seen_by(mover))

        job.progress("")
        choose = engine.choose_and_play if plays else engine.choose
        each = Report(lambda analysis: job.progress(line(analysis)), request.interval_seconds)
        decision = choose(job.stopped, allowed, each)
        if cancellable and job.stopped.is_set():
            return f"play {CANCELLED}"
        # Not as progress, which a client that is not reading at this moment would never see.
        return f"{line(decision.analysis)}\nplay {engine.name_of(decision)}".lstrip()

    return CommandJob(run, stopped_by_any_line=cancellable, ends_by_itself=engine.bounded_by_visits)


def _allowed(engine: GtpEngine, request: lines.AnalyzeRequest) -> tuple[Move, ...] | None:
    """Return the moves that the request allows the side to move; None if all of them.

    Restrictions apply to the first move of a line; the depth they name is ignored.
    """
    mover = engine.position.to_move

    def named(restrictions: Iterable[lines.Restriction]) -> list[set[Move]]:
        own = (each.moves for each in restrictions if PLAYERS[each.colour] is mover)
        return [set(map(engine.move, words)) for words in own]

    avoided, allowed = named(request.avoid), named(request.allow)
    try:
        return moves_left(engine.legal_moves(), avoided, allowed)
    except ValueError as error:
        raise CommandFailed(f"syntax error: {error} with avoid and allow") from None


def _move_infos(analysis: Analysis, least: int = 0) -> list[lines.MoveInfo]:
    """Return the candidates for protocol lines, best first.

    Candidates without visits are included only among the first `least`.
    """
    return [
        move_info(analysis.position, order, each)
        for order, each in enumerate(analysis.candidates)
        if each.visits or order < least
    ]


def _line(
    job: CommandJob, request: lines.AnalyzeRequest, write: _WriteLine, analysis: Analysis
) -> str:
    """Return one line of analysis; empty if there are no candidates."""
    found = _move_infos(analysis, request.min_moves)
    if not found:
        return ""
    owners = None
    if request.ownership:
        means = with_owners(analysis, job.stopped).owners
        cells = cells_in_order(analysis.position.game.board)
        owners = None if means is None else [means[cell] for cell in cells]
    wanted = found if request.max_moves is None else found[: max(1, request.max_moves)]
    exact = analysis.proven.exact and analysis.position.game.counts_points
    lead = analysis.proven.low if exact else None
    return write(wanted, owners, lines.Root(analysis.proven.win_rate, lead))
