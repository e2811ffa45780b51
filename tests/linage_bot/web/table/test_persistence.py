"""A table that is saved and loaded is unchanged in all its details."""

from collections.abc import Iterator

import attrs
import pytest

from linage_bot.records.reading import study_from_sgf
from linage_bot.rules.game import PASS, Player
from linage_bot.settings.match import ClockSettings
from linage_bot.web.table.game import Change, TableGame
from linage_bot.web.table.persistence import read, written
from tests.linage_bot.web.room import ENGINE, PERSON, after, change, new_game

STUDY = study_from_sgf(
    b"(;SZ[5]RU[linage]PB[Ann\\]]PW[Bob]DT[2020-02-02]RE[B+R]ON[2 given moves]C[start]XX[a\\]b][c]"
    b";B[cc];W[ae]C[good\\]\n\xc3\xbc](;B[aa]LB[aa:x])(;B[ee];W[bb]C[alt])(;B[cc];W[dd]))"
)


def alike(one: TableGame, two: TableGame) -> bool:
    """Whether two tables are equal including their node numbers, which tree equality ignores."""
    nodes = [dict(each.tree.nodes) for each in (one, two)]
    positions = [{node: str(p) for node, p in each.positions.items()} for each in (one, two)]
    return (one, nodes[0], positions[0]) == (
        attrs.evolve(two, positions=one.positions),
        nodes[1],
        positions[1],
    )


def tables() -> Iterator[TableGame]:
    """Yield tables of many kinds."""
    yield new_game("gardar", "3", ENGINE, 3)
    yield after(new_game("linage", "5", pie=True), change("offer", 2.5))
    stone = after(new_game("leblin", "5", PERSON, ENGINE, pie=True), change("play", 12, 0))
    yield stone
    choose, play = change("choose", Player.FIRST, by_engine=True), change("play", 0, 1)
    yield after(stone, choose, play)
    clock = ClockSettings(main_seconds=60, period_seconds=10, periods=3)
    choose = change("choose", Player.SECOND, by_engine=True)
    yield after(stone, choose, change("pace", 3), change("timed", clock))
    study = TableGame.of(STUDY, (PERSON, 4))
    yield study
    yield after(study, change("undo"), change("pause", True))
    yield after(study, change("delete", 3), change("play", 20, 2), change("review", True))
    game = new_game("linage-parity", "4", moves=(0, 5))
    half = change("comment", 1, "half a letter: \ud800")
    yield after(game, change("undo"), half, change("comment", 0, "x"), change("comment", 0, ""))
    yield after(game, change("play", PASS, 2), change("play", PASS, 3))
    yield after(new_game("linage-two-color", "6x4"), change("play", 3, 0), change("resign"))


@pytest.mark.parametrize("game", list(tables()))
def test_what_is_written_is_read(game: TableGame) -> None:
    """Variations, comments, unknown properties, undone moves and node numbers are saved."""
    assert alike(read(written(game)), game)


@pytest.mark.parametrize(
    "changes", [[change("play", 7, 2)], [change("undo"), change("redo")], [change("delete", 4)]]
)
def test_it_goes_on_as_if_nothing_had_been(changes: list[Change]) -> None:
    """A loaded table reacts to the next actions as the saved one would."""
    game = after(TableGame.of(STUDY, (PERSON, PERSON)), change("undo"), change("undo"))
    again = read(written(game))
    for each in changes:
        game, again = each(game), each(again)
    assert alike(again, game)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"facts": 5}', '{"facts": "(;SZ[99])"}'])
def test_anything_else_is_not_a_game(text: str) -> None:
    """Text that is no saved game raises `ValueError`."""
    with pytest.raises(ValueError):  # noqa: PT011
        read(text)
