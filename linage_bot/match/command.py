"""`linage-bot match`: an event from its settings to its final table."""

from contextlib import closing
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from twisted.internet.defer import Deferred

from linage_bot.match.event import Event
from linage_bot.match.live import LiveTable
from linage_bot.match.openings import Book
from linage_bot.match.report import TextReport
from linage_bot.match.store import EventStore
from linage_bot.settings.checks import file_under
from linage_bot.settings.match import MatchSettings

INTERRUPTED: Final = 130
"""The exit status a shell expects after Ctrl-C."""


async def run(
    reactor: Any,
    settings: MatchSettings,
    console: Console | None = None,
    accept_changes: bool = False,
    report: str | None = None,
    report_class: type[TextReport] | None = None,
) -> int:
    """Play an event's missing games and return the exit status.

    With `report`, a folder, write a page about all its games there in the end. `report_class`
    prints the event's progress: by default as lines, with a live display on a terminal.

    If the reactor shuts down before the end (Ctrl-C), the engines are killed and the games in
    progress are discarded; the shutdown waits for that. Raises `SettingFault` for settings that the
    user has to correct.
    """
    prepare(report)
    book = Book.load(settings)
    with closing(EventStore.open(settings, accept_changes, book.digest)) as store:
        console = console or Console(highlight=False)
        if report_class is None and console.is_terminal:
            lines: TextReport = LiveTable(console, store, reactor)
        else:
            lines = (report_class or TextReport)(console, store)
        event = Event(reactor, store, book, lines)
        lines.event_begins(book.games)
        over: Deferred[None] = Deferred()
        interrupted = False

        def interrupt() -> Deferred[None] | None:
            nonlocal interrupted
            interrupted = True
            event.stop()
            return over

        trigger = reactor.addSystemEventTrigger("before", "shutdown", interrupt)
        try:
            await event.run()
        finally:
            if not interrupted:
                reactor.removeSystemEventTrigger(trigger)
            lines.close()
            over.callback(None)
        return conclude(lines, store, interrupted, report)


def prepare(report: str | None) -> None:
    """Check before the games that their page can be written; raises `SettingFault`."""
    if report is not None:
        from linage_bot.match.page import check_folder  # it loads matplotlib

        check_folder(Path(report))


def conclude(lines: TextReport, store: EventStore, interrupted: bool, report: str | None) -> int:
    """Report the end of the event, write its page and return the exit status.

    Raises `SettingFault`.
    """
    lines.event_ended(interrupted)
    if report is not None:
        from linage_bot.match.page import write_page  # it loads matplotlib

        with file_under("--report", Path(report)):
            page = write_page(store.settings, list(store.records.values()), Path(report))
        lines.report_written(page)
    return INTERRUPTED if interrupted else 0
