"""The settings of a network."""

import pytest

from linage_bot import AsyncEngine, Engine, Network, PlaySettings
from linage_bot.settings.checks import SettingFault
from linage_bot.settings.reading import read


def evaluate(planes):
    raise AssertionError(planes)


def test_a_network_is_a_setting_like_any_other():
    """Engines take it as a keyword or with their settings, and pass it on."""
    network = Network(evaluate, share=0.25, visits=3)
    assert Engine(network=network).settings.network is network
    assert AsyncEngine(PlaySettings(network=network)).settings.network is network
    settings = PlaySettings(network=network).changed(visits=5)
    assert (settings.network, settings.options) == (network, ["--visits=5"])
    assert Engine().settings.network is None


@pytest.mark.parametrize(
    ("arguments", "error", "reason"),
    [
        ((1,), TypeError, "evaluate: expected a function, not int"),
        ((evaluate, 1.5), ValueError, "is not a number from 0"),
        ((evaluate, float("nan")), ValueError, "is not a number from 0"),
        ((evaluate, 0.5, 0), ValueError, "0 is not"),
        ((evaluate, 0.5, 1.5), (TypeError, ValueError), "1.5"),
    ],
)
def test_wrong_settings_are_refused(arguments, error, reason):
    """A wrong value is refused at once, with the values that are possible."""
    with pytest.raises(error, match=reason):
        Network(*arguments)


def test_a_file_has_no_network():
    """A settings file cannot have a network, which is a function."""
    with pytest.raises(SettingFault, match="network: unknown key; there are visits"):
        read({"network": {"share": 1}}, PlaySettings)


def test_a_bare_function_is_no_network():
    """A function in place of a network is refused with the type that is needed."""
    with pytest.raises(TypeError, match="network: expected a Network, not function"):
        Engine(network=evaluate)
