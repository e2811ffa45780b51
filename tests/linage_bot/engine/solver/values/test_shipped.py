"""The values that come with the program, compared with values computed from nothing."""

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from benchmarks.small_regions import is_free
from benchmarks.small_values import arrays_of, from_nothing
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.records import MOST_VALUED, NO_VALUE
from linage_bot.engine.solver.values import shipped
from tests.linage_bot.engine.solver.law import Cell
from tests.linage_bot.engine.solver.values.test_values import token_of, written


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a copy of the file that a test may damage."""
    path = tmp_path / "shipped.npz"
    path.write_bytes(shipped.FILE.read_bytes())
    monkeypatch.setattr(shipped, "FILE", path)
    shipped.beginning.cache_clear()
    yield path
    shipped.beginning.cache_clear()


def grown(line: int, chance: random.Random) -> frozenset[Cell]:
    """Return a free region of twelve points."""
    while True:
        cells = {(0, 0)}
        while len(cells) < MOST_VALUED:
            x, y = chance.choice(sorted(cells))
            cells.add(chance.choice([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]))
        if is_free(frozenset(cells), line):
            return frozenset(cells)


@pytest.mark.parametrize("line", shipped.LINES)
def test_a_region_of_twelve_points_is_known_at_once(line: int) -> None:
    """A region of twelve points is known from the file, with its value, mean and temperature."""
    chance = random.Random(line)
    known, finding = Arena(line).regions, from_nothing(line)
    before = known.used
    for _ in range(30):
        shape = grown(line, chance)
        token, own = token_of(known, shape), token_of(finding, shape)
        assert known.records[token >> 1]["value"] != NO_VALUE
        assert known.written(token) == finding.written(own)
        assert known.heat(token) == finding.heat(own)
    assert known.used <= before + 30  # nothing had to be found


@pytest.mark.parametrize("line", shipped.LINES)
def test_no_two_forms_have_a_key_in_common(line: int) -> None:
    """Different forms have different keys, so that their results cannot be confused."""
    records = Arena(line).regions.records
    keys = records["key"][(records["points"] == 0) & (records["lefts"] > 0)]
    assert len(keys) > 20
    assert len(np.unique(keys)) == len(keys)


@pytest.mark.slow
@pytest.mark.parametrize("line", shipped.LINES)
def test_the_file_is_made_again_bit_for_bit(line: int) -> None:
    """Generating the file again gives the same shapes and forms."""
    with shipped.FILE.open("rb") as file, np.load(file) as archive:
        for name, array in arrays_of(line).items():
            assert np.array_equal(archive[f"{line}-{name}"], array), name


@pytest.mark.parametrize("damage", ["missing", "truncated", "changed", "foreign"])
def test_without_a_good_file_values_are_found(
    file: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Without a valid file the same values are found after one warning."""
    data = file.read_bytes()
    middle = len(data) // 2
    if damage == "missing":
        file.unlink()
    else:
        file.write_bytes(
            {
                "truncated": data[:middle],
                "changed": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :],
                "foreign": b"something else",
            }[damage]
        )
    square = [(x, y) for x in range(3) for y in range(3)]
    values = {written(Arena(line).regions, square) for line in (3, 3)}
    assert values == {"{4|-4}"}
    assert [record.levelname for record in caplog.records] == ["WARNING"]
