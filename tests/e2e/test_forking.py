"""A program that uses the library and forks: its children can search and never hang."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.compiled_code import copy_without

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks there")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "when",
    ["pondering", "loading", "searching", "proving", "in_a_place", "working"],
)
def test_a_child_searches_whatever_its_parent_did_at_the_fork(when: str) -> None:
    """Both the child and the parent can search after a fork, with the parent's or a new engine."""
    assert forking(when) == (0, "")


@pytest.mark.thorough
def test_a_fork_just_after_prepare_cannot_hang_while_code_is_compiled(tmp_path: Path) -> None:
    """The code is compiled from nothing: the fork waits for it, and all processes have it then."""
    cache = copy_without(tmp_path, "leblin")
    assert forking("compiling", LINAGE_BOT_CACHE=str(cache)) == (0, "")


def forking(when: str, **environment: str) -> tuple[int, str]:
    """Run the program that forks; return its exit status and its errors."""
    program = Path(__file__).with_name("forking.py")
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", program, when],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, **environment},
    )
    return done.returncode, done.stderr
