"""The measurements of `linage-bot bench`."""

import json

import pytest

from linage_bot.engine.bench import report, signature
from linage_bot.rules import GAMES


@pytest.mark.thorough
@pytest.mark.parametrize("game", ["linage", "gardar"])
def test_the_report_is_json_with_positive_speeds_for_each_game_and_size(game):
    """The report is JSON with the machine, its options and a speed for each game and size."""
    games = [GAMES[game].configure("3"), GAMES[game].configure("5")]
    found = json.loads(json.dumps(report(games, games[:1], seconds=0.01, runs=1)))
    assert found["runs"] == 1
    assert set(found["machine"]) == {"system", "python", "numba"}
    assert [each["size"] for each in found["playouts"]] == ["3", "5"]
    assert [each["size"] for each in found["search"]] == ["3"]
    for each in found["playouts"]:
        assert each["game"] == game
        assert each["options"] == games[0].settings()
        assert min(each["playouts_per_second"], each["moves_per_playout"], each["ns_per_move"]) > 0
    assert found["search"][0]["visits_per_second"] > 0


def test_the_search_is_the_one_we_measured():
    """The search is unchanged; a deliberate change must update these numbers."""
    assert signature() == {
        "linage": 26404,
        "linage-two-color": 44775,
        "linage-parity": 27678,
        "leblin": 6797,
        "gardar": 25380,
    }
