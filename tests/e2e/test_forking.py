"""A program that uses the library and forks: its children can search and never hang."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks there")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "when",
    ["pondering", "loading", "searching", "proving", "in_a_place", "working"],
)
def test_a_child_searches_whatever_its_parent_did_at_the_fork(when: str) -> None:
    """Both the child and the parent can search after a fork, with the parent's or a new engine."""
    program = Path(__file__).with_name("forking.py")
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", program, when],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
