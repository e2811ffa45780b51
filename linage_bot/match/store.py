"""The games of an event on disk: one file that only grows, from which everything can be rebuilt.

`results.jsonl` in the event's folder holds one JSON object a line: first the configuration and its
fingerprint, then a record for each game that was finished. A line counts once its newline is
there; what a crash left behind the last newline is dropped when the file is opened again. A record
is on the disk before the next game of its slot begins, so a game is never lost, and its key is
there, so it is never played twice. While an event runs, its file is locked.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from linage_bot.arena.records import GameRecord, Key, from_table, to_table
from linage_bot.records import to_sgf
from linage_bot.settings.checks import SettingFault, file_under
from linage_bot.settings.files import write_whole
from linage_bot.settings.match import IRRELEVANT, MatchSettings
from linage_bot.settings.reading import parse_json

FILE_NAME: Final = "results.jsonl"


class EventStore:
    """An event's file, open for appending; `records` are the games in it."""

    def __init__(self, file: io.FileIO, folder: Path, event: str) -> None:
        self.records: dict[Key, GameRecord] = {}
        self.folder = folder
        self._file = file
        self._event = event

    @classmethod
    def open(
        cls, settings: MatchSettings, accept_changes: bool = False, openings: str = ""
    ) -> EventStore:
        """Open or begin the file of an event; raises `SettingFault`, having changed nothing.

        A file that holds games of another configuration is refused unless `accept_changes`.
        `openings` is a hash of the opening files.
        """
        folder = Path(settings.out)
        path = folder / FILE_NAME
        with file_under("out", path), contextlib.ExitStack() as undo:
            folder.mkdir(parents=True, exist_ok=True)
            file = io.FileIO(os.open(path, os.O_RDWR | os.O_CREAT | _BINARY, 0o666), "r+")
            undo.callback(file.close)
            store = cls(file, folder, settings.name)
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise SettingFault("out", f"{path}: not a regular file")
            _lock(file, path)
            store._read(path, _header(settings, openings), accept_changes)
            store._restore_sgf()
            undo.pop_all()
        return store

    def append(self, record: GameRecord) -> None:
        """Keep a game: its SGF file, then its record; on the disk when this returns.

        Raises `ValueError` for a game that is there already, `OSError` when the disk fails.
        """
        if record.key in self.records:
            raise ValueError(f"game {record.number} is recorded already")
        self._write_sgf(record)
        self._write(to_table(record))
        self.records[record.key] = record

    def close(self) -> None:
        """Let others use the file."""
        self._file.close()

    def _write_sgf(self, record: GameRecord) -> None:
        text = to_sgf(record.sgf_record(self._event))
        write_whole(self.folder / record.sgf_name, text.encode())

    def _restore_sgf(self) -> None:
        """Write SGF files again that a power cut has taken: they are not brought to the disk."""
        for record in self.records.values():
            path = self.folder / record.sgf_name
            if not path.exists() or path.stat().st_size == 0:
                self._write_sgf(record)

    def _write(self, table: dict[str, Any]) -> None:
        line = json.dumps(table, separators=(",", ":")).encode() + b"\n"
        self._file.seek(0, os.SEEK_END)
        while line:
            line = line[self._file.write(line) :]
        os.fsync(self._file.fileno())

    def _read(self, path: Path, header: dict[str, Any], accept_changes: bool) -> None:
        whole, newline, rest = self._file.readall().rpartition(b"\n")
        lines = whole.split(b"\n") if newline else []
        headers = []
        for number, line in enumerate(lines, 1):
            try:
                table = parse_json(line)
                if "fingerprint" in table:
                    headers.append(table)
                    continue
                record = from_table(table)
            except ValueError:
                raise SettingFault("out", f"{path}: line {number} is not a game's record") from None
            if not headers:
                raise SettingFault("out", f"{path}: does not begin with a configuration")
            self.records[record.key] = record
        changed = not headers or headers[-1]["fingerprint"] != header["fingerprint"]
        if headers and changed and not accept_changes:
            names = _differences(headers[-1].get("configuration"), header["configuration"])
            names = names or ["the files of openings"]
            raise SettingFault(
                "out",
                f"{path} holds games of another configuration (changed: {', '.join(names)});"
                " choose another folder or accept the changes",
            )
        if rest:
            self._file.truncate(len(whole) + len(newline))
        if changed:
            self._write(header)
            _settle(self.folder)


def _header(settings: MatchSettings, openings: str) -> dict[str, Any]:
    return {"fingerprint": settings.fingerprint(openings), "configuration": settings.as_table()}


def _differences(old: Any, new: Any, key: str = "") -> list[str]:
    """The keys of the values that two configurations do not share."""
    if isinstance(old, dict) and isinstance(new, dict):
        names: Iterable[str] = sorted({*old, *new} - set(IRRELEVANT))
        deeper = (
            (old.get(name), new.get(name), f"{key}.{name}" if key else name) for name in names
        )
    elif isinstance(old, list | tuple) and isinstance(new, list | tuple) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        deeper = ((before, after, f"{key}[{index}]") for index, (before, after) in pairs)
    else:
        return [] if old == new else [key]
    return [name for before, after, place in deeper for name in _differences(before, after, place)]


def _settle(folder: Path) -> None:
    """Bring a folder's list of files to the disk, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


_BINARY: Final = getattr(os, "O_BINARY", 0)


def _lock(file: io.FileIO, path: Path) -> None:
    """Two runners on one file would play every game twice."""
    if sys.platform == "win32":
        return  # there is no advisory lock that leaves the file readable
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SettingFault("out", f"{path}: another runner is at work on it") from None
    except OSError:  # a file system without locks
        with contextlib.suppress(OSError):
            file.seek(0)
