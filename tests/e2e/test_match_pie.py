"""The pie between two of our own engines."""

import io
import json
import sys
from pathlib import Path

import pytest
import pytest_twisted
from rich.console import Console
from twisted.internet import reactor

from linage_bot.match.command import run
from linage_bot.settings.match import EngineSettings, GameSettings, MatchSettings

ROOT = Path(__file__).parents[2]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "game",
    [
        GameSettings("linage", size=5),
        GameSettings("leblin", size=5),
    ],
    ids=lambda game: game.id,
)
@pytest_twisted.ensureDeferred
async def test_our_engines_share_the_pie_and_play_on(tmp_path, game):
    """Engines offer the exact komi 7 in Linage 5x5, and a first stone in Leblin."""
    command = (sys.executable, "-m", "linage_bot", "gtp", "--visits", "50", "--seed")
    env = {"PYTHONPATH": str(ROOT)}
    engines = tuple(EngineSettings((*command, name), f"e{name}", env=env) for name in "12")
    out = tmp_path / "out"
    event = MatchSettings(games=2, out=str(out), engines=engines, game=game, pie=True)
    assert await run(reactor, event, Console(file=io.StringIO())) == 0
    lines = (out / "results.jsonl").read_text().splitlines()[1:]
    records = [json.loads(line) for line in lines]
    assert {record["ending"] for record in records} <= {"score", "resignation"}
    for record, offering, choosing in zip(records, ("e1", "e2"), ("e2", "e1"), strict=True):
        offer = record["pie"].split()[2].rstrip(",")
        assert record["pie"].startswith(f"{offering} offered {offer}, {choosing} chose ")
        if game.id == "leblin":
            assert (record["moves"][0], record["opening_moves"]) == (offer, 1)
        else:
            assert record["rules"]["komi"] == float(offer)
            assert float(offer) == 7  # what 5x5 is worth
        chose_first = record["pie"].endswith(("Vertical", "Black"))
        assert record["players"].index(choosing) == (0 if chose_first else 1)
