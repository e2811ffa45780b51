"""The command `linage-bot connect cgos`: runs all participants until they have stopped."""

import logging
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from twisted.internet.defer import Deferred, DeferredList, FirstError
from twisted.internet.task import LoopingCall

from linage_bot.servers.cgos_client.participant import Participant
from linage_bot.servers.cgos_client.settings import ClientSettings
from linage_bot.servers.cgos_client.status import status_screen
from linage_bot.servers.stopping import INTERRUPTED, catch_signals, fire_once
from linage_bot.settings.checks import SettingFault, file_under, make_folder

_log = logging.getLogger(__name__)

_LOOK_SECONDS: Final = 0.25  # between two checks of the kill file and the participants


async def run(reactor: Any, settings: ClientSettings) -> int:
    """Play until a signal or the kill file comes and the games are over; return the exit status.

    It is 0 if all participants finished, 2 if one gave up for a reason that the user can fix, 1 for
    any other reason, 130 after a second signal. Raise `SettingFault` for invalid settings.
    """
    kill_file = None if settings.kill_file is None else Path(settings.kill_file)
    if kill_file is not None and _is_there(kill_file):
        raise SettingFault("kill_file", f"{kill_file} exists; remove it and start again")
    if settings.sgf is not None:
        make_folder("sgf", Path(settings.sgf))
    participants = [
        Participant(reactor, settings, player, player.password(f"players[{number}]"))
        for number, player in enumerate(settings.players)
    ]
    first: Deferred[Any] = Deferred()
    second: Deferred[Any] = Deferred()
    first.addCallback(_finish, participants)
    second.addCallback(_quit, participants)
    running: Deferred[None] = Deferred()
    reactor.callWhenRunning(catch_signals, reactor, [first, second])
    reactor.callWhenRunning(running.callback, None)
    await running  # nothing is started that a signal could leave behind
    screen = status_screen(participants)

    def look() -> None:
        with suppress(SettingFault):  # it could be looked at, and may be again
            if kill_file is not None and _is_there(kill_file):
                fire_once(None, first, kill_file)
        screen.refresh()

    watch = LoopingCall(look)
    watch.clock = reactor
    watch.start(_LOOK_SECONDS)
    runs = [Deferred.fromCoroutine(participant.run()) for participant in participants]
    try:
        await DeferredList(runs, fireOnOneErrback=True)
    except FirstError as error:
        _quit(None, participants)
        await DeferredList(runs, consumeErrors=True)
        if not second.called:  # else the engine did not fail: we have killed it in its start
            raise error.subFailure.value from None  # type: ignore[misc]  # Twisted leaves it open
    finally:
        watch.stop()
        screen.stop()
    return INTERRUPTED if second.called else max(participant.status for participant in participants)


def _is_there(kill_file: Path) -> bool:
    """Return whether the kill file exists; raise `SettingFault` if it cannot be checked."""
    with file_under("kill_file", kill_file), suppress(FileNotFoundError, NotADirectoryError):
        kill_file.stat()
        return True
    return False


def _finish(cause: object, participants: list[Participant]) -> None:
    why = cause if isinstance(cause, Path) else "a signal"
    _log.info("%s: finishing the games; press Ctrl-C or send a signal again to stop at once", why)
    for participant in participants:
        participant.finish()


def _quit(_cause: object, participants: list[Participant]) -> None:
    for participant in participants:
        participant.quit()
