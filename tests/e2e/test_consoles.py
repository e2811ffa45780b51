"""Real processes on consoles of other encodings, and with input that begins with a mark."""

import codecs
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS

pytestmark = pytest.mark.thorough

ENGINE = [sys.executable, str(Path(__file__).parent / "match_engine.py")]
PLAIN_C = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
CONSOLES = [
    ({"PYTHONIOENCODING": "cp437"}, "cp437"),
    (PLAIN_C, "ascii"),
]


def linage_bot(*words: object, console: dict[str, str], stdin: bytes = b""):
    """A command that ended without a traceback."""
    command = [sys.executable, "-m", "linage_bot", *map(str, words)]
    environment = {name: ENVIRONMENT[name] for name in ENVIRONMENT if not name.startswith("LC_")}
    done = subprocess.run(
        command,
        input=stdin,
        capture_output=True,
        env={**environment, **console},
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode(errors="replace")
    return done


def match_file(folder: Path, out: str, encoding: str) -> Path:
    """A match between engines with names that few consoles can show."""
    engines = [{"name": name, "command": [*ENGINE, "seed=1"]} for name in ("Łódź – 表", "weak")]
    tables = "".join(
        f"[[engines]]\nname = {json.dumps(each['name'], ensure_ascii=False)}\n"
        f"command = {json.dumps(each['command'])}\n"
        for each in engines
    )
    file = folder / "match.toml"
    text = f'games = 2\nout = "{folder}/{out}"\n[game]\nid = "linage"\nsize = 5\n{tables}'
    file.write_text(text, encoding=encoding)
    return file


@pytest.mark.parametrize(("console", "encoding"), CONSOLES)
def test_a_match_is_played_whatever_the_console_can_show(tmp_path, console, encoding):
    """Characters that the console lacks are replaced there; the records are UTF-8."""
    done = linage_bot("match", match_file(tmp_path, "out", "utf-8-sig"), console=console)
    assert done.returncode == 0, done.stderr
    shown = done.stdout.decode(encoding)
    assert "- weak" in shown
    assert "Łódź – 表" in (tmp_path / "out/0001.sgf").read_text(encoding="utf-8")
    assert len((tmp_path / "out/results.jsonl").read_text(encoding="utf-8").splitlines()) == 3


@pytest.mark.skipif(os.name == "nt", reason="there names of files are UTF-16 in every locale")
def test_a_file_that_the_locale_cannot_name_is_told_in_one_line(tmp_path):
    """In the C locale the error is one line, and no file is written."""
    done = linage_bot("match", match_file(tmp_path, "aus-ü", "utf-8"), console=PLAIN_C)
    assert done.returncode == 2
    assert b"cannot be a file name in the locale's encoding ascii" in done.stderr
    lines = f"loadsgf {tmp_path}/ü.sgf\nprintsgf {tmp_path}/ü.sgf\n".encode()
    said = linage_bot("gtp", console=PLAIN_C, stdin=lines).stdout.decode().split("\n\n")
    assert said[0].startswith("? cannot load file: ")
    assert said[1].startswith("? cannot write file: ")
    assert [path.name for path in tmp_path.iterdir()] == ["match.toml"]


def test_protocols_are_utf_8_on_every_console(tmp_path):
    """Protocols use UTF-8 on every console, and accept a byte order mark."""
    console = {"PYTHONIOENCODING": "utf-16"}
    (tmp_path / "ü.sgf").write_text("(;SZ[5]RU[linage]PB[表]", encoding="utf-8")
    lines = codecs.BOM_UTF8 + f"loadsgf {tmp_path}/ü.sgf\nprintsgf\n".encode()
    done = linage_bot("gtp", console=console, stdin=lines)
    assert done.stdout.startswith(b"= black\n\n= (;")
    assert "PB[表]" in done.stdout.decode()
    assert b"the last ) is missing" in done.stderr.replace(b"\0", b"")
    done = linage_bot("ugi", console=console, stdin=codecs.BOM_UTF8 + b"isready\nquit\n")
    assert done.stdout == b"readyok\n"
    query = codecs.BOM_UTF8 + '{"id": "表", "action": "query_version"}\n'.encode()
    done = linage_bot("analysis", console=console, stdin=query)
    assert json.loads(done.stdout)["id"] == "表"
    drawn = linage_bot(
        *("picture", "-", "--label", "A1=表"), console=console, stdin=b"(;SZ[5]RU[linage])"
    )
    assert "表" in drawn.stdout.decode()
