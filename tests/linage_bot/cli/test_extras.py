"""The plain installation's commands, and the messages about missing extras."""

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.examples import some_quick

ROOT = Path(__file__).parents[3]
BLOCK = """
import sys
sys.modules.update(dict.fromkeys({modules}))  # to import them is an ImportError
"""


def plain_installation() -> set[str]:
    """Return the distributions that a plain installation requires."""
    found: set[str] = set()
    left = [("linage-bot", "")]
    while left:
        name, extra = left.pop()
        found.add(name)
        for line in metadata.requires(name) or ():
            need = Requirement(line)
            each = canonicalize_name(need.name)
            wanted = need.marker is None or need.marker.evaluate({"extra": extra})
            if wanted and each not in found:
                left += [(each, ""), *((each, extra) for extra in need.extras)]
    return found


@pytest.fixture
def run(tmp_path):
    """Run the command line with all modules of other distributions blocked."""
    plain = plain_installation()
    modules = [
        module
        for module, owners in metadata.packages_distributions().items()
        if not plain & {canonicalize_name(owner) for owner in owners}
    ]
    assert {"treq", "cryptography", "OpenSSL", "distributed"} <= {*modules}
    (tmp_path / "sitecustomize.py").write_text(BLOCK.format(modules=modules))

    def run(*words, told="", module="linage_bot"):
        return subprocess.run(
            [sys.executable, "-m", module, *map(str, words)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            input=told,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


@pytest.mark.thorough
def test_gtp_matches_analysis_and_pictures_need_no_extra(run, tmp_path):
    """GTP, matches, analysis, PNG and GIF work without any extra."""
    said = run("gtp", "--size", "3", "--visits", "5", told="genmove b\nquit\n")
    assert (said.returncode, said.stdout[:1]) == (0, "=")
    engine = f"{sys.executable} -m linage_bot gtp --visits 5"
    (tmp_path / "match.toml").write_text(
        f"""
        games = 2
        out = "{tmp_path}/games"
        game = {{ size = 3 }}
        engines = [{{ command = "{engine}" }}, {{ command = "{engine}" }}]
        """
    )
    played = run("match", tmp_path / "match.toml", "--report", tmp_path / "report")
    assert (played.returncode, played.stderr) == (0, "")
    assert "2/2" in played.stdout
    judged = run("analyze", "--visits", "20", tmp_path / "games" / "0001.sgf")
    assert (judged.returncode, (tmp_path / "games" / "0001.html").exists()) == (0, True)
    for picture in (tmp_path / "game.png", tmp_path / "game.gif"):
        drawn = run("picture", tmp_path / "games" / "0001.sgf", "-o", picture)
        assert (drawn.returncode, drawn.stderr, picture.exists()) == (0, "", True)


@pytest.mark.parametrize(
    "module",
    some_quick(
        ["web.http.site", "servers.cgos_server.command", "servers.cgos_client.command"],
        "web.http.site",
    ),
)
def test_the_web_board_and_cgos_need_no_extra(run, module):
    """The web board and CGOS work without any extra."""
    done = run(module=f"linage_bot.{module}")
    assert (done.returncode, done.stderr) == (0, "")


MISSING = [
    ("connect abstract-play configs/abstract-play.toml", "servers"),
    ("match configs/first-match.toml --cluster local", "cluster"),
    ("analysis --cluster local", "cluster"),
    ("analyze tests/linage_bot/gtp/game.sgf --cluster local", "cluster"),
    ("web --port 0 --games no.sqlite --cluster local", "cluster"),
    ("gtp --network network.onnx", "network"),
    ("gtp --listen ssl:0:privateKey=README.md", "servers"),
]


@pytest.mark.parametrize(
    ("command", "extra"), some_quick(MISSING, "analysis --cluster local", MISSING[-1][0])
)
def test_a_missing_extra_is_one_line_that_says_how_to_install_it(run, command, extra):
    """A missing extra is reported in one line with the command that installs it."""
    done = run(*command.split())
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert " needs " in done.stderr
    assert done.stderr.endswith(f'pip install "linage-bot[{extra}]"\n')
