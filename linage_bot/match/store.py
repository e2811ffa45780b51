"""The games of an event on disk: one file that only grows, from which everything can be rebuilt.

`results.jsonl` in the event's folder holds one JSON object a line: first the configuration and its
fingerprint, then a record for each game that was finished. Blank lines mean nothing, and a last
line that a crash left unfinished is dropped when the file is opened again. A record is on the disk
before the next game of its slot begins, so a game is never lost, and its key is there, so it is
never played twice. While an event runs, its file is locked.

The configuration is written when the engines are known to work, and binds only once there is a game
of it: until then a corrected one replaces it.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import stat
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any, Final

import attrs

from linage_bot.arena.records import FORFEIT, GameRecord, Key, from_table, to_table
from linage_bot.arena.standings import Crosstable, Failures
from linage_bot.arena.statistics import PentanomialCounts, SprtState, verdict
from linage_bot.engine.jit.locks import locked
from linage_bot.match.schedule import Task, missing
from linage_bot.records.writing import to_sgf
from linage_bot.settings.checks import SettingFault, file_under
from linage_bot.settings.files import write_whole
from linage_bot.settings.match import IRRELEVANT, MatchSettings
from linage_bot.settings.reading import parse_json

FILE_NAME: Final = "results.jsonl"
_MOST_REPEATS: Final = 20
"""The number of successive repeats of earlier games that ends an event with a sequential test."""


class EventStore:
    """An event's file, open for appending; `records` are its games, counted as they are added."""

    def __init__(self, settings: MatchSettings, file: io.FileIO) -> None:
        self.settings = settings
        self.folder = Path(settings.out)
        self.records: dict[Key, GameRecord] = {}
        self._numbers: set[int] = set()
        self.table = Crosstable(settings.names)
        self.pairs = PentanomialCounts.of(settings.names[0], settings.names[1])
        """The finished pairs of the first two engines."""
        self.repeats_in_succession = 0
        """The number of latest games in a row that repeat earlier ones; forfeits are skipped."""
        self._originals: dict[Hashable, int] = {}  # the number of the first game with each content
        self._failures = Failures(settings.names, settings.max_failures)
        self._header: dict[str, Any] | None = None  # still to be written
        self._file = file
        self._open = contextlib.ExitStack()  # the file and its lock

    @classmethod
    def open(
        cls, settings: MatchSettings, accept_changes: bool = False, openings: str = ""
    ) -> EventStore:
        """Open or create the file of an event; raises `SettingFault`, having changed nothing.

        A file that holds games of another configuration is refused unless `accept_changes`.
        `openings` is a hash of the opening files.
        """
        path = Path(settings.out) / FILE_NAME
        with file_under("out", path), contextlib.ExitStack() as undo:
            if not path.parent.exists():
                undo.callback(_remove_empty_folder, path.parent)
            path.parent.mkdir(parents=True, exist_ok=True)
            if not undo.enter_context(locked(path.with_suffix(".lock"), wait=False)):
                raise SettingFault(
                    "out",
                    f"{path}: another runner is using it; choose another folder",
                )
            file = io.FileIO(os.open(path, os.O_RDWR | os.O_CREAT | _BINARY, 0o666), "r+")
            undo.callback(_remove_empty_file, path)
            undo.callback(file.close)
            store = cls(settings, file)
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise SettingFault("out", f"{path}: not a regular file")
            store._read(path, _header(settings, openings), accept_changes)
            store._restore_sgf()
            store._open = undo.pop_all()
        return store

    @property
    def withdrawn(self) -> list[str]:
        """The engines that have failed too often."""
        return sorted(self._failures.withdrawn)

    @property
    def decided(self) -> bool:
        """Whether the event's sequential test has come to a verdict."""
        test = self.settings.sprt
        return test is not None and verdict(test, self.pairs) is not SprtState.UNDECIDED

    @property
    def exhausted(self) -> bool:
        """Whether the event's sequential test is given up: its games only repeat earlier ones."""
        return self.settings.sprt is not None and self.repeats_in_succession >= _MOST_REPEATS

    @property
    def ended_early(self) -> bool:
        """Whether the event has ended although games may be missing."""
        return self.decided or self.exhausted

    @property
    def over(self) -> bool:
        """Whether no game is played any more."""
        return self.ended_early or not self.missing()

    def missing(self) -> list[Task]:
        """Return the games that can be played now; none when all have been played."""
        return missing(self.settings, self.records)

    def begin(self) -> None:
        """Write the configuration unless it is there; raises `SettingFault` when the disk fails.

        To be called once the event's engines are known to work. A configuration without games is
        replaced by this one.
        """
        if self._header is None:
            return
        with file_under("out", self.folder):
            if not self.records:
                self._file.truncate(0)
            self._write(self._header)
            _settle(self.folder)
        self._header = None

    def append(self, record: GameRecord) -> str | None:
        """Save a game, its SGF file and then its record, which is on the disk when this returns.

        After changes that were accepted, another game may have the same number. Then this one gets
        the next free number. `records` holds it with that number, and with the number of the game
        that it repeats. Returns the engine that is withdrawn because of the game, or None. Raises
        `ValueError` for a game that is already recorded, `SettingFault` when the disk fails.
        """
        if record.key in self.records:
            raise ValueError(f"game {record.number} has already been recorded")
        self.begin()
        if record.number in self._numbers:
            free = (n for n in itertools.count(record.number) if n not in self._numbers)
            record = attrs.evolve(record, number=next(free))
        record = self._compared(record)
        with file_under("out", self.folder):
            write_sgf(record, self.settings.name, self.folder)
            self._write(to_table(record))
        return self._count(record)

    def _compared(self, record: GameRecord) -> GameRecord:
        """Return the record with the number of the game that it repeats."""
        return attrs.evolve(record, repeats=self._originals.get(record.content, 0))

    def _count(self, record: GameRecord) -> str | None:
        self.records[record.key] = record
        self._numbers.add(record.number)
        if not record.repeats:
            self._originals[record.content] = record.number
            self.repeats_in_succession = 0
        elif record.ending != FORFEIT:
            self.repeats_in_succession += 1
        self.table.add(record)
        self.pairs.add(record)
        return self._failures.add(record)

    def close(self) -> None:
        """Unlock the file; if nothing was written into it, remove it."""
        self._open.close()

    def _restore_sgf(self) -> None:
        """Write lost SGF files again: they are not synced, so a power cut may remove them."""
        for record in self.records.values():
            path = self.folder / record.sgf_name
            if not path.exists() or path.stat().st_size == 0:
                write_sgf(record, self.settings.name, self.folder)

    def _write(self, table: dict[str, Any]) -> None:
        line = json.dumps(table, separators=(",", ":")).encode() + b"\n"
        end = self._file.seek(0, os.SEEK_END)
        try:
            while line:
                line = line[self._file.write(line) :]
            os.fsync(self._file.fileno())
        except OSError:
            with contextlib.suppress(OSError):
                self._file.truncate(end)  # else another line would follow half of this one
            raise

    def _read(self, path: Path, header: dict[str, Any], accept_changes: bool) -> None:
        content = self._file.readall()
        *lines, rest = content.split(b"\n")
        complete = _is_json(rest)  # but for its newline, which an editor may have removed
        if complete:
            lines.append(rest)
        headers = []
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                table = parse_json(line)
                if "fingerprint" in table:
                    headers.append(table)
                    self.repeats_in_succession = 0
                    continue
                record = self._compared(from_table(table))
            except ValueError:
                raise SettingFault("out", f"{path}: line {number} is not a game's record") from None
            if not headers:
                raise SettingFault("out", f"{path}: does not begin with a configuration")
            self._count(record)
        changed = not headers or headers[-1]["fingerprint"] != header["fingerprint"]
        if self.records and changed and not accept_changes:
            names = _differences(headers[-1].get("configuration"), header["configuration"])
            names = names or ["the files of openings"]
            raise SettingFault(
                "out",
                f"{path} holds games of another configuration (changed: {', '.join(names)});"
                " choose another folder or allow this with --accept-changes",
            )
        if complete:
            self._file.write(b"\n")
        elif rest:
            self._file.truncate(len(content) - len(rest))
        if changed:
            self._header = header
            self.repeats_in_succession = 0


def write_sgf(record: GameRecord, event: str, folder: Path) -> None:
    """Write a game's SGF file into a folder; raises `OSError`."""
    write_whole(folder / record.sgf_name, to_sgf(record.sgf_record(event)).encode())


def _header(settings: MatchSettings, openings: str) -> dict[str, Any]:
    return {"fingerprint": settings.fingerprint(openings), "configuration": settings.table()}


def _differences(old: Any, new: Any, key: str = "") -> list[str]:
    """Return the keys of the values that differ between two configurations."""
    if isinstance(old, dict) and isinstance(new, dict):
        names: Iterable[str] = sorted({*old, *new} - (set() if key else {*IRRELEVANT}))
        deeper = (
            (old.get(name), new.get(name), f"{key}.{name}" if key else name) for name in names
        )
    elif isinstance(old, list | tuple) and isinstance(new, list | tuple) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        deeper = ((before, after, f"{key}[{index}]") for index, (before, after) in pairs)
    else:
        return [] if old == new else [key]
    return [name for before, after, place in deeper for name in _differences(before, after, place)]


def _is_json(line: bytes) -> bool:
    """Return whether a line holds a whole object; no proper beginning of an object is one."""
    try:
        parse_json(line)
    except SettingFault:
        return False
    return True


def _remove_empty_file(path: Path) -> None:
    with contextlib.suppress(OSError):
        if stat.S_ISREG(path.stat().st_mode) and path.stat().st_size == 0:
            path.unlink()


def _remove_empty_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


def _settle(folder: Path) -> None:
    """Sync a folder's list of files to the disk, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


_BINARY: Final = getattr(os, "O_BINARY", 0)
