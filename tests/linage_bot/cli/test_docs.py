"""`linage-bot docs` opens the installed site, or says where the documentation is."""

import subprocess
import sys
from pathlib import Path

from tests.e2e.engine import ENVIRONMENT

PROGRAM = """
import sys
from pathlib import Path
from linage_bot.cli import docs
docs.SITE = Path(sys.argv.pop())
docs.docs()
"""
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
NO_SCREEN = {name: text for name, text in ENVIRONMENT.items() if name not in SCREENS}


def opened(site: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Return the outcome of `linage-bot docs` with the site in this folder."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, str(site)],
        capture_output=True,
        text=True,
        env={**NO_SCREEN, **environment},
        check=False,
    )


def test_the_site_is_opened_where_there_is_a_browser(tmp_path: Path) -> None:
    """`docs` opens the first page, and prints its path."""
    page = tmp_path / "index.html"
    page.touch()
    done = opened(tmp_path, BROWSER="/bin/echo opened %s")
    assert done.returncode == 0
    assert sorted(done.stdout.splitlines()) == [str(page), f"opened {page.as_uri()}"]


def test_the_path_is_printed_where_there_is_no_browser(tmp_path: Path) -> None:
    """`docs` prints only the path of the first page."""
    page = tmp_path / "index.html"
    page.touch()
    done = opened(tmp_path, PATH="")
    assert done.returncode == 0
    assert (done.stdout, done.stderr) == (f"{page}\n", "")


def test_without_the_site_one_line_says_where_to_read_and_how_to_build_it(tmp_path: Path) -> None:
    """The line names the folder of the Markdown and the command that builds the site."""
    done = opened(tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = [line for line in done.stderr.splitlines() if line]
    assert "read the folder docs of the repository" in line
    assert line.endswith("python -m sphinx docs linage_bot/cli/site")
