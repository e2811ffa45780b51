"""Finding an engine's program, and describing how its process ended."""

import sys
from pathlib import Path

import pytest

from protocol.transport.spawning import exit_reason, find_program


def test_a_program_beside_this_python_is_found_without_the_path():
    """An engine of the same environment can be named without it being activated."""
    python = Path(sys.executable)
    assert find_program([python.name, "-V"], "") == [str(python), "-V"]


def test_the_path_comes_first_and_a_path_of_ones_own_is_left_alone(tmp_path):
    """A program that is not found is left for the system to refuse."""
    program = tmp_path / Path(sys.executable).name
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert find_program([program.name], str(tmp_path)) == [program.name]
    assert find_program(["./engine"], "") == ["./engine"]
    assert find_program(["no-such-program-anywhere"], "") == ["no-such-program-anywhere"]


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (0, "exited with status 0"),
        (3, "exited with status 3"),
        (-9, "killed by SIGKILL"),
        (-120, "killed by signal 120"),
    ],
)
def test_the_end_of_an_engine_is_told_in_words(status, words):
    """A signal by its name."""
    assert exit_reason(status) == words
