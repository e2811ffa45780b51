"""Tables are few, and cleared when nobody comes any more."""

import pytest

from linage_bot.engine.engine import AgentSettings
from linage_bot.records import Record
from linage_bot.rules import GAMES
from linage_bot.web.course import Course
from linage_bot.web.errors import Refused
from linage_bot.web.rooms import IDLE_SECONDS, MOST_TABLES, Rooms
from linage_bot.web.seats import Seat
from linage_bot.web.session import Session


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def session() -> Session:
    return Session(
        Course.of(Record(GAMES["linage"].configure("3"))), (Seat(), Seat()), AgentSettings()
    )


def rooms(clock: Clock) -> Rooms:
    return Rooms(clock, lambda _session: False)


def test_a_table_is_found_by_its_name_and_by_no_other() -> None:
    tables, mine = rooms(Clock()), session()
    name = tables.open(mine)
    assert tables.find(name) is mine
    with pytest.raises(Refused) as refused:
        tables.find("no-such-name")
    assert refused.value.status == 404


def test_when_all_tables_are_taken_the_one_longest_left_alone_is_cleared() -> None:
    clock = Clock()
    tables = rooms(clock)
    names = []
    for clock.seconds in range(MOST_TABLES):
        names.append(tables.open(session()))
    tables.find(names[0]).watchers = 1
    clock.seconds += 1
    new = tables.open(session())
    with pytest.raises(Refused):
        tables.find(names[1])
    assert len({id(tables.find(name)) for name in (new, names[0], *names[2:])}) == MOST_TABLES


def test_nobody_is_sent_away_from_a_table_they_look_at() -> None:
    tables = rooms(Clock())
    for _ in range(MOST_TABLES):
        tables.find(tables.open(session())).watchers = 1
    with pytest.raises(Refused) as refused:
        tables.open(session())
    assert refused.value.status == 503


def test_what_is_left_alone_for_long_goes() -> None:
    clock = Clock()
    tables = rooms(clock)
    left, watched = tables.open(session()), tables.open(session())
    tables.find(watched).watchers = 1
    clock.seconds = IDLE_SECONDS + 1
    tables.tidy()
    assert list(tables) == [tables.find(watched)]
    with pytest.raises(Refused):
        tables.find(left)
