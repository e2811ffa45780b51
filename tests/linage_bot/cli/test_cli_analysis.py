"""`linage-bot analysis`: KataGo's arguments and the choice of the game."""

from typing import Any

import pytest
from click.testing import CliRunner

from linage_bot.cli import main


def read(*arguments: str) -> dict[str, Any]:
    """Return the parameters that the command reads from its arguments."""
    return main.commands["analysis"].make_context("analysis", [*arguments]).params


@pytest.mark.parametrize(
    "arguments",
    [
        ("-config", "c.cfg", "-model", "m.bin.gz"),
        ("-model", "m", "-human-model", "h", "-config", "c", "-override-config", "homeDataDir=/x"),
        ("-config", "a", "-config", "b", "-analysis-threads", "16"),
        ("-config=a.cfg", "-override-config=maxVisits=5,maxTime=3"),
    ],
    ids=["KataGo's example", "KaTrain", "several", "in one word"],
)
def test_options_with_which_clients_start_katago_change_nothing(arguments):
    """KataGo's options are accepted and ignored."""
    assert read(*arguments) == read()
    assert read(*arguments, "--visits", "7") == read("--visits", "7")


def test_what_katago_does_not_know_is_no_option_here_either():
    """A mistyped option is refused."""
    done = CliRunner().invoke(main, ["analysis", "-confog", "c.cfg"])
    assert done.exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--game", "go"], "--game: there is no game 'go'"),
        (["--size", "99"], "--size: a 99x99 board does not exist"),
        (["--game", "gardar", "--set", "line=4"], "--set line: "),
        (["--komi", "1e9"], "--komi: "),
    ],
)
def test_a_game_that_there_is_not_is_refused_at_the_start(arguments, said):
    """An unknown game is refused at the start, in one line that names the option."""
    done = CliRunner().invoke(main, ["analysis", *arguments])
    assert done.exit_code == 2
    assert done.output.startswith(f"linage-bot: {said}")
