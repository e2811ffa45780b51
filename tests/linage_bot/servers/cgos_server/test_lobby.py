"""Games on the server: start, moves, clocks, reconnection, restart and records."""

import pytest

from linage_bot.records.reading import from_sgf
from linage_bot.servers.cgos_server import game as refereed
from linage_bot.settings.checks import SettingFault
from tests.linage_bot.servers.cgos_server.world import Client, finish

SETUP = "setup 1 5 0.5 10000"


def test_two_who_wait_are_paired_and_the_first_is_asked_for_a_move(world):
    """Two waiting players are paired, and the first one gets its `genmove` with full time."""
    first, second = world.begin()
    heard = first.read()
    assert len(heard) == 2
    assert heard[0].startswith(SETUP)
    assert heard[1] == "genmove b 10000"
    assert second.read() == heard[:1]


def test_a_move_is_told_with_the_time_left_and_the_opponent_asked(world):
    """A move is sent with the time left, of which a quarter of a second is not counted."""
    first, second = world.begin()
    first.read(), second.read()
    world.seconds += 1.25  # of which 0.25 are not counted
    assert first.say("c3") == []
    assert second.read() == ["play b C3 9000", "genmove w 10000"]


def test_a_whole_game_is_scored_by_our_rules(world):
    """A finished game has the score of our rules, and both players are rated."""
    first, second = world.begin()
    moves = finish(world, first, second)
    position = world.game.start()
    for move in moves:
        position = position.play(-1 if move == "pass" else world.game.board.point(move))
    row = world.store.game(1)
    assert (row.result, row.ending) == (str(position.result()), "score")
    last = (first, second)[position.to_move].read()
    assert last[-1] == f"gameover 2026-01-31 {position.result()}"
    assert None not in {player.rating for player in world.store.players()}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("resign", None),
        ("Z9", "'Z9' is not a move"),
        ("qwertz uiop", "'qwertz' is not a move"),
        ("\N{SNOWMAN}", "'\N{SNOWMAN}' is not a move"),
        ("\N{EM SPACE}", "'?' is not a move"),
        ("\x07\x07", "is not a move"),
        ("username", "'username' is not a move"),
        ("A" * 5000, "is not a move"),
    ],
)
def test_what_is_no_move_loses_the_game_and_keeps_the_connection(world, line, reason):
    """An invalid move or a resignation loses the game, and the connection stays."""
    first, second = world.begin()
    first.read(), second.read()
    heard = first.say(line)
    if line == "resign":
        assert heard == ["gameover 2026-01-31 W+Resign"]
    else:
        assert heard[0].startswith("gameover 2026-01-31 W+Illegal")
        assert reason in heard[0]
    assert second.read() == heard
    assert not first.closed
    assert first.say("ready") == second.say("ready") == []
    world.pair()
    assert world.store.game(2) is not None


def test_broken_json_behind_a_good_move_is_forgiven(world):
    """A legal move counts even with broken JSON behind it."""
    first, second = world.begin()
    first.read(), second.read()
    assert first.say("D4 {not json") == []
    assert second.read()[0] == "play b D4 10000"


def test_bytes_that_are_no_text_lose_the_game_too(world):
    """A move that is not valid text loses the game and keeps the connection."""
    first, _ = world.begin()
    first.read()
    (heard,) = first.send(b"\xff\xfe\n")
    assert "W+Illegal" in heard
    assert not first.closed


def test_an_occupied_point_is_illegal_and_the_reason_is_told(world):
    """An illegal move is reported with the move and the reason."""
    first, second = world.begin()
    first.say("C3")
    second.read()
    (heard,) = second.say("C3")
    assert heard == "gameover 2026-01-31 B+Illegal illegal move C3: there is a stone on this point"


def test_a_move_with_an_analysis_beyond_the_longest_line_still_counts(world):
    """A move with a too long analysis counts without the analysis."""
    first, second = world.begin()
    second.read()
    first.say("C3 {" + "x" * 70_000)
    assert second.read() == ["play b C3 10000", "genmove w 10000"]


def test_an_analysis_is_kept_if_it_is_json(world):
    """An analysis is saved only if it is a JSON object."""
    first, second = world.begin()
    first.say('C3 {"winrate": 0.5, "moves": []}')
    second.say("A1 [1]")
    assert [move.analysis for move in world.store.moves(1)] == ['{"winrate":0.5,"moves":[]}', ""]


def test_nobody_is_paired_before_it_is_ready_again(world):
    """A player is paired again only after it has sent `ready`."""
    first, second = world.begin()
    first.say("resign")
    world.pair()
    assert world.store.game(2) is None
    first.say("ready")
    world.pair()
    assert world.store.game(2) is None
    second.say("ready")
    world.pair()
    assert world.store.game(2) is not None


def test_colours_are_balanced(world):
    """Colours alternate between two players."""
    first, second = world.begin()
    row = world.store.game(1)
    for client in (first, second):
        client.read()
    first.say("resign")
    first.say("ready"), second.say("ready")
    world.pair()
    again = world.store.game(2)
    assert (again.first, again.second) == (row.second, row.first)


def test_a_game_without_end_is_scored_at_last(world, monkeypatch):
    """A game that is too long ends with its score at the maximum number of moves."""
    monkeypatch.setattr(refereed, "MOST_MOVES", 2)
    first, second = world.begin()
    first.say("C3")
    second.say("A1")
    row = world.store.game(1)
    assert row.ending == "adjudication"
    assert row.result == first.read()[-1].split()[2]


def test_nobody_is_told_of_a_move_that_cannot_be_written(world, monkeypatch):
    """A move that cannot be saved is not sent to either player."""
    first, second = world.begin()
    first.read(), second.read()

    def fail() -> None:
        raise SettingFault("database", "disk full")

    monkeypatch.setattr(world.store, "commit", fail)
    with pytest.raises(SettingFault):
        first.say("C3")
    assert first.read() == second.read() == []


# ---------------------------------------------------------------------------- clocks


def test_a_player_who_thinks_too_long_loses_on_time(world):
    """A player whose time is over loses, and its late move is ignored."""
    first, second = world.begin()
    first.read(), second.read()
    world.advance(10.2)
    assert first.read() == []
    world.advance(0.1)
    heard = first.read()
    assert heard[0].startswith("gameover 2026-01-31 W+Time")
    assert second.read() == heard
    # The late move is not taken for one of the next game.
    assert first.say("C3", "ready") == []


def test_a_move_that_comes_just_too_late_loses_as_well(world):
    """A move that comes just too late loses and is not saved."""
    first, _ = world.begin()
    first.read()
    world.seconds += 10.3
    (heard,) = first.say("C3")
    assert "W+Time" in heard
    assert world.store.moves(1) == []


def test_a_game_whose_players_stay_away_ends_by_the_clock(world):
    """If both players stay away, the player to move loses on time."""
    first, second = world.begin()
    first.say("C3")
    first.hang_up(), second.hang_up()
    world.advance(10.3)
    row = world.store.game(1)
    assert (row.result, row.ending) == ("B+Time", "forfeit")
    assert world.server.lobby.live_games == {}


# --------------------------------------------------------------------- coming back


def test_who_comes_back_is_shown_all_moves_and_asked_again_while_the_clock_runs(world):
    """A returning player receives all moves and its `genmove`; its clock has kept running."""
    first, second = world.begin()
    name = world.store.game(1).first
    setup = first.read()[0]
    first.say("C3")
    second.say("A1")
    first.hang_up()
    world.seconds += 2
    back, heard = world.log_in(name)
    assert heard == [f"{setup} C3 10000 A1 10000", "genmove b 8000"]
    second.read()
    back.say("B2")
    assert second.read()[0] == "play b B2 8250"


def test_who_comes_back_in_the_opponents_turn_is_not_asked(world):
    """A player that returns in the opponent's turn receives the setup and then the move."""
    first, second = world.begin()
    name = world.store.game(1).second
    second.hang_up()
    back, heard = world.log_in(name)
    assert len(heard) == 1
    assert heard[0].startswith(SETUP)
    first.say("C3")
    assert back.read() == ["play b C3 10000", "genmove w 10000"]


def test_a_second_login_takes_over_and_the_first_cannot_play_any_more(world):
    """A second login replaces the first one, whose later lines are ignored."""
    first, second = world.begin()
    name = world.store.game(1).first
    first.read()
    old_session = first.session
    back, heard = world.log_in(name)
    assert first.closed
    assert first.read() == ["info another login takes over"]
    assert heard[-1] == "genmove b 10000"
    second.read()
    old_session.receive_data(b"A1\n")  # was on its way
    world.settle()
    assert second.read() == []
    back.say("C3")
    assert second.read()[0] == "play b C3 10000"


def test_a_wrong_password_does_not_take_over(world):
    """A login with a wrong password does not replace the player."""
    first, _ = world.begin()
    name = world.store.game(1).first
    stranger = Client(world)
    heard = stranger.say("e1 test", name, "guessed")
    assert heard[-1] == "Error: Sorry, password doesn't match"
    assert stranger.closed
    assert not first.closed


# -------------------------------------------------------------------------- restart


def test_a_killed_server_goes_on_with_its_games_and_clocks(world):
    """A restarted server resumes its games with their moves and clocks."""
    first, second = world.begin()
    row = world.store.game(1)
    world.seconds += 3.25
    first.say("C3")
    world.seconds += 1.25
    second.say("A1")
    world.kill_and_restart()
    world.seconds += 30  # no clock runs before the players return
    world.server.look()
    one, heard = world.log_in(row.first)
    assert heard == [
        f"{SETUP} {row.second}(1500?) {row.first}(1500?) C3 7000 A1 9000",
        "genmove b 7000",
    ]
    other, heard = world.log_in(row.second)
    assert len(heard) == 1
    world.seconds += 1.25
    one.say("E5")
    assert other.read() == ["play b E5 6000", "genmove w 9000"]


def test_after_a_restart_the_clocks_run_at_last_even_if_nobody_comes(world):
    """After a restart the clock starts after a minute even if no player returns."""
    world.begin()
    world.kill_and_restart()
    world.advance(60 + 10.2)
    assert world.store.game(1).result is None
    world.advance(0.1)
    assert world.store.game(1).result == "W+Time"


def test_after_a_restart_who_is_back_first_may_move_and_the_other_does_not_pay(world):
    """After a restart a player's clock starts when the player returns within a minute."""
    world.begin()
    row = world.store.game(1)
    world.kill_and_restart()
    world.seconds += 5
    first, _ = world.log_in(row.first)
    first.say("C3")
    world.advance(40)
    _, heard = world.log_in(row.second)
    assert heard[-1] == "genmove w 10000"
    world.advance(10.3)
    assert world.store.game(1).result == "B+Time"


def test_what_was_told_survives_and_what_was_not_told_did_not_happen(world):
    """After a restart every move that was sent is there; an unsaved move is requested again."""
    first, second = world.begin()
    first.say("C3")
    second.read()
    second.session.receive_data(b"A1\n")  # killed before anything was committed or sent
    world.kill_and_restart()
    assert [move.move for move in world.store.moves(1)] == ["C3"]
    assert first.read()[2:] == []
    _, heard = world.log_in(world.store.game(1).second)
    assert heard[-1].startswith("genmove w")


def test_a_restart_gives_no_number_twice_and_keeps_the_colours_balanced(world):
    """After a restart game numbers are not reused, and colours still alternate."""
    first, _ = world.begin()
    row = world.store.game(1)
    first.say("resign")
    world.kill_and_restart()
    world.begin(row.first, row.second)
    again = world.store.game(2)
    assert (again.first, again.second) == (row.second, row.first)


# ---------------------------------------------------------------------------- records


def test_every_finished_game_has_an_sgf_file(world):
    """Every finished game has an SGF file with rules, moves, result and players."""
    first, second = world.begin()
    moves = finish(world, first, second)
    row = world.store.game(1)
    record = from_sgf((world.folder / "sgf/2026/01/31/1.sgf").read_bytes())
    assert record.game == world.game
    assert len(record.moves) == len(moves)
    assert record.result == row.result
    assert record.players == (f"{row.first} (1500?)", f"{row.second} (1500?)")


def test_missing_sgf_files_are_written_again(world):
    """A missing SGF file is written again from the database."""
    first, _ = world.begin()
    first.say("resign")
    path = world.folder / "sgf/2026/01/31/1.sgf"
    text = path.read_text()
    assert "RE[W+R]" in text
    path.unlink()
    world.server.lobby._sgf.restore(world.store)
    assert path.read_text() == text
