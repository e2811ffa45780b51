"""The progress of a compilation and its remaining time."""

import time
from pathlib import Path

import pytest

from linage_bot.engine.jit.progress import measured, progress, ready, record
from linage_bot.engine.jit.single_compile import under_way


def made(folder: Path, name: str, notes: int) -> None:
    """Run a compilation that makes `notes` notes."""
    folder.mkdir(exist_ok=True)
    with measured(folder, name):
        record(notes)


def test_nobody_compiles(tmp_path: Path) -> None:
    """Before and after a compilation, or without a folder, there is no progress."""
    assert progress(None, "thing") is None
    assert progress(tmp_path, "thing") is None
    made(tmp_path, "thing", 3)
    assert progress(tmp_path, "thing") is None
    assert [path.name for path in tmp_path.iterdir()] == [ready(tmp_path, "thing").name]


def test_it_moves_as_the_last_time_lets_expect(tmp_path: Path) -> None:
    """Progress follows the previous compilation, even of another version."""
    made(tmp_path / "code-1", "thing", 100)
    made(tmp_path / "code-1", "other", 3)
    (tmp_path / "code-2").mkdir()
    shares = []
    with measured(tmp_path / "code-2", "thing"):
        for _ in range(5):
            record(20)
            seen = progress(tmp_path / "code-2", "thing")
            assert seen is not None
            assert seen.seconds_left >= 0
            shares.append(seen.share)
    assert shares == sorted(shares)
    assert 0.1 < shares[0] < 0.4
    assert 0.9 < shares[-1] < 1
    assert len(set(shares)) == 5


def test_more_than_the_last_time(tmp_path: Path) -> None:
    """Progress stays below 1 until the compilation ends, even if it is longer than the last."""
    made(tmp_path / "code-1", "thing", 10)
    (tmp_path / "code-2").mkdir()
    with measured(tmp_path / "code-2", "thing"):
        record(1000)
        seen = progress(tmp_path / "code-2", "thing")
        assert seen is not None
        assert seen.share < 1


@pytest.mark.parametrize("content", [b"", b"\xff\n...", b"noon\n"])
def test_a_file_with_nonsense_in_it(tmp_path: Path, content: bytes) -> None:
    """A damaged file gives no progress."""
    (tmp_path / "thing.progress").write_bytes(content)
    assert progress(tmp_path, "thing") is None


def test_nonsense_about_the_last_time(tmp_path: Path) -> None:
    """A damaged record of the last compilation is ignored."""
    (tmp_path / "code-1").mkdir()
    ready(tmp_path / "code-1", "thing").write_text("long")
    (tmp_path / "code-2").mkdir()
    with measured(tmp_path / "code-2", "thing"):
        assert progress(tmp_path / "code-2", "thing") is not None


def test_what_fails_was_not_the_last_time(tmp_path: Path) -> None:
    """A failed compilation leaves no file."""
    with pytest.raises(MemoryError), measured(tmp_path, "thing"):
        raise MemoryError
    assert list(tmp_path.iterdir()) == []


def test_a_slow_start_is_not_the_end(tmp_path: Path) -> None:
    """On a slow machine some time always remains."""
    made(tmp_path / "code-1", "thing", 100)
    (tmp_path / "code-2").mkdir()
    long_ago = time.time() - 60
    (tmp_path / "code-2" / "thing.progress").write_bytes(f"{long_ago}\n".encode() + 5 * b".")
    seen = progress(tmp_path / "code-2", "thing")
    assert seen is not None
    assert seen.seconds_left > 60


def test_notes_of_who_was_killed(tmp_path: Path) -> None:
    """Notes of a killed process are ignored."""
    (tmp_path / "thing.progress").write_bytes(f"{time.time()}\n...".encode())
    assert under_way("thing", tmp_path) is None
    made(tmp_path, "thing", 3)
    (tmp_path / "thing.progress").write_bytes(f"{time.time()}\n...".encode())
    assert under_way("thing", tmp_path) is None
