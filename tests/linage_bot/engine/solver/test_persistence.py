"""Saving the solver's table on disk, and failures of the disk or its files."""

import json
import logging
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from linage_bot.cli import main
from linage_bot.engine.solver import budgets
from linage_bot.engine.solver.budgets import SearchBudget
from linage_bot.engine.solver.persistence import (
    MOST_POINTS,
    keep_regions,
    load_regions,
    resume,
    save,
    values_folder,
)
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.solving import SumSolving
from linage_bot.rules.linage import Linage

unix = pytest.mark.skipif(sys.platform == "win32", reason="other users have no rights there")
SIZE, SCORE = "5x4", 13
LARGER_SIZE, LARGER_SCORE = "5", 7


def solve(arena: Arena, size: str = SIZE, score: int = SCORE) -> int:
    """Solve a board, check its score and return the number of nodes searched."""
    before = arena.nodes
    solving = SumSolving(arena, Linage.configure(size, 0).start())
    solving.run(SearchBudget())
    assert solving.exact
    assert solving.value.low == score
    return arena.nodes - before


def from_table(folder: Path) -> Arena:
    arena = Arena(3)
    load_regions(folder, arena)
    return arena


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Return a folder with a valid table."""
    arena = Arena(3)
    solve(arena)
    keep_regions(tmp_path / "table", arena)
    return tmp_path / "table"


def cells_of(region: Any) -> list[tuple[int, int]]:
    """Return the cells of a stored shape."""
    points, stride = int(region["low"]) | int(region["high"]) << 64, int(region["width"]) + 1
    return [(bit % stride, bit // stride) for bit in range(128) if points >> bit & 1]


def shapes(arena: Arena) -> int:
    """Return the number of known regions that a table can store."""
    return len(arena.regions.kept(MOST_POINTS))


def only_file(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def test_a_second_run_knows_what_the_first_has_proven(table: Path) -> None:
    """A second run needs fewer nodes because it loads the results of the first."""
    assert solve(from_table(table)) < 0.8 * solve(Arena(3))


def test_a_new_run_knows_all_that_is_in_the_table(tmp_path: Path) -> None:
    """A run that loads a saved table has at least three quarters of its more than 10,000 shapes."""
    arena = Arena(3)
    SumSolving(arena, Linage.configure("5x6", 0).start()).run(SearchBudget(last_node=60_000))
    keep_regions(tmp_path, arena)
    assert shapes(from_table(tmp_path)) > 0.75 * shapes(arena) > 10_000


def test_every_bound_of_the_table_is_true(table: Path) -> None:
    """The saved bounds of a region agree with the bounds that a fresh search proves."""
    chosen = from_table(table).regions.kept(MOST_POINTS)[::67]
    assert len(chosen) > 20
    for record in chosen:
        fresh = Arena(3)
        token = fresh.regions.token(cells_of(record))
        assert token is not None
        low, high = int(record["bounds"][0]), int(record["bounds"][1])
        assert fresh.at_least([token], low, SearchBudget())
        assert not fresh.at_least([token], high + 1, SearchBudget())


def test_what_was_found_until_the_end_of_time_is_kept(table: Path) -> None:
    """Results of a search that ran out of its limit are saved along with the older ones."""
    before = shapes(from_table(table))
    arena = Arena(3, most_bytes=1 << 20)
    solving = SumSolving(arena, Linage.configure("6", 0).start())
    solving.run(SearchBudget(last_node=50_000))
    assert not solving.exact
    keep_regions(table, arena)
    assert shapes(from_table(table)) > before


@pytest.mark.parametrize("damage", ["truncated", "empty", "changed", "foreign", "other version"])
def test_a_damaged_table_is_rebuilt_with_one_warning(
    table: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A damaged table is replaced after one warning, and the values are right."""
    file = only_file(table)
    data = file.read_bytes()
    file.write_bytes(
        {
            "truncated": data[: len(data) // 2],
            "empty": b"",
            "changed": data[:-100] + bytes([data[-100] ^ 1]) + data[-99:],
            "foreign": b"something else\n" + data,
            "other version": data.replace(b"8-0", b"7-0"),
        }[damage]
    )
    with caplog.at_level(logging.INFO):
        arena = from_table(table)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert shapes(arena) == 0
    solve(arena)
    keep_regions(table, arena)
    caplog.clear()
    assert shapes(from_table(table)) > 100
    assert not caplog.records


def forged(file: Path) -> None:
    """Write a well-formed table that gives every region an impossible value."""
    with np.load(file) as archive:
        arrays = dict(archive)
    arrays["8-0"]["bounds"] = 99
    np.savez(file.with_suffix(".npz"), **arrays)
    file.with_suffix(".npz").replace(file)


def not_believed(table: Path, caplog: pytest.LogCaptureFixture, why: str) -> None:
    """Check that a table is ignored with one line in the log and replaced by a private one."""
    with caplog.at_level(logging.INFO):
        arena = from_table(table)
    (record,) = caplog.records
    assert why in record.message
    assert "it will be computed again" in record.message
    assert shapes(arena) == 0
    solve(arena)
    keep_regions(table, arena)
    caplog.clear()
    assert shapes(from_table(table)) > 100
    assert not caplog.records


def test_numbers_that_are_not_as_they_were_written_are_not_believed(
    table: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A forged table in the right format is ignored."""
    forged(only_file(table))
    not_believed(table, caplog, "damaged or of another version")


def test_the_table_of_other_lines_is_not_believed(
    table: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A table for another line length is ignored, even under the right file name."""
    longer = Arena(4)
    SumSolving(longer, Linage.configure("4", 0, {"line": "4"}).start()).run(SearchBudget())
    keep_regions(table, longer)
    (table / "line-4.values").replace(table / "line-3.values")
    not_believed(table, caplog, "damaged or of another version")


@unix
@pytest.mark.parametrize("mode", [0o666, 0o660, 0o602])
def test_a_table_that_others_may_write_is_not_believed(
    table: Path, mode: int, caplog: pytest.LogCaptureFixture
) -> None:
    """A table that other users can write is ignored and replaced by a private one."""
    only_file(table).chmod(mode)
    not_believed(table, caplog, "other users can write to it")
    assert stat.S_IMODE(only_file(table).stat().st_mode) == 0o600


@unix
def test_a_table_of_another_user_is_not_believed(
    table: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A table that belongs to another user is ignored."""
    if os.getuid():
        pytest.skip("only root can give files away")
    os.chown(only_file(table), 12345, -1)
    not_believed(table, caplog, "other users can write to it")


@unix
def test_a_folder_for_values_that_others_may_write_is_closed_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A folder that others can write is made private with one log line."""
    monkeypatch.setenv("LINAGE_BOT_CACHE", str(tmp_path))
    (tmp_path / "values").mkdir()
    (tmp_path / "values").chmod(0o777)
    assert values_folder() == values_folder() == tmp_path / "values"
    (record,) = caplog.records
    assert record.message.endswith(
        "values: other users could write to it; its permissions are now corrected"
    )
    assert stat.S_IMODE((tmp_path / "values").stat().st_mode) == 0o755
    if os.getuid() == 0:
        os.chown(tmp_path / "values", 12345, -1)
        assert values_folder() is None


def test_tables_of_two_runs_are_merged(table: Path) -> None:
    """Saving keeps the results that another process has added to the table."""
    other = Arena(3)
    solving = SumSolving(other, Linage.configure("3x7", 0).start())
    solving.run(SearchBudget())
    before = shapes(from_table(table))
    keep_regions(table, other)
    merged = from_table(table)
    assert shapes(merged) > before
    assert solve(merged) < 0.8 * solve(Arena(3))


def test_where_nothing_can_be_written_values_are_right(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Without a writable folder the values are right, with one warning and no table."""
    (tmp_path / "file").write_text("in the way")
    arena = Arena(3)
    solve(arena)
    with caplog.at_level(logging.INFO):
        keep_regions(tmp_path / "file" / "table", arena)
    (record,) = caplog.records
    assert "cannot be stored" in record.message


def test_a_full_disk_leaves_no_debris(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """If the disk is full, the old table stays unchanged and no partial file remains."""
    arena = Arena(3)
    solve(arena)

    def full(_self: Path, _target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    keep_regions(tmp_path, arena)
    assert "No space left on device" in caplog.text
    assert not [path for path in tmp_path.iterdir() if path.is_file()]


@pytest.mark.thorough
def test_two_processes_at_once_give_right_values(own_table: Path) -> None:
    """Two processes can use one table at once, without warnings or damage."""
    command = [sys.executable, "-m", "linage_bot", "solve", "--size", SIZE, "--json"]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in running:
        output, errors = process.communicate(timeout=240)
        assert process.returncode == 0, errors
        assert json.loads(output)["score"] == SCORE
        assert "damaged" not in errors
        assert "cannot" not in errors
    assert shapes(from_table(own_table)) > 100


def test_a_run_broken_off_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    """A run that continues from a checkpoint searches only the remaining part."""
    arena = Arena(3)
    whole = solve(arena)
    assert save(tmp_path, arena)
    again = Arena(3)
    resume(tmp_path, again)
    assert again.entries == pytest.approx(arena.entries, rel=0.01)  # some buckets may be full
    assert solve(again) < whole / 20


def test_a_checkpoint_in_many_parts_is_used_up_to_the_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Large tables are written in parts; parts before a damaged one are used, with a warning."""
    monkeypatch.setattr(budgets, "_MOST_PART", 1 << 9)
    arena = Arena(3)
    whole = solve(arena)
    folder = tmp_path / "checkpoint"
    assert save(folder, arena)
    again, part = Arena(3), Arena(3)
    resume(folder, again)
    assert again.entries == pytest.approx(arena.entries, rel=0.01)
    assert solve(again) < whole / 20
    file = only_file(folder)
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    resume(folder, part)
    assert 0.2 * arena.entries < part.entries < 0.8 * arena.entries
    assert solve(part) < whole
    (record,) = caplog.records
    assert "damaged or of another version" in record.message


def test_what_a_checkpoint_knows_is_right_for_larger_boards(tmp_path: Path) -> None:
    """A checkpoint gives right values on a larger board, with one thread or two."""
    arena = Arena(3)
    solve(arena)
    assert save(tmp_path, arena)
    for threads in (1, 2):
        again = Arena(3, threads=threads)
        resume(tmp_path, again)
        solve(again, LARGER_SIZE, LARGER_SCORE)


def test_a_checkpoint_goes_on_with_more_or_less_memory(tmp_path: Path) -> None:
    """A checkpoint can be loaded with less or more memory."""
    arena = Arena(3)
    whole = solve(arena)
    assert save(tmp_path, arena)
    less, more = Arena(3, most_bytes=1 << 16), Arena(3, most_bytes=1 << 32)
    resume(tmp_path, less)
    resume(tmp_path, more)
    assert less.entries <= (1 << 16) // 16
    assert more.entries == pytest.approx(arena.entries, rel=0.01)
    assert solve(more) <= solve(less) < whole


def test_the_command_keeps_checkpoints(tmp_path: Path) -> None:
    """With `--checkpoint` a second run has nothing left to search."""

    def run() -> int:
        arguments = ("solve", "--size", SIZE, "--json", "--checkpoint", str(tmp_path / "here"))
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0, result.stderr
        values = json.loads(result.stdout)
        assert values["score"] == SCORE
        return int(values["nodes"])

    assert run() > 1000
    assert run() < 100
