"""The games and moves that viewers receive."""

from tests.linage_bot.servers.cgos_server.world import finish


def test_a_viewer_is_shown_the_games_and_told_of_new_ones(world):
    """A viewer receives the list of games, new games and results."""
    first, _ = world.begin()
    row = world.store.game(1)
    players = f"{row.second}(1500?) {row.first}(1500?)"
    viewer, shown = world.viewer()
    assert shown == [f"match 1 - - 5 0.5 {players} -"]
    first.say("resign")
    assert viewer.read() == ["gameover 1 W+Resign 0 0"]
    _, shown = world.viewer()
    assert shown == [f"match 1 2026-01-31 09:30 5 0.5 {players} W+Resign"]
    world.begin("carl", "dora")
    (told,) = viewer.read()
    assert told.startswith("match 2 - - 5 0.5 ")


def test_an_observer_sees_every_move_and_the_result(world):
    """An observer receives every move once, with the time left, and the result."""
    viewer, _ = world.viewer()
    first, second = world.begin()
    row = world.store.game(1)
    first.say("E5")
    players = f"{row.second}(1500?) {row.first}(1500?)"
    viewer.read()
    assert viewer.say("observe 1") == [f"setup 1 - - 5 0.5 {players} 10000 E5 10000"]
    assert viewer.say("observe 1") != []  # again: the same, and each later move still once
    world.seconds += 1.25
    second.say("A1")
    assert viewer.read() == ["update 1 A1 9000"]
    first.say("resign")
    assert viewer.read() == ["gameover 1 W+Resign 1000 0", "update 1 W+Resign"]


def test_a_whole_game_as_observed_is_the_game_as_recorded(world):
    """An observed game equals the recorded one, during play and afterwards."""
    viewer, _ = world.viewer()
    first, second = world.begin()
    viewer.say("observe 1")
    moves = finish(world, first, second)
    heard = viewer.read()
    seen = [
        line.split()[2] for line in heard if line.startswith("update") and len(line.split()) == 4
    ]
    assert seen == moves == [move.move for move in world.store.moves(1)]
    result = world.store.game(1).result
    assert heard[-1] == f"update 1 {result}"
    words = viewer.say("observe 1")[0].split()
    assert words[9:-1:2] == moves
    assert words[-1] == result


def test_there_may_be_no_such_game(world):
    """An unknown game or request gets a hint, and the connection stays."""
    viewer, _ = world.viewer()
    assert viewer.say("observe 7") == ["setup 7 ?"]
    assert viewer.say("observe x")[0].startswith("info syntax error")
    assert viewer.say("dance")[0].startswith("info unknown request")
    assert viewer.say(f"observe {10**30}")[0].startswith("info syntax error")


def test_a_viewer_who_leaves_is_told_nothing_more(world):
    """A viewer that has left receives no more lines."""
    viewer, _ = world.viewer()
    first, second = world.begin()
    viewer.say("observe 1")
    viewer.hang_up()
    first.say("C3")
    second.say("resign")
    assert viewer.read() == []


def test_everybody_hears_how_many_are_here(world):
    """Every client gets the number of games and players once a minute."""
    viewer, _ = world.viewer()
    player = world.player("anna")
    world.advance(60)
    assert viewer.read() == player.read() == ["info Games in progress: 0 Players: 1"]
