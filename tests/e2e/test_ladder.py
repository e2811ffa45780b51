"""`linage-bot ladder` as a user runs it: real engines, stopped and begun again, on a cluster."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.engine import PATIENCE_SECONDS, ROOT
from tests.e2e.processes import posix_only

ENGINE = [sys.executable, str(ROOT / "tests/e2e/match_engine.py")]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
FAR, NEAR, NEW = (
    [*ENGINE, *words] for words in (("seed=1", "resign"), ("seed=any",), ("seed=any",))
)

pytestmark = posix_only


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A ladder of a random player: a rung that plays as it does, and one that gives up at once."""
    file = tmp_path / "ladder.toml"
    file.write_text(
        f"out = {json.dumps(str(tmp_path / 'out'))}\nerror = 200\n[game]\nsize = 5\n"
        f"[engine]\nname = 'new'\ncommand = {json.dumps(NEW)}\n"
        f"[[rungs]]\nname = 'far'\nelo = -700\ncommand = {json.dumps(FAR)}\n"
        f"[[rungs]]\nname = 'near'\nelo = 0\ncommand = {json.dumps(NEAR)}\n"
    )
    return file


def start(file: Path, *options: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", "linage_bot", "ladder", str(file), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )


def games(file: Path) -> list[dict]:
    """Return the recorded games, and check that none was played twice."""
    lines = (file.parent / "out/results.jsonl").read_text().splitlines()[1:]
    found = [json.loads(line) for line in lines]
    assert all("new" in each["players"] for each in found)
    assert len({each["number"] for each in found}) == len(found)
    return found


def rating(shown: str) -> tuple[float, float, int]:
    """The rating, its error, and after how many games."""
    line = next(line for line in shown.splitlines() if line.startswith("new "))
    rated, _, count = line.partition(" after ")
    elo, error = rated.removeprefix("new ").split(" ± ")
    return float(elo), float(error), int(count.split()[0])


@pytest.mark.thorough
def test_a_ladder_is_climbed_and_goes_on_where_it_was_stopped(file: Path) -> None:
    """No game is lost or played twice, and an equal is found to be one.

    The wanted error may change between the runs.
    """
    text = file.read_text()
    file.write_text(text.replace("error = 200", "error = 20"))  # hundreds of games
    process = start(file)
    assert process.stdout is not None
    shown = [process.stdout.readline() for _ in range(5)]
    assert shown[0].startswith("Linage 5x5, komi 0.5: new against 2 rungs from far (-700)")
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, errors) == (130, "")
    assert "Run the same command again to continue." in rest
    begun = games(file)
    assert len(begun) >= 4
    file.write_text(text)
    report = file.parent / "report"
    process = start(file, "--report", str(report))
    shown, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, errors) == (0, "")
    assert f"{len(begun)} games already played: new " in shown
    played = games(file)
    assert played[: len(begun)] == begun
    elo, error, count = rating(shown)
    assert error <= 200
    assert abs(elo) <= 2 * error
    assert count == len(played)
    assert "new" in (report / "index.html").read_text()


@pytest.mark.thorough
def test_a_fault_is_told_by_the_keys_that_the_file_has(file: Path) -> None:
    """An engine that cannot start, and settings changed since the first game, are named by key."""
    text = f"games = 2\n{file.read_text()}".partition("[[rungs]]\nname = 'near'")[0]
    changed = f"{file.parent / 'out/results.jsonl'} holds games of another configuration (changed: "
    for words, fault in (
        (
            text.replace(json.dumps(FAR), "'no-such-engine'"),
            "rungs[0].command: cannot start 'no-such-engine'",
        ),
        (text, ""),
        (text.replace("'far'", "'else'"), f"out: {changed}rungs[0].name);"),
        (text.replace("'new'", "'old'"), f"out: {changed}engine.name);"),
        (f"{text}[[rungs]]\nelo = 5\ncommand = 'engine'\n", f"out: {changed}rungs);"),
    ):
        file.write_text(words)
        process = start(file)
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == (2 if fault else 0)
        assert errors.startswith(f"linage-bot: {file}: {fault}" if fault else "")


@pytest.mark.thorough
def test_a_ladder_is_climbed_on_a_cluster(file: Path) -> None:
    """A ladder can run on a cluster, with the same file and a similar result."""
    pytest.importorskip("distributed", reason="needs the extra `cluster`")
    file.write_text(file.read_text().replace("error = 200", "error = 300"))
    process = start(file, "--cluster", "local")
    shown, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, errors) == (0, "")
    elo, error, count = rating(shown)
    assert error <= 300
    assert abs(elo) <= 2 * error
    assert count == len(games(file))
