"""Commands that set and correct the clocks."""

import math

from linage_bot.engine.clocks import Clock, TimeSystem
from linage_bot.engine.command_job import CommandJob
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.gtp.engine import PLAYERS, GtpEngine, commands
from protocol.session.arguments import Colour, parse_float, parse_int, shown
from protocol.session.errors import CommandFailed

_LONG_SECONDS = 60.0  # enough of a clock to wait for a compiler while it runs
_MOST_WAITING_SECONDS = 10.0  # GoGui gives up after 15


@commands.register
def time_settings(
    engine: GtpEngine, main: float, byo_yomi: float, stones: int
) -> CommandJob | None:
    """Set MAIN seconds, then periods of BYO_YOMI seconds for STONES stones; `0 1 0` is no limit.

    If that is under a minute, the answer comes when the compiled code is loaded.
    """
    try:
        return _set(engine, TimeSystem(main, byo_yomi, stones))
    except ValueError as error:
        raise CommandFailed(f"syntax error: {error}") from None


@commands.named("kgs-time_settings")
def kgs_time_settings(engine: GtpEngine, system: str, *numbers: str) -> CommandJob | None:
    """Set the clocks: `none`, `absolute M`, `byoyomi M B PERIODS` or `canadian M B STONES`."""
    if system.startswith("fischer"):
        raise CommandFailed("syntax error: Fischer clocks are set by kata-time_settings")
    return _set(engine, _named(system, numbers))


@commands.named("kata-time_settings")
def kata_time_settings(engine: GtpEngine, system: str, *numbers: str) -> CommandJob | None:
    """Set the clocks as `kgs-time_settings` does, or as Fischer clocks: `fischer M INCREMENT`.

    `fischer-capped M INCREMENT CAP MOST` has two limits: a clock never holds more than CAP seconds,
    and a move never uses more than MOST; -1 is no limit.
    """
    return _set(engine, _named(system, numbers))


@commands.named("kata-list_time_settings")
def kata_list_time_settings(_engine: GtpEngine) -> str:
    """List the time systems that `kata-time_settings` supports."""
    return "none absolute byoyomi canadian fischer fischer-capped"


@commands.named("linage-compile")
def linage_compile(engine: GtpEngine) -> CommandJob:
    """Wait until the compiled code of the game is loaded; send this before a clock runs."""

    def run(job: CommandJob) -> str:
        engine.player.compile(engine.game, job.stopped)
        return ""

    return CommandJob(run, ends_by_itself=True)


def _set(engine: GtpEngine, system: TimeSystem | None) -> CommandJob | None:
    """Set the clocks; if they are short, return a job that waits for the compiled code."""
    engine.set_time_system(system)
    if system is None or system.unlimited:
        return None
    if system.main_seconds + system.period_seconds >= _LONG_SECONDS:
        return None

    def run(job: CommandJob) -> str:
        wait_for_kernel(engine.game, job.stopped, _MOST_WAITING_SECONDS)
        return ""

    return CommandJob(run, ends_by_itself=True)


def _named(system: str, words: tuple[str, ...]) -> TimeSystem | None:
    """Return the time system of KGS or KataGo with these numbers; None for no limit."""
    try:
        match system.replace("byo-yomi", "byoyomi"), [parse_float(word) for word in words]:
            case "none", []:
                return None
            case "absolute", [main]:
                return TimeSystem(main)
            case "byoyomi", [main, period, _]:
                return TimeSystem(main, period, 1, parse_int(words[2]))
            case "canadian", [main, period, _]:
                return TimeSystem(main, period, parse_int(words[2]))
            case "fischer", [main, increment]:
                return TimeSystem(main, increment_seconds=increment)
            case "fischer-capped", [main, increment, cap, most]:
                return TimeSystem(
                    main,
                    increment_seconds=increment,
                    cap_seconds=math.inf if cap < 0 else cap,
                    most_seconds=math.inf if most < 0 else most,
                )
    except ValueError as error:
        raise CommandFailed(f"syntax error: {error}") from None
    raise CommandFailed(f"syntax error: no time system {shown(system)} with {len(words)} numbers")


@commands.register
def time_left(engine: GtpEngine, color: Colour, seconds: float, stones: int) -> None:
    """Correct a clock: SECONDS left, for STONES stones (0: in main time).

    In byo-yomi STONES are the periods left, including the current one. If SECONDS is the time of
    the engine's own clock without its fraction, the engine keeps its clock, because many referees
    send whole seconds. Negative SECONDS, of a clock that ran out, count as 0; negative STONES are a
    `syntax error`. Without time settings the time is absolute.
    """
    if stones < 0:
        raise CommandFailed("syntax error: a number of stones cannot be negative")
    seconds = max(0.0, seconds)
    system = engine.time_system or TimeSystem(seconds)
    if not system.unlimited:
        clock = engine.clocks.get(PLAYERS[color]) or Clock.full(system)
        engine.clocks[PLAYERS[color]] = clock.with_time_left(seconds, stones)
