"""Commands that set and correct the clocks."""

from __future__ import annotations

from linage_bot.gtp.engine import PLAYERS, Engine
from linage_bot.search.clocks import Clock, TimeSystem
from protocol.arguments import Colour, parse_float, parse_int
from protocol.commands import CommandTable
from protocol.errors import CommandFailed

commands = CommandTable[Engine]()


@commands.register
def time_settings(engine: Engine, main: float, byo_yomi: float, stones: int) -> None:
    """Set MAIN seconds, then periods of BYO_YOMI seconds for STONES stones; `0 1 0` is no limit."""
    _set(engine, main, byo_yomi, stones)


@commands.register(name="kgs-time_settings")
def kgs_time_settings(engine: Engine, system: str, *numbers: str) -> None:
    """Set the clocks: `none`, `absolute M`, `byoyomi M B PERIODS` or `canadian M B STONES`."""
    _set_named(engine, system, numbers)


@commands.register(name="kata-time_settings")
def kata_time_settings(engine: Engine, system: str, *numbers: str) -> None:
    """Set the clocks: as `kgs-time_settings`, or `fischer M INCREMENT`.

    `fischer-capped M INCREMENT CAP MOST` is read as well; the cap and the most per move are kept
    by the referee.
    """
    if system in ("fischer", "fischer-capped"):
        wanted = 2 if system == "fischer" else 4
        if len(numbers) != wanted:
            raise CommandFailed(f"syntax error: {system} takes {wanted} numbers")
        main, increment, *_ = map(parse_float, numbers)
        _set(engine, main, increment=increment)
    else:
        _set_named(engine, system, numbers)


def _set_named(engine: Engine, system: str, words: tuple[str, ...]) -> None:
    wanted = {"none": 0, "absolute": 1, "byoyomi": 3, "canadian": 3}.get(system)
    if wanted is None:
        raise CommandFailed(f"syntax error: unknown time system {system[:60]!r}")
    if len(words) != wanted:
        raise CommandFailed(f"syntax error: {system} takes {wanted} numbers")
    if system == "none":
        engine.set_time_system(None)
        return
    main, *period = map(parse_float, words[:2])
    if system == "absolute":
        _set(engine, main)
    elif system == "byoyomi":
        _set(engine, main, period[0], 1, parse_int(words[2]))
    else:
        _set(engine, main, period[0], parse_int(words[2]))


def _set(
    engine: Engine,
    main: float,
    period: float = 0.0,
    stones: int = 0,
    periods: int = 1,
    increment: float = 0.0,
) -> None:
    try:
        system = TimeSystem(main, period, stones, periods, increment)
    except ValueError as error:
        raise CommandFailed(f"syntax error: {error}") from None
    engine.set_time_system(system)


@commands.register
def time_left(engine: Engine, color: Colour, seconds: float, stones: int) -> None:
    """Correct a clock: SECONDS left, for STONES stones (0: in main time).

    Fails with `syntax error` for negative numbers; without time settings the time is taken as
    absolute.
    """
    if seconds < 0 or stones < 0:
        raise CommandFailed("syntax error: a time cannot be negative")
    system = engine.time_system or TimeSystem(seconds)
    if not system.unlimited:
        engine.clocks[PLAYERS[color]] = Clock(system, seconds, stones)
