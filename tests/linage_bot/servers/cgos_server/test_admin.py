"""The administrator's commands."""

import pytest

from tests.linage_bot.servers.cgos_server.world import SETTINGS, World, finish


def test_who_is_here_and_what_they_do(world):
    """`who` lists each player with state and rating, or `none`."""
    admin = world.admin()
    assert admin.say("who") == ["none"]
    world.begin()
    world.player("carl")
    assert admin.say("who") == [
        "anna playing 1 1500? 0",
        "bert playing 1 1500? 0",
        "carl waiting 0 1500? 0",
    ]


def test_the_games_with_their_clocks(world):
    """`games` lists running games with their clocks and finished ones with date and result."""
    admin = world.admin()
    first, second = world.begin()
    row = world.store.game(1)
    world.seconds += 1.25
    first.say("C3")
    players = f"{row.second}(1500?) {row.first}(1500?)"
    assert admin.say("games") == [f"match 1 - - 5 0.5 {players} 10000 9000 1 -"]
    second.say("resign")
    assert admin.say("games") == [f"match 1 2026-01-31 09:30 5 0.5 {players} - - - B+Resign"]


def test_a_match_begins_at_once_with_the_clocks_that_are_asked_for(tmp_path):
    """`match` starts a game at once with the given clocks, even without automatic pairing."""
    world = World(tmp_path, SETTINGS.replace("[pairing]", "[pairing]\nautomatic = false"))
    admin, white, black = world.admin(), world.player("anna"), world.player("bert")
    world.pair()
    assert world.store.game(1) is None
    assert admin.say("match anna bert 20 30") == ["match 1 anna(1500?) bert(1500?)"]
    assert black.read()[-1] == "genmove b 30000"
    black.say("C3")
    assert white.read()[-2:] == ["play b C3 30000", "genmove w 20000"]


def test_a_match_from_a_position_of_another_game(world):
    """`match` may start from a position of an earlier game, with the given clocks."""
    admin = world.admin()
    first, second = world.begin()
    moves = finish(world, first, second)
    first.say("ready"), second.say("ready")
    first.read(), second.read()
    assert admin.say("match anna bert 9 9 1 3")[0].startswith("match 2 ")
    game = world.store.moves(2)
    assert [(move.move, move.ms_left) for move in game] == [(move, 9000) for move in moves[:3]]
    heard = first.read() + second.read()
    assert "genmove w 9000" in heard
    assert admin.say("abort 2") == ["aborted 2 anna bert"]
    first.say("ready"), second.say("ready")
    admin.say("match anna bert 9 9 1")
    assert len(world.store.moves(3)) == len(moves) - 1


def test_an_aborted_game_counts_for_nothing(world):
    """An aborted game is reported to both players, is not rated, and is recorded as Void."""
    admin = world.admin()
    first, second = world.begin()
    first.read(), second.read()
    assert admin.say("abort 1")[0].startswith("aborted 1 ")
    heard = ["gameover 2026-01-31 Abort aborted by the administrator"]
    assert first.read() == second.read() == heard
    world.advance(60)
    assert {player.rating for player in world.store.players()} == {None}
    assert world.store.scores() == {}
    assert "RE[Void]" in (world.folder / "sgf/2026/01/31/1.sgf").read_text()
    assert admin.say("abort 1") == ["there is no such live game"]


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("dance", "unknown command; there are who, games, match, abort, quit"),
        ("match anna", "match WHITE BLACK [WHITE_SECONDS BLACK_SECONDS [GAME [MOVES]]]"),
        ("match anna anna", "anna cannot play itself"),
        ("match anna carl", "carl is not connected"),
        ("match anna bert x", "x is not a number from 1 to 10000000"),
        ("match anna bert 1 1 9", "there is no game 9"),
        ("abort", "abort GAME [RESULT]"),
        ("abort x", "x is not a number from 1 to 4611686018427387904"),
        ("abort 9", "there is no such live game"),
    ],
)
def test_a_command_that_cannot_be_obeyed_says_why(world, command, answer):
    """A command that cannot be carried out gets a reason and starts no game."""
    admin = world.admin()
    world.player("anna"), world.player("bert")
    assert admin.say(command) == [answer]
    assert world.server.lobby.live_games == {}


@pytest.mark.parametrize("command", ["abort 1 {}", "abort {}", "match {} anna", "match anna {}"])
def test_a_command_too_long_to_be_answered_is_refused_and_changes_nothing(world, command):
    """A command that is too long is refused and changes nothing."""
    admin = world.admin()
    world.begin()
    assert admin.say(command.format("x" * 65_500)) == ["a command has at most 200 characters"]
    assert [*world.server.lobby.live_games] == [1]
    assert admin.say(f"abort 1 {'x' * 100}")[0].startswith("aborted 1 ")
    assert admin.say("games")[0].endswith("x" * 100)


def test_who_plays_cannot_be_matched(world):
    """A player in a game cannot be matched, and the reason names that player."""
    world.begin()
    world.player("carl")
    assert world.admin().say("match carl anna") == ["anna is not waiting: playing"]


def test_without_a_password_there_is_no_administrator(world):
    """Without a password in the settings no administrator can log in."""
    world.server._login._admin_password = None
    with pytest.raises(AssertionError):
        world.admin()
