"""A table that is saved and loaded is unchanged in all its details."""

from collections.abc import Iterator
from operator import methodcaller as deed

import attrs
import pytest

from linage_bot.records import study_from_sgf
from linage_bot.rules.game import PASS, Player
from linage_bot.settings.match import ClockSettings
from linage_bot.web.table.game import TableAction, TableGame
from linage_bot.web.table.persistence import read, written
from tests.linage_bot.web.room import ENGINE, PERSON, new_course

STUDY = study_from_sgf(
    b"(;SZ[5]RU[linage]PB[Ann\\]]PW[Bob]DT[2020-02-02]RE[B+R]ON[2 given moves]C[start]XX[a\\]b][c]"
    b";B[cc];W[ae]C[good\\]\n\xc3\xbc](;B[aa]LB[aa:x])(;B[ee];W[bb]C[alt])(;B[cc];W[dd]))"
)


def alike(one: TableGame, two: TableGame) -> bool:
    """Whether two tables are equal including their node numbers, which tree equality ignores."""
    nodes = [dict(each.tree.nodes) for each in (one, two)]
    positions = [{at: str(p) for at, p in each.positions.items()} for each in (one, two)]
    return (one, nodes[0], positions[0]) == (
        attrs.evolve(two, ground=attrs.evolve(two.ground, positions=one.positions)),
        nodes[1],
        positions[1],
    )


def tables() -> Iterator[TableGame]:
    """Yield tables of many kinds."""
    yield new_course("gardar", "3", ENGINE, 3)
    yield new_course("linage", "5", pie=True).offer(2.5)
    stone = new_course("leblin", "5", PERSON, ENGINE, pie=True).play(12, 0)
    yield stone
    yield stone.choose(Player.FIRST, by_engine=True).play(0, 1)
    timed = stone.choose(Player.SECOND, by_engine=True).pace(3)
    yield timed.timed(ClockSettings(main_seconds=60, period_seconds=10, periods=3))
    study = TableGame.of(STUDY, (PERSON, 4))
    yield study
    yield study.undo().pause(True)
    yield study.delete(3).play(20, 2).review(True)
    game = new_course("linage-parity", "4", moves=(0, 5))
    yield game.undo().comment(1, "half a letter: \ud800").comment(0, "x").comment(0, "")
    yield game.play(PASS, 2).play(PASS, 3)
    yield new_course("linage-two-color", "6x4").play(3, 0).resign()


@pytest.mark.parametrize("course", list(tables()))
def test_what_is_written_is_read(course: TableGame) -> None:
    """Variations, comments, unknown properties, undone moves and node numbers are saved."""
    assert alike(read(written(course)), course)


@pytest.mark.parametrize(
    "deeds", [[deed("play", 7, 2)], [deed("undo"), deed("redo")], [deed("delete", 4)]]
)
def test_it_goes_on_as_if_nothing_had_been(deeds: list[TableAction]) -> None:
    """A loaded table reacts to the next actions as the saved one would."""
    course = TableGame.of(STUDY, (PERSON, PERSON)).undo().undo()
    again = read(written(course))
    for each in deeds:
        course, again = each(course), each(again)
    assert alike(again, course)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"facts": 5}', '{"facts": "(;SZ[99])"}'])
def test_anything_else_is_not_a_game(text: str) -> None:
    """Text that is no saved game raises `ValueError`."""
    with pytest.raises(ValueError):  # noqa: PT011
        read(text)
