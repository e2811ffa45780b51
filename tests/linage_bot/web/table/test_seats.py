"""Tables shared by two people: seats, allowed actions and the end of the game."""

import attrs
import pytest

from linage_bot.rules.game import PASS, Player
from linage_bot.web.http.new_table import rematch
from linage_bot.web.http.requests import read_action
from linage_bot.web.messages.events import send_changes
from linage_bot.web.messages.table import table_message
from linage_bot.web.table.actions import ACTIONS
from linage_bot.web.table.controls import pause, take_seat
from linage_bot.web.table.errors import ActionRefused
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.moves import choose, offer, play, resign, undo
from linage_bot.web.table.persistence import read, written
from linage_bot.web.table.seats import Seat, Seats, hashed
from linage_bot.web.table.view import View
from linage_bot.web.table.viewer import Viewer
from linage_bot.web.thinking.session import Session
from tests.linage_bot.web.room import ENGINE, PERSON, SETTINGS, Page, new_game

ONE, TWO, LINK = "one's secret", "two's secret", "the link's word"
OPEN = Seats((Seat(holder=hashed(ONE)), Seat(invitation=hashed(LINK))))
BOTH = OPEN.taken(hashed(LINK), hashed(TWO))
FIELDS = {
    "move": 12,
    "node": 0,
    "text": "so",
    "on": True,
    "seconds": 1,
    "ownership": False,
    "player": 0,
    "seat": 3,
    "komi": 2.5,
    "name": "Bo",
}


def shared(game: TableGame | None = None, seats: Seats = BOTH) -> Session:
    return Session(attrs.evolve(game or new_game(), seats=seats), SETTINGS)


def come(session: Session, secret: str = "", **view: object) -> Viewer:
    """Join a session, as a spectator unless the secret has a seat."""
    viewer = Viewer(Page(), secret or "spectator", View(**view), hashed(secret))
    session.join(viewer)
    return viewer


def ask(session: Session, secret: str, word: str, **fields: object) -> None:
    """Send an action as a page does."""
    viewer = session.viewer(secret or "spectator")
    action = read_action(word, {**FIELDS, **fields})
    session.act(action, viewer, hashed(secret) if secret else "")


def allowed(session: Session, secret: str) -> set[str]:
    """The actions that the holder of a secret may take now."""
    found = set()
    for word in ACTIONS:
        again = Session(session.game, SETTINGS)
        again.viewers = [Viewer(Page(), secret or "spectator", View(), hashed(secret))]
        try:
            node = again.game.node if word == "play" else 0
            ask(again, secret, word, node=node, on=word != "pause")
        except ActionRefused:
            continue
        found.add(word)
    return found


def test_whoever_opens_the_link_first_has_the_seat() -> None:
    """The first browser that opens an invitation gets the seat and keeps it."""
    assert (OPEN.seat_of(hashed(ONE)), OPEN.seat_of(hashed(TWO))) == (0, None)
    assert (BOTH.seat_of(hashed(TWO)), BOTH.seat_of("")) == (1, None)
    assert BOTH.taken(hashed(LINK), hashed(TWO)) == BOTH
    with pytest.raises(ActionRefused, match="another person has this seat already"):
        BOTH.taken(hashed(LINK), hashed("a third"))
    with pytest.raises(ActionRefused, match="you have the other seat already"):
        OPEN.taken(hashed(LINK), hashed(ONE))
    for word in ("", "another"):
        with pytest.raises(ActionRefused, match="gives no seat"):
            OPEN.taken(hashed(word), hashed(TWO))
    with pytest.raises(ActionRefused, match="gives no seat"):
        take_seat(new_game(), hashed(LINK), hashed(TWO))


def test_a_seat_outlives_the_server_and_no_secret_is_written() -> None:
    """Saved tables keep their seats, but only hashes of the secrets."""
    game = shared(seats=OPEN).game
    game = take_seat(game, hashed(LINK), hashed(TWO))
    assert read(written(game)).seats == BOTH
    assert not any(word in written(game) for word in (ONE, TWO, LINK))


def test_while_the_game_runs_each_plays_in_turn_and_nobody_is_helped() -> None:
    """During a shared game each player moves in turn, without undo; spectators only watch."""
    session = shared(new_game(moves=(6, 18)))
    session.game = undo(session.game)
    assert allowed(session, ONE) == {"look", "name", "resign", "pause"}
    assert allowed(session, TWO) == {"look", "name", "play", "resign", "pause"}
    assert allowed(session, "") == {"look"}
    assert allowed(session, "a wrong secret") == {"look"}


def test_no_hint_is_given_and_no_clock_is_stopped() -> None:
    """A shared game allows no hints, losses or paused clocks."""
    session = shared()
    for action in (
        lambda: session.advice(0),
        lambda: session.loss(0, 12),
        lambda: pause(session.game, on=True),
    ):
        with pytest.raises(ActionRefused):
            action()


def test_people_have_names() -> None:
    """A name is seen by both, saved, and written into the file; a long one is refused."""
    session = shared(new_game(moves=(6, 18)))
    ask(session, TWO, "name", name=" Bo\n Li ")
    game = read(written(session.game))
    assert game.seats is not None
    assert [seat and seat.name for seat in game.seats.by_player] == ["", "Bo Li"]
    assert game.to_save().facts.players[1] == "Bo Li"
    with pytest.raises(ActionRefused, match="at most 40"):
        ask(session, ONE, "name", name="x" * 41)


def test_a_rematch_swaps_the_seats() -> None:
    """Both people keep their seats in a rematch with the sides swapped; a chooser offers next."""
    game = shared(seats=BOTH).game
    assert rematch(game).seats == BOTH.turned()
    for side in Player:
        pie = attrs.evolve(new_game(pie=True), seats=BOTH)
        chosen = choose(offer(pie, 2.5), side)
        assert rematch(chosen).seats == BOTH.turned(), side


def test_when_the_game_is_over_it_stays_and_all_else_is_open() -> None:
    """After a shared game its players may analyse and comment; spectators may only analyse."""
    game = resign(new_game(moves=(6, 18)))
    game = play(game, 7, 1)
    afterwards = {"look", "name", "analyse", "comment", "review", "pause", "promote"}
    session = shared(game)
    assert allowed(session, ONE) == allowed(session, TWO) == afterwards
    assert allowed(session, "") == {"look", "analyse"}
    come(session, TWO)
    ask(session, TWO, "look", node=1)
    ask(session, TWO, "play", move=24, node=1)
    ask(session, TWO, "delete", node=3)
    assert (len(session.game.tree), session.game.over) == (4, True)


def test_no_variation_is_played_while_the_game_runs() -> None:
    """No player may play a variation during a shared game."""
    session = shared(new_game(moves=(6, 18)))
    come(session, ONE)
    ask(session, ONE, "look", node=1)
    with pytest.raises(ActionRefused, match="no variations"):
        ask(session, ONE, "play", move=24, node=1)


def test_who_resigns_gives_up_their_own_side() -> None:
    """A player resigns for their own side even when the other one is to move."""
    session = shared(new_game(moves=(6,)))
    come(session, ONE)
    ask(session, ONE, "resign")
    assert session.game.conceded is not None
    assert session.game.conceded.loser is Player.FIRST


@pytest.mark.parametrize("player", [0, 1])
def test_after_a_pie_the_seats_are_the_sides(player: int) -> None:
    """After a pie each player has the chosen side; the player who offered cannot choose."""
    session = shared(new_game(pie=True))
    one, two = come(session, ONE), come(session, TWO)
    assert allowed(session, TWO) == {"look", "name", "pause"}
    ask(session, ONE, "offer")
    assert allowed(session, ONE) == {"look", "name", "pause"}
    ask(session, TWO, "choose", player=player)
    send_changes(session)
    assert two.stream.tables[-1]["seats"]["you"] == player
    assert one.stream.tables[-1]["seats"]["you"] == 1 - player
    assert one.stream.tables[-1]["turn"] == ("person" if player else "other")


def test_an_engine_may_sit_there_too() -> None:
    """An engine may play against the one person at a shared table."""
    game = new_game("linage", "5", ENGINE, PERSON, moves=(6,))
    seats = Seats((None, Seat(invitation=hashed(LINK))))
    session = shared(game, seats.taken(hashed(LINK), hashed(TWO)))
    come(session, TWO)
    ask(session, TWO, "play", node=1)
    assert session.game.engine_to_move == ENGINE
    assert "play" not in allowed(session, TWO)


def test_each_sees_whether_the_other_is_there() -> None:
    """Both players see whether the other one is there, and the number of spectators."""
    session = shared(seats=OPEN)
    one = come(session, ONE, analysing=True)
    come(session)
    send_changes(session)
    told = one.stream.tables[-1]
    assert told["seats"] == {
        "you": 0,
        "byPlayer": [
            {"taken": True, "here": True, "name": ""},
            {"taken": False, "here": False, "name": ""},
        ],
        "viewers": 1,
        "closed": True,
    }
    assert (told["turn"], told["analysing"], session.wanted()) == ("person", False, None)
    session.take(hashed(LINK), hashed(TWO))
    two = come(session, TWO)
    send_changes(session)
    assert one.stream.tables[-1]["seats"]["byPlayer"][1] == {
        "taken": True,
        "here": True,
        "name": "",
    }
    assert two.stream.tables[-1]["turn"] == "other"
    session.leave(two)
    send_changes(session)
    assert one.stream.tables[-1]["seats"]["byPlayer"][1] == {
        "taken": True,
        "here": False,
        "name": "",
    }


def test_a_table_of_one_person_is_as_it_was() -> None:
    """At an unshared table every page may take every action."""
    session = Session(new_game(moves=(6, 18)), SETTINGS)
    assert {"undo", "analyse", "review", "sit"} <= allowed(session, "") == allowed(session, ONE)
    assert table_message(session).seats is None
    session.game = play(play(session.game, PASS, 2), PASS, 3)
    assert "undo" in allowed(session, "")
