import pytest
from agreement import agree, check_playouts, check_uniform, replay_published

from linage_bot.rules.two_color_linage import TwoColorLinage


def test_plays_by_the_rules() -> None:
    """The compiled form has the readable form's moves and scores in random games."""
    agree(TwoColorLinage, seed=1, games=50)


@pytest.mark.slow
def test_plays_by_the_rules_in_many_games() -> None:
    """The compiled form has the readable form's moves and scores in very many random games."""
    agree(TwoColorLinage, seed=2, games=2000)


def test_published_positions() -> None:
    """The recorded games lead to the recorded positions."""
    replay_published(TwoColorLinage)


@pytest.mark.parametrize("button", ["off", "on"])
def test_playouts_repeat(button: str) -> None:
    """Playouts with one seed are the same, and a playout on a copy keeps the original unchanged."""
    check_playouts(TwoColorLinage.configure("9", options={"button": button}))


@pytest.mark.parametrize("options", [{}, {"line": "2", "count_regions": "on"}, {"button": "on"}])
def test_playouts_are_uniform(options: dict[str, str]) -> None:
    """Each score lead has its exact probability under uniform placements."""
    check_uniform(TwoColorLinage.configure("3", options=options), seed=5, playouts=20_000)
