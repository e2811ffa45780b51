"""Engine settings: the same words, bounds and meaning in every interface."""

import math
import pydoc
import re
import tomllib
from typing import get_args, get_type_hints

import attrs
import numpy as np
import pytest
from click.testing import CliRunner

from linage_bot.cli import main
from linage_bot.engine.engine import Engine
from linage_bot.settings.playing import BOUNDS, SEARCHES, PlayChanges, PlaySettings, is_whole
from linage_bot.settings.reading import read


def test_type_checkers_know_exactly_the_settings():
    """The keywords of `Engine` in an editor are the fields of the settings, with their types."""
    known, fields = get_type_hints(PlayChanges), get_type_hints(PlaySettings)
    assert get_args(known.pop("search")) == SEARCHES
    del fields["search"]
    assert known == fields


@pytest.mark.parametrize("kind", [Engine, PlaySettings])
def test_help_explains_each_setting(kind):
    """A line of `help` describes each setting, the same for the engine as for its settings."""
    shown = pydoc.plain(pydoc.render_doc(kind))
    for field in attrs.fields(PlaySettings):
        (line,) = re.findall(rf"^[ |]*({field.name}: .*)$", PlaySettings.__doc__, re.MULTILINE)
        assert line in shown


@pytest.mark.parametrize("name", BOUNDS)
def test_a_number_out_of_bounds_is_refused_wherever_it_comes_from(name):
    """Numbers have the same bounds in Python, in files and on the command line."""
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


@pytest.mark.parametrize("name", BOUNDS)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_no_finite_number_is_refused_wherever_it_comes_from(name, value):
    """Infinity and NaN are refused by name in Python, in files and on the command line."""
    with pytest.raises(ValueError, match=f"^{name}: {value} is not a"):
        Engine(**{name: value})
    with pytest.raises(ValueError, match=f"^{name}: "):
        read(tomllib.loads(f"{name} = {value}"), PlaySettings)
    flag = "--" + name.removesuffix("_rate")
    for command in ("gtp", "ugi", "analyze", "web", "analysis"):
        options = {option for each in main.commands[command].params for option in each.opts}
        if flag in options:
            done = CliRunner().invoke(main, [command, f"{flag}={value}", *_FILES.get(command, ())])
            assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
            assert flag in done.stderr


_FILES = {"analyze": ("game.sgf",)}


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "-1", "1e999", "x"])
@pytest.mark.parametrize(
    ("command", "flag"),
    [("solve", "--seconds"), ("bench", "--run-seconds"), ("analysis", "--proof-seconds")],
)
def test_other_times_on_the_command_line_are_finite_too(command, flag, value):
    """The error is one line with the option's name."""
    done = CliRunner().invoke(main, [command, f"{flag}={value}"])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert flag in done.stderr


@pytest.mark.parametrize("value", ["nan", "inf", "1e999"])
def test_a_komi_that_is_no_finite_number_is_refused(value):
    """`--komi` must be finite, as in GTP and files."""
    done = CliRunner().invoke(main, ["gtp", f"--komi={value}"])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "--komi" in done.stderr


def test_every_setting_can_be_said_in_a_file_and_on_the_command_line():
    """Every engine setting of Python but the network exists in files and as an option, too."""
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
    assert attrs.asdict(settings) == {**said, "network": None}
    assert [option.partition("=")[0] for option in settings.options] == [
        *("--visits", "--seconds", "--threads", "--nodes", "--seed", "--resign", "--level"),
        *("--ponder", "--search", "--solver"),
    ]
    assert CliRunner().invoke(main, ["gtp", *settings.options, "--help"]).exit_code == 0


@pytest.mark.parametrize("name", BOUNDS)
def test_numbers_of_numpy_are_settings_like_any_other(name):
    """A number from an array is taken, and stored as Python's own."""
    own = 2 if is_whole(name) and name != "nodes" else BOUNDS[name][1]
    for kind in (np.int64, np.uint64) if is_whole(name) else (np.float32, np.float64, np.int32):
        settings = Engine(**{name: kind(own)}).settings
        assert settings == PlaySettings(**{name: own})
        assert type(getattr(settings, name)) in (int, float)


@pytest.mark.parametrize("name", ["ponder", "solver"])
@pytest.mark.parametrize("value", ["off", 1, None])
def test_a_switch_is_true_or_false(name, value):
    """Text and numbers are refused by name, for `"off"` would count as true."""
    with pytest.raises(ValueError, match=f"^{name}: {value!r} is not True or False"):
        Engine(**{name: value})
