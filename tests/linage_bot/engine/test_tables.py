"""Tables that come with the package."""

import json
import logging
from pathlib import Path

import pytest

from benchmarks.solved_boards import write_rows
from linage_bot.engine.pie.fair import TABLE as OPENINGS
from linage_bot.engine.solver.solved_boards import TABLE as SOLVED
from linage_bot.engine.tables import read_rows, read_table

ROWS = [{"size": "3", "best": ["A1"]}, {"size": "4", "best": []}]


@pytest.mark.parametrize("name", [SOLVED, OPENINGS])
def test_the_tables_shipped_are_whole(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """The shipped tables have correct checksums."""
    assert read_table.__wrapped__(name)
    assert not caplog.records


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """Rows written to a table are read back unchanged."""
    write_rows(tmp_path / "table.json", ROWS)
    assert read_rows(tmp_path / "table.json") == tuple(ROWS)


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace('"4"', '"5"'),
        lambda text: text[:-10],
        lambda text: text.replace('"version": 1', '"version": 2'),
        lambda text: json.dumps(json.loads(text)["rows"]),
        lambda _text: "",
        lambda _text: "[" * 100_000,
    ],
)
def test_a_damaged_table_is_not_used_after_one_line_of_warning(
    damage, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A damaged table counts as empty and is logged in one line; a missing one counts as empty."""
    file = tmp_path / "table.json"
    write_rows(file, ROWS)
    file.write_text(damage(file.read_text()))
    with caplog.at_level(logging.WARNING):
        assert read_rows(file) == ()
    assert len(caplog.records) == 1
    assert read_rows(tmp_path / "missing.json") == ()
