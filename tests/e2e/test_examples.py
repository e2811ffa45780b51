"""Every program in `examples/` does what its docstring says."""

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from linage_bot import Record, from_sgf, game, to_sgf
from tests.e2e.engine import PATIENCE_SECONDS, ROOT
from tests.e2e.notebook import code_cells, shown_values
from tests.e2e.processes import posix_only

EXAMPLES = ROOT / "examples"
PAGE = (ROOT / "docs/write-an-engine.md").read_text(encoding="utf-8")
BIN = Path(sys.executable).parent  # where `python` and `linage-bot` are
ENVIRONMENT = {
    **os.environ,
    "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
    "PYTHONPATH": str(ROOT),
}
LINAGE = game("linage", size=5, komi=0.5)


def run(command: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command as the docstring of an example gives it."""
    return subprocess.run(
        [*shlex.split(command), *arguments],
        capture_output=True,
        encoding="utf-8",
        env=ENVIRONMENT,
        timeout=2 * PATIENCE_SECONDS,
        check=False,
        cwd=ROOT,
    )


def shown(command: str, *arguments: str | Path) -> str:
    """Return the output of a command, which must succeed."""
    done = run(command, *arguments)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout


def test_each_example_opens_with_its_commands() -> None:
    """Each program begins with its purpose and its command."""
    programs = sorted(EXAMPLES.glob("*.py"))
    assert programs
    for program in programs:
        lines = program.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith('"""')
        assert f"python examples/{program.name}" in "\n".join(lines[1:8])
        assert 30 <= len(lines) <= 80, program.name


def test_the_page_shows_the_engine_as_it_is() -> None:
    """The code on the page about engines is that of the example."""
    code = (EXAMPLES / "own_engine.py").read_text(encoding="utf-8")
    assert f"<!-- examples/own_engine.py -->\n```python\n{code}```\n" in PAGE


def commands_of_a_match(needed: bool = False) -> list[str]:
    """Return the commands in the page's table in their order; `needed`: the required ones."""
    table = PAGE.partition("| when | command | |\n|---|---|---|\n")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()]
    names = [
        name
        for when, commands, need in rows
        if not needed or (need == "required" and "pie" not in when)
        for name in re.findall(r"`([a-z_-]+)(?: [^`]*)?`", commands)
    ]
    return [name for name in dict.fromkeys(names) if name != "start_commands"]


def heard(file: Path, log: Path, engine: str, *changes: tuple[str, str]) -> list[str]:
    """Play the event of a file with changes; return the lines that an engine receives."""
    text = file.read_text(encoding="utf-8")
    recorded = json.dumps(["sh", "-c", f"tee -a {shlex.quote(str(log))} | {engine}"])
    for old, new in (*changes, (json.dumps(engine), recorded)):
        assert old in text
        text = text.replace(old, new)
    event = log.with_suffix(".toml")
    event.write_text(text, encoding="utf-8")
    shown(f"linage-bot {file.stem.rpartition('_')[2]}", event)
    return log.read_text().splitlines()


@posix_only
@pytest.mark.thorough
def test_the_own_engine_plays_a_match_by_the_rules(tmp_path: Path) -> None:
    """It loses no game by a fault, and receives the lines that the page shows."""
    lines = heard(
        EXAMPLES / "own_engine_match.toml",
        tmp_path / "heard",
        "python examples/own_engine.py",
        ('"runs/own-engine"', json.dumps(str(tmp_path / "out"))),
        ("games = 10", "games = 2"),
    )
    found = re.search(r"<!-- heard in a match -->\n```\n(.*?)```", PAGE, re.DOTALL)
    assert found
    pattern = re.sub(r"(?<=play . )\w+", r"\\w+", found[1]).replace("…", "[^…]*")
    assert re.fullmatch(pattern, "".join(f"{line}\n" for line in lines)), lines
    required = {*commands_of_a_match(needed=True)} - {"rectangular_boardsize"}
    assert {line.split()[0] for line in lines} == {*required, "quit"}
    records = [from_sgf(file.read_bytes()) for file in (tmp_path / "out").glob("*.sgf")]
    assert len(records) == 2
    for record in records:
        assert record.result == str(record.history().position.result())


@posix_only
@pytest.mark.thorough
def test_an_engine_with_all_commands_receives_them_in_order(tmp_path: Path) -> None:
    """The engine of linage-bot receives, with a clock and an opening, the page's list."""
    lines = heard(
        EXAMPLES / "own_engine_match.toml",
        tmp_path / "heard",
        "linage-bot gtp --level 0",
        ('"runs/own-engine"', json.dumps(str(tmp_path / "out"))),
        ("games = 10", "games = 1"),
        (
            "{ size = 9 }",
            "{ size = 3 }\nopenings = { random_moves = 1 }\nclock = { main_seconds = 60 }",
        ),
    )
    first = list(dict.fromkeys(line.split()[0] for line in lines))
    missing = {"rectangular_boardsize", "kata-time_settings", "kgs-time_settings"}
    missing |= {"pie_offer", "pie_choose"}
    assert first == [name for name in commands_of_a_match() if name not in missing]


@posix_only
@pytest.mark.thorough
def test_the_own_engine_climbs_a_ladder(tmp_path: Path) -> None:
    """It is rated by games against a rung of known strength, and receives the same commands."""
    rung = '[[rungs]]\nname = "random"\nelo = 0\ncommand = "linage-bot gtp --level 0"\n'
    changes = (
        ('"runs/own-engine-ladder"', f"{json.dumps(str(tmp_path / 'out'))}\ngames = 4"),
        ("[engine]", f"{rung}\n[engine]"),
    )
    engine = "python examples/own_engine.py"
    lines = heard(EXAMPLES / "own_engine_ladder.toml", tmp_path / "heard", engine, *changes)
    assert lines[:4] == ["list_commands", "clear_board", "boardsize 9", "clear_board"]
    assert len((tmp_path / "out/results.jsonl").read_text().splitlines()) == 5


@pytest.mark.thorough
def test_the_json_client_draws_a_row_for_each_position() -> None:
    """The rows are in the order of the game, even if the answers are not."""
    rows = shown("python examples/json_client.py", "E5", "C3", "G7").splitlines()
    assert [row.split()[0] for row in rows] == ["start", "E5", "C3", "G7"]
    assert all("%" in row and "█" in row for row in rows)


def test_the_json_client_reports_an_illegal_move() -> None:
    """The server's error ends it in one line."""
    done = run("python examples/json_client.py", "E5", "E5")
    assert done.stderr == "Illegal move 2: E5: there is a stone on this point\n"
    assert (done.returncode, done.stdout) == (1, "")


@posix_only
@pytest.mark.thorough
def test_the_analysis_server_answers_clients_side_by_side() -> None:
    """The next line of a client replaces its search; other clients are not disturbed."""
    command = [sys.executable, EXAMPLES / "analysis_server.py", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    ) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline().split()[-1])
        with (
            socket.create_connection(("localhost", port), PATIENCE_SECONDS) as one,
            socket.create_connection(("localhost", port), PATIENCE_SECONDS) as other,
            one.makefile() as first,
            other.makefile() as second,
        ):
            one.sendall(b"E5 C3\n")
            other.sendall(b"D4\n")
            assert json.loads(first.readline())["visits"] > 0
            one.sendall(b"E5 E5\n")
            last = next(answer for answer in map(json.loads, first) if "error" in answer)
            assert last == {"error": "move 2: E5: there is a stone on this point"}
            assert len(json.loads(second.readline())["line"]) > 0
            assert 0 < json.loads(second.readline())["win_rate"] < 1
        server.send_signal(signal.SIGINT)
        _, errors = server.communicate(timeout=PATIENCE_SECONDS)
        assert (server.returncode, errors) == (0, "")


@pytest.mark.thorough
def test_the_policy_learns_to_beat_random_play() -> None:
    """Its share of wins rises from about a half to nearly all."""
    first, *_, last = re.findall(r"games: (\d+)% won", shown("python examples/train_policy.py"))
    assert int(first) < 70
    assert int(last) > 85


@pytest.mark.thorough
def test_the_batch_analysis_finds_who_loses_most(tmp_path: Path) -> None:
    """A table has a row for each player, a file one for each move of all games."""
    for number, moves in enumerate(("C3 A1 B2 pass E5", "A1 C3 E1 C5 pass A5")):
        record = Record(LINAGE, moves, players=("Ann", "Bob"))
        (tmp_path / f"{number}.sgf").write_text(to_sgf(record), encoding="utf-8")
    printed = shown("python examples/batch_analysis.py", tmp_path)
    assert all(f"\n{name} " in printed for name in ("Ann", "Bob"))
    rows = (tmp_path / "moves.csv").read_text().splitlines()
    assert rows[0] == "game,number,player,phase,move,best,loss,error"
    assert [row.split(",")[2] for row in rows[1:]] == ["Ann", "Bob"] * 2 + ["Ann"] + [
        *("Ann", "Bob") * 3
    ]


@pytest.mark.thorough
def test_every_cell_of_the_notebook_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The cells run from top to bottom, draw boards, and end with the score of a small board."""
    monkeypatch.setenv("MPLBACKEND", "Agg")
    values = shown_values(code_cells(EXAMPLES / "first_steps.ipynb"))
    drawn = [value for value in values if value is not None]
    assert len(drawn) == 5
    for value in drawn:
        assert "<svg" in value._repr_svg_()
    printed = capsys.readouterr().out
    assert " after " in printed
    assert "V - H = +5" in printed
