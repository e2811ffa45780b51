"""Time at a table: flags fall, clocks stop while engines wait, and engines keep a pace."""

from concurrent.futures import Future

import pytest

from linage_bot.records.record import EarlyEnd
from linage_bot.rules.game import PASS, Player
from linage_bot.settings.match import ClockSettings
from linage_bot.web.table.errors import ActionRefused
from linage_bot.web.table.pie import PlayerKind
from linage_bot.web.thinking.scheduler import SearchScheduler
from linage_bot.web.thinking.session import Session
from linage_bot.web.thinking.tasks import ChooseMove
from tests.linage_bot.web.room import (
    ENGINE,
    PERSON,
    SETTINGS,
    Reactor,
    Searches,
    add_page,
    after,
    change,
    decision,
    new_game,
    new_scheduler,
)

BLITZ = ClockSettings(main_seconds=60, increment_seconds=2, margin_seconds=0)


class Table:
    """A session with its scheduler, a page, and a clock that the test advances."""

    def __init__(self, *seats: PlayerKind, pace: float = 0, pie: bool = False) -> None:
        self.reactor, self.searches = Reactor(), Searches()
        self.scheduler: SearchScheduler = new_scheduler(self.searches, self.reactor)
        game = after(
            new_game("leblin", "5", *seats, pie=pie), change("timed", BLITZ), change("pace", pace)
        )
        self.session = Session(game, SETTINGS, seconds=self.reactor.seconds)
        self.page = add_page(self.session)
        self.scheduler.update(self.session)

    def play(self, *moves: int) -> None:
        """Play moves as a person."""
        for move in moves:
            self.do(change("play", move, self.session.game.node))

    def do(self, what) -> None:  # type: ignore[no-untyped-def]
        self.session.do(what)
        self.scheduler.update(self.session)

    def answer(self, move: int) -> None:
        """Play a move as the engine."""
        self.searches.finish(decision(self.session, move))

    def left(self, player: Player) -> float:
        clock = self.session.game.clock
        assert clock is not None
        return clock.shown(player, self.reactor.seconds()).seconds


FIRST, SECOND = Player.FIRST, Player.SECOND


def test_a_flag_falls_though_nobody_does_anything() -> None:
    """A flag falls without any request, and an undo after it removes the clock."""
    table = Table(PERSON, PERSON)
    table.reactor.advance(500)
    table.play(12, 0)
    assert table.session.game.conceded is None, "the first moves take no time"
    table.reactor.advance(59)
    assert not table.session.game.over
    table.reactor.advance(1)
    assert table.session.game.conceded == EarlyEnd(FIRST, "T")
    assert table.session.game.to_save().facts.result == "W+T"
    assert table.page.tables[-1]["result"] == {"winner": 1, "margin": None, "lost": "lost on time"}
    with pytest.raises(ActionRefused, match="over"):
        table.play(1)
    table.do(change("undo"))
    assert table.session.game.clock is None
    table.reactor.advance(1000)
    assert not table.session.game.over


def test_a_move_after_the_flag_comes_too_late() -> None:
    """A move after the time has run out is refused, even before the timer fires."""
    table = Table(PERSON, PERSON)
    table.play(12, 0)
    table.reactor.rightNow += 61
    with pytest.raises(ActionRefused, match="over"):
        table.play(1)
    assert table.session.game.conceded == EarlyEnd(FIRST, "T")


def test_time_runs_for_a_person_as_soon_as_the_engine_has_moved() -> None:
    """Time runs for the person from the engine's move on, and for the engine during its search."""
    table = Table(PERSON, ENGINE)
    table.play(12)
    table.answer(0)
    table.reactor.advance(10)
    table.play(1)
    assert table.left(FIRST) == 52
    task = table.searches.running[0].task
    assert isinstance(task, ChooseMove)
    assert task.clock is not None
    assert task.clock.seconds_left == 60
    table.reactor.advance(5)
    table.answer(3)
    table.reactor.advance(4)
    assert (table.left(FIRST), table.left(SECOND)) == (48, 57)
    kind, told = table.page.heard[-1]
    assert (kind, told["runs"]) == ("clock", 0)


def test_an_engine_that_waits_for_its_turn_loses_no_time() -> None:
    """An engine loses no time while its search is queued."""
    table = Table(PERSON, ENGINE)
    table.play(12)
    table.answer(0)
    table.scheduler.stop()
    table.play(1)
    table.reactor.advance(100)
    assert table.left(SECOND) == 60


def test_an_engine_can_lose_on_time() -> None:
    """An engine that runs out of time loses, and its search is stopped."""
    table = Table(PERSON, ENGINE)
    table.play(12)
    table.answer(0)
    table.play(1)
    table.reactor.advance(60)
    assert table.session.game.conceded == EarlyEnd(SECOND, "T")
    assert table.searches.running[0].stopped.is_set()


@pytest.mark.parametrize("engine", [ENGINE, 0])
def test_clocks_stand_still_while_engines_are_held_or_compiled(engine: int) -> None:
    """Clocks stop while an engine is paused or compiled, and then continue."""
    table = Table(PERSON, engine)
    table.play(12)
    table.answer(0)
    table.reactor.advance(10)
    table.do(change("pause", True))
    table.reactor.advance(100)
    table.do(change("pause", False))
    table.reactor.advance(10)
    assert table.left(FIRST) == 40
    code: Future[None] = Future()
    table.session.code = code
    table.scheduler.update(table.session)
    table.reactor.advance(100)
    assert table.left(FIRST) == 40
    code.set_result(None)
    table.scheduler.update(table.session)
    table.reactor.advance(10)
    assert table.left(FIRST) == 30


def test_to_take_back_gives_no_time() -> None:
    """Undo gives no time back."""
    table = Table(PERSON, PERSON)
    table.play(12, 0)
    table.reactor.advance(10)
    table.play(1)
    table.reactor.advance(5)
    table.do(change("undo"))
    assert (table.left(FIRST), table.left(SECOND)) == (52, 55)


def test_time_begins_after_the_pie() -> None:
    """The clock starts after the pie, so choosing a side takes no time."""
    table = Table(PERSON, PERSON, pie=True)
    table.play(12)
    table.reactor.advance(500)
    table.do(change("choose", Player.FIRST))
    table.play(0)
    table.reactor.advance(30)
    assert table.left(FIRST) == 30


def test_engines_that_play_each_other_keep_a_pace() -> None:
    """Two engines pause between moves for the set pace, which may be changed at any time."""
    table = Table(ENGINE, ENGINE, pace=5)
    table.answer(12)
    assert table.searches.running == []
    table.reactor.advance(4)
    assert table.searches.running == []
    table.reactor.advance(1)
    table.answer(0)
    assert table.searches.running == []
    table.do(change("pace", 0))
    table.answer(1)
    assert table.session.game.now.moves == (12, 0, 1)
    with pytest.raises(ActionRefused, match="0 to 60"):
        table.do(change("pace", -1))


def test_a_person_is_answered_at_once_whatever_the_pace() -> None:
    """The pace does not delay an engine's answer to a person."""
    table = Table(PERSON, ENGINE, pace=5)
    table.play(12)
    assert len(table.searches.running) == 1
    assert PASS not in table.session.game.position.moves()
