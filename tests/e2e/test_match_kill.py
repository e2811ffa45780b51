"""The runner killed again and again: no game is lost, none is played twice."""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def write_event(path, out, games):
    engine = [sys.executable, str(ROOT / "tests/e2e/match_engine.py")]
    lines = [f"games = {games}", f"out = {json.dumps(str(out))}", "concurrency = 2"]
    lines += ["game = { size = 5 }", "openings = { random_moves = 4, seed = 3 }"]
    for name in ("ada", "bea"):
        lines += ["[[engines]]", f"name = '{name}'"]
        lines += [f"command = {json.dumps([*engine, f'seed={name}'])}"]
    path.write_text("\n".join(lines))
    return path


def start(path):
    return subprocess.Popen(
        [sys.executable, "-m", "linage_bot", "match", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def kill_after(process, file, rng):
    """Kill it at a random moment: before its first game, or some games later, or in between."""
    size = file.stat().st_size if file.exists() else 0
    more = rng.choice((-1, 0, 1000, 2000, 4000))  # bytes; a game is about 600
    while more >= 0 and (not file.exists() or file.stat().st_size <= size + more):
        assert process.poll() is None
        time.sleep(0.001)
    time.sleep(rng.uniform(0, 0.03))
    assert process.poll() is None
    process.kill()
    process.communicate()


def results(out):
    """Return the games by key, with the facts used in statistics, and the number of records."""
    lines = (out / "results.jsonl").read_bytes().splitlines()[1:]
    records = [json.loads(line) for line in lines]
    return {
        json.dumps(record["key"]): (record["players"], record["moves"], record["result"])
        for record in records
    }, len(records)


def summary(shown):
    """The table without times, and all figures."""
    lines = shown.splitlines()
    table = next(n for n, line in enumerate(lines) if line.startswith("engine"))
    return [line.split()[:10] for line in lines[table : table + 3]] + lines[table + 3 :]


def play_while_the_runner_is_killed(tmp_path, games, kills):
    quiet = write_event(tmp_path / "quiet.toml", tmp_path / "quiet", games)
    undisturbed, errors = start(quiet).communicate(timeout=120)
    assert errors == ""

    path = write_event(tmp_path / "event.toml", tmp_path / "out", games)
    rng = random.Random(1)
    for _ in range(kills):
        kill_after(start(path), tmp_path / "out/results.jsonl", rng)
    process = start(path)
    shown, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, "")

    played, count = results(tmp_path / "out")
    assert count == len(played) == games
    assert played == results(tmp_path / "quiet")[0]
    assert summary(shown) == summary(undisturbed)
    assert len(list((tmp_path / "out").glob("*.sgf"))) == games


@pytest.mark.thorough
def test_a_runner_killed_at_any_moment_loses_and_doubles_no_game(tmp_path):
    """After six kills games and table are those of an event left in peace; no SGF is missing."""
    play_while_the_runner_is_killed(tmp_path, 60, 6)


@pytest.mark.slow
def test_a_runner_killed_twenty_times_in_two_hundred_games_loses_and_doubles_none(tmp_path):
    """The same at length, again game by game against an event left in peace."""
    play_while_the_runner_is_killed(tmp_path, 200, 20)
