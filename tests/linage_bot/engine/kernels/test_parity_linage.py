import pytest
from agreement import agree, check_playouts, check_uniform, replay_published

from linage_bot.rules.parity_linage import ParityLinage


def test_plays_by_the_rules() -> None:
    """The compiled form has the readable form's moves and winner in random games."""
    agree(ParityLinage, seed=1, games=50)


@pytest.mark.slow
def test_plays_by_the_rules_in_many_games() -> None:
    """The compiled form has the readable form's moves and winner in very many random games."""
    agree(ParityLinage, seed=2, games=2000)


def test_published_positions() -> None:
    """The recorded games lead to the recorded positions."""
    replay_published(ParityLinage)


@pytest.mark.parametrize("options", [{}, {"n": "2"}, {"condition": "line", "passing": "off"}])
def test_playouts_repeat(options: dict[str, str]) -> None:
    """Playouts with one seed are the same, and a playout on a copy keeps the original unchanged."""
    check_playouts(ParityLinage.configure("9", options=options))


@pytest.mark.parametrize("options", [{}, {"n": "1"}, {"n": "4"}, {"condition": "line"}])
def test_playouts_are_uniform(options: dict[str, str]) -> None:
    """First and Second win with their exact probabilities under uniform placements."""
    check_uniform(ParityLinage.configure("3x4", options=options), seed=5, playouts=20_000)
