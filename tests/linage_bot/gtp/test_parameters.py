"""Parameters of the player over GTP."""

import pytest

from tests.linage_bot.gtp.conversation import Conversation


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("maxVisits", "800", "800"),
        ("maxVisits", "1000000000000", "1000000000000"),
        ("maxVisits", "unlimited", "unlimited"),
        ("maxTime", "2.5", "2.5"),
        ("maxTime", "Unlimited", "unlimited"),
        ("threads", "3", "3"),
        ("numSearchThreads", "3", "3"),
        ("maxNodes", "32768", "32768"),
        ("seed", "123456789012345678", "123456789012345678"),
        ("seed", "random", "random"),
        ("resignRate", "0.05", "0.05"),
        ("resignRate", "never", "never"),
    ],
)
def test_a_parameter_is_told_as_it_was_set(name, value, told):
    """A parameter is reported exactly as set, with large numbers to the last digit."""
    client = Conversation()
    client.ok(f"kata-set-param {name} {value}")
    assert client.ok(f"kata-get-param {name}") == told


def test_katago_s_name_for_the_threads_is_another_name_of_them():
    """A client that knows KataGo's name of `threads` sets them by it; they are listed once."""
    client = Conversation()
    client.ok("kata-set-param numSearchThreads 2")
    assert client.ok("kata-get-param threads") == "2"
    assert "numSearchThreads" not in client.ok("kata-list-params").split()


def test_every_listed_parameter_can_be_read_and_set_to_what_it_is():
    """Setting each parameter to its own value changes no other parameter."""
    client = Conversation()
    names = client.ok("kata-list-params").split()
    before = {name: client.ok(f"kata-get-param {name}") for name in names}
    for name in names:
        client.ok(f"kata-set-param {name} {before[name]}")
        assert {name: client.ok(f"kata-get-param {name}") for name in names} == before


def test_a_new_seed_begins_its_games_again_and_the_same_seed_goes_on():
    """A new seed determines the searches after it; setting the same seed changes nothing."""
    found = {}
    for seed, before in (("3", 1), ("3", 2), ("4", 1), ("7", 1), ("7", 2)):  # 7 is the one it has
        client = Conversation(size="7")
        client.all(["reg_genmove b", "clear_cache"] * before)
        client.all([f"kata-set-param seed {seed}", "clear_cache"])
        found[seed, before] = client.ok("linage-visits")
    assert found["3", 1] == found["3", 2] != found["4", 1]
    assert found["7", 1] != found["7", 2]


def test_more_visits_are_made_when_they_are_asked_for():
    """A search makes exactly as many visits as `maxVisits` allows."""
    client = Conversation(size="7")
    for visits in (20, 300):
        client.all([f"kata-set-param maxVisits {visits}", "clear_board", "genmove b"])
        assert f", {visits} visits:" in client.ok("gomill-explain_last_move")


def test_with_more_nodes_asked_for_than_memory_holds_the_engine_still_moves():
    """If `maxNodes` exceeds the memory, the engine still moves."""
    client = Conversation(size="7")
    client.ok("kata-set-param maxNodes 1000000000")
    before = client.ok("gogui-rules_legal_moves").split()
    assert client.ok("genmove b") in before
    assert ", 40 visits: " in client.ok("gomill-explain_last_move")


def test_clear_cache_forgets_what_was_thought():
    """`clear_cache` removes the analysis of the last move too."""
    client = Conversation()
    client.all(["genmove b", "clear_cache"])
    assert client.ok("gomill-explain_last_move") == ""


def test_goguis_dialog_lists_every_parameter_with_its_value_and_sets_one_at_a_time():
    """GoGui's dialog lists all parameters in order; one with fixed words is a menu."""
    client = Conversation(draw=lambda _text: None)
    listed = [line.split() for line in client.ok("linage-param").splitlines()]
    assert [name for _, name, _ in listed] == client.ok("kata-list-params").split()
    for kind, name, value in listed:
        assert value == client.ok(f"kata-get-param {name}")
        client.ok(f"linage-param {name} {value}")
        choices = kind.strip("[]").split("/")[1:]
        for choice in choices:
            client.ok(f"linage-param {name} {choice}")
            assert client.ok(f"kata-get-param {name}") == choice
        assert (name == "liveGraphics") == bool(choices)
    client.ok("linage-param maxVisits 77")
    assert client.ok("kata-get-param maxVisits") == "77"
    assert client.fails("linage-param maxVisits").startswith("syntax error")
    assert client.fails("linage-param nothing 1").startswith("syntax error")
