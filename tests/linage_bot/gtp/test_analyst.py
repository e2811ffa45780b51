"""Analysis at a weak level: as good as at full strength, while play stays as weak."""

import pytest

from linage_bot.settings.playing import LEVELS, PlaySettings
from tests.linage_bot.gtp.conversation import Conversation

WEAK = PlaySettings(level=5, visits=300, seed=4)


@pytest.mark.parametrize("level", [0, 5, 21, 26])
def test_goguis_menu_shows_a_search_at_full_strength_at_every_level(level):
    """At every level GoGui's menu shows the same visits and variation as at full strength."""
    client = Conversation(size="7", settings=PlaySettings(level=level, visits=300, seed=4))
    strong = Conversation(size="7", settings=PlaySettings(visits=300, seed=4))
    for command in ("linage-visits", "linage-win_rates", "linage-pv b"):
        assert client.ok(command) == strong.ok(command)


def test_a_move_of_a_weak_level_is_explained_by_a_search_at_full_strength():
    """A move of a weak level is explained by a full search, again after `undo`."""
    client = Conversation(size="7", settings=WEAK)
    moves = [client.ok("genmove b"), client.ok("genmove w")]
    words = client.ok("gomill-explain_last_move")
    assert f", 300 visits, chosen at level 5: {moves[1]}" in words
    assert client.ok("gomill-explain_last_move") == words
    client.ok("undo")
    assert f", 300 visits, chosen at level 5: {moves[0]}" in client.ok("gomill-explain_last_move")


def test_an_explanation_takes_a_second_at_most_where_visits_are_no_limit():
    """An explanation takes at most a second if visits are not limited."""
    client = Conversation(size="7", settings=PlaySettings(level=2, seconds=60.0))
    client.ok("genmove b")
    assert client.ok("gomill-explain_last_move").count("chosen at level 2") == 1


def test_a_weak_level_analyses_with_proofs():
    """At a weak level `kata-analyze` reports exact values, as at full strength."""
    client = Conversation(size="3", settings=PlaySettings(level=2, seed=1))
    client.send(b"kata-analyze b 1\n")
    assert "exactLead" in client.hear_lines(1)[0]
    client.send(b"\n")
    client.settle()


@pytest.mark.parametrize("seed", [None, 4])
def test_after_an_analysis_a_weak_level_plays_as_weakly_as_before(seed):
    """An analysis leaves a weak level's moves as weak, and with a seed even the same."""
    settings = PlaySettings(level=5, visits=300, seed=seed)
    alone, asked = (
        Conversation(size="7", settings=settings),
        Conversation(size="7", settings=settings),
    )
    played = []
    for colour in "bwbw":
        asked.output = b""
        asked.send(b"kata-analyze 1\n")
        asked.hear_lines(2)
        asked.send(b"\n")
        asked.settle()
        asked.ok("linage-visits")
        played.append((alone.ok(f"genmove {colour}"), asked.ok(f"genmove {colour}")))
        asked.ok("gomill-explain_last_move")
        assert asked.engine.decided.analysis.visits == LEVELS[5]
    assert seed is None or all(one == other for one, other in played)


def test_what_was_analysed_is_shown_again_until_something_changes():
    """A finished analysis is shown again until a parameter, the board or the cache changes."""
    client = Conversation(size="7", settings=WEAK)
    visits = client.ok("linage-visits")
    assert client.ok("linage-visits") == visits
    for line in ("kata-set-param maxVisits 50", "clear_cache", "clear_board"):
        client.ok(line)
        shown = client.ok("linage-visits").replace('""', "0").split()
        assert sum(map(int, shown)) <= 50


def test_levels_up_and_down_in_one_session():
    """Changing the level takes effect on the next move; full strength shows the player's search."""
    client = Conversation(size="7", settings=WEAK)
    client.all(["genmove b", "kata-set-param level 27"])
    client.ok("genmove w")
    assert ", 300 visits: " in client.ok("gomill-explain_last_move")
    client.all(["kata-set-param level 5", "genmove b"])
    assert ", 300 visits, chosen at level 5: " in client.ok("gomill-explain_last_move")
