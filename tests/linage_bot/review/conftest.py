"""Games judged once for all tests, with few visits."""

import pytest

from linage_bot.records.reading import from_sgf
from linage_bot.review import review_game
from tests.linage_bot.review.games import QUICK, RECORDS


@pytest.fixture(scope="session")
def judged():
    """The review of a game, by the game's id; `proof_nodes` to prove less."""
    known = {}

    def judge(game, **settings):
        key = (game, *settings.items())
        if key not in known:
            record = from_sgf(RECORDS[game].encode())
            known[key] = review_game(record, QUICK, **settings)
        return known[key]

    return judge
