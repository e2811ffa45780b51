"""What an event has come to: its games on disk, and what follows from them."""

from linage_bot.arena.records import GameRecord
from linage_bot.arena.standings import Crosstable, Failures
from linage_bot.arena.statistics import Pairs, Verdict, verdict
from linage_bot.match.schedule import Task, missing
from linage_bot.match.store import EventStore
from linage_bot.settings.checks import file_under
from linage_bot.settings.match import MatchSettings


class Ledger:
    """The games of an event, counted as they come in."""

    def __init__(self, settings: MatchSettings, store: EventStore) -> None:
        self.settings = settings
        self.store = store
        records = store.records.values()
        self.table = Crosstable(settings.names, records)
        self.pairs = Pairs.of(settings.names[0], settings.names[1], records)
        """Those of the first two engines."""
        self._failures = Failures(settings.names, settings.max_failures, records)

    @property
    def withdrawn(self) -> list[str]:
        """The engines that have failed too often."""
        return sorted(self._failures.withdrawn)

    @property
    def decided(self) -> bool:
        """Whether the event's sequential test has come to a verdict."""
        test = self.settings.sprt
        return test is not None and verdict(test, self.pairs) is not Verdict.UNDECIDED

    def missing(self) -> list[Task]:
        """The games that can be played now; none when all have been played."""
        return missing(self.settings, self.store.records)

    def keep(self, record: GameRecord) -> str | None:
        """Bring a game to the disk and count it; the engine that is withdrawn because of it.

        Raises `SettingFault` when the disk fails.
        """
        with file_under("out", self.store.folder):
            self.store.append(record)
        self.table.add(record)
        self.pairs.add(record)
        return self._failures.add(record)
