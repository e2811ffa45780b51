"""How to play: whoever says it, the same words, the same bounds, the same meaning."""

import attrs
import pytest
from click.testing import CliRunner

from linage_bot.cli import main
from linage_bot.settings.playing import BOUNDS, PlaySettings
from linage_bot.settings.reading import read


@pytest.mark.parametrize("name", BOUNDS)
def test_a_number_out_of_bounds_is_refused_wherever_it_comes_from(name):
    """In Python, in a file and on the command line."""
    flag = "--" + name.removesuffix("_rate")
    for value in (BOUNDS[name][0] - 1, BOUNDS[name][1] * 2 + 1):
        with pytest.raises(ValueError, match="is not a number from"):
            PlaySettings(**{name: value})
        with pytest.raises(ValueError, match=f"^{name}: "):
            read({name: value}, PlaySettings)
        done = CliRunner().invoke(main, ["gtp", f"{flag}={value}"])
        assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
        assert flag in done.stderr


@pytest.mark.parametrize("name", ["visits", "threads", "nodes", "seed", "level"])
@pytest.mark.parametrize("value", [10.5, "10"])
def test_what_is_counted_is_counted_in_whole_numbers(name, value):
    """Half a visit could never be made, so a search for it would not end."""
    with pytest.raises(ValueError, match="is not a whole number"):
        PlaySettings(**{name: value})


def test_every_setting_can_be_said_in_a_file_and_on_the_command_line():
    """Whatever Python can say of how to play, the others can say, too."""
    said = {
        "visits": 10,
        "seconds": 0.5,
        "threads": 2,
        "nodes": 40_000,
        "seed": 1,
        "level": 3,
        "resign_rate": 0.1,
        "ponder": True,
        "search": "uct",
        "solver": False,
    }
    settings = read(said, PlaySettings)
    assert attrs.asdict(settings) == said
    assert [option.partition("=")[0] for option in settings.options] == [
        *("--visits", "--seconds", "--threads", "--nodes", "--seed", "--resign", "--level"),
        *("--ponder", "--search", "--solver"),
    ]
    assert CliRunner().invoke(main, ["gtp", *settings.options, "--help"]).exit_code == 0
