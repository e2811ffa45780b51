"""Proven values appear as proven in the verdict, the move list and the graph."""

from typing import Any

import pytest

from linage_bot.engine.solver.solved_boards import TABLE, solved_board
from linage_bot.engine.tables import read_table
from linage_bot.records.record import Record
from linage_bot.rules import GAMES
from linage_bot.rules.game import Game
from linage_bot.settings.playing import PlaySettings
from linage_bot.web.messages.analysis import analysis_message, graph_message
from linage_bot.web.table.game import TableGame
from linage_bot.web.thinking.session import Session
from tests.linage_bot.web.room import PERSON, add_page, received, think

SOLVED = [  # game, size, komi, First's score, win rate
    ("linage", "5", 0.5, 6.5, 1.0),
    ("linage", "5", 7.0, 0.0, 0.5),
    ("linage", "5", 9.5, -2.5, 0.0),
    ("linage", "6", 0.5, -0.5, 0.0),
    ("linage", "6x4", 0.5, 1.5, 1.0),
    ("linage-parity", "5", None, 1, 1.0),
    ("leblin", "4", None, 1, 1.0),
]


def table(game: Game, *moves: int, settings: PlaySettings | None = None) -> Session:
    session = Session(
        TableGame.of(Record(game, moves=moves), (PERSON, PERSON)),
        settings or PlaySettings(visits=20, seed=1),
    )
    add_page(session, analysing=True)
    return session


def told(session: Session) -> Any:
    """The analysis of the viewed position that the page gets."""
    return received(analysis_message(session))


@pytest.mark.parametrize(("name", "size", "komi", "score", "rate"), SOLVED)
def test_a_solved_board_is_told_before_and_after_any_thought(
    name: str, size: str, komi: float | None, score: float, rate: float
) -> None:
    """A solved board lists its best moves first, and rates no other move as high."""
    game = GAMES[name].configure(size, komi)
    session = table(game)
    assert told(session)["exact"] == score
    best = told(session)["best"]
    think(session)
    thought = told(session)
    points = game.counts_points
    assert (thought["winRate"], thought["lead"]) == (rate, score if points else 0)
    first, others = thought["candidates"][: len(best)], thought["candidates"][len(best) :]
    assert {each["move"] for each in first} == set(best)
    assert {each["certain"] for each in first} == {rate}
    assert {each["lead"] for each in first} == {score if points else 0}
    assert all(each["winRate"] <= rate for each in others)
    assert not points or all(each["lead"] < score for each in others)
    assert received(graph_message(session))["points"][0] == [0, rate, score if points else 0]
    exact = {move for each in thought["values"] if each["exact"] for move in each["moves"]}
    assert {each["move"] for each in thought["candidates"] if each["exact"]} == exact


@pytest.mark.parametrize("name", GAMES)
def test_every_board_of_the_table_is_told_at_once(name: str) -> None:
    """Every solved opening shows verdict, best moves and all values before any search."""
    for row in read_table(TABLE):
        if row["game"] == name:
            game = GAMES[name].configure(row["size"], None, row["options"])
            thought, solved = told(table(game)), solved_board(game)
            assert solved is not None
            assert thought["exact"] == solved.score - game.komi
            assert thought["best"] == list(solved.best)
            assert thought["values"][0]["most"] == thought["exact"]
            listed = [move for each in thought["values"] for move in each["moves"]]
            assert sorted(listed) == sorted(game.start().moves())


def test_moves_alike_are_told_together_with_what_they_are_worth() -> None:
    """Symmetric moves are grouped with their common value."""
    session = table(GAMES["linage"].configure("5", 0))
    name_of = session.game.position.name_of
    values = [
        (" ".join(map(name_of, each["moves"])), each["most"]) for each in told(session)["values"]
    ]
    assert values[:3] == [("C1 C5", 7), ("C2 C4", 7), ("B1 D1 B5 D5", -4)]
    assert len(values) == 10
    assert all(each["exact"] for each in told(session)["values"])


def test_the_value_after_a_best_move_stands_in_the_graph_too() -> None:
    """The value after a best move is in the graph, from First's point of view."""
    game = GAMES["linage"].configure("6")
    session = table(game, game.board.point("C1"))
    while len(session.cache.analyses) < 2:
        think(session)
    thought = told(session)
    assert (thought["exact"], thought["best"]) == (-0.5, [game.board.point("B4")])
    assert (thought["winRate"], thought["lead"]) == (0.0, -0.5)
    assert received(graph_message(session))["points"] == [[0, 0.0, -0.5], [1, 0.0, -0.5]]


@pytest.mark.parametrize(
    ("name", "size", "moves", "score"),
    [("linage", "5", ("C1", "A1"), 9.5), ("leblin", "3", ("A1", "B2"), -1)],
)
def test_a_proof_is_pursued_where_the_table_says_nothing(
    name: str, size: str, moves: tuple[str, ...], score: float
) -> None:
    """The proof of a position outside the table continues until every move is proven."""
    game = GAMES[name].configure(size)
    session = table(game, *map(game.board.point, moves), settings=PlaySettings())
    assert told(session)["exact"] is None
    for _ in range(1000):
        if session.wanted() is None:
            break
        think(session)
    exact = told(session)
    assert exact["exact"] == score
    assert exact["best"]
    legal = set(session.game.position.moves())
    assert {each["move"] for each in exact["candidates"] if each["exact"]} == legal


def test_without_the_solver_the_page_tells_estimates() -> None:
    """With the solver switched off, the page shows estimates only."""
    session = table(
        GAMES["linage"].configure("4").with_komi(0.5),
        5,
        10,
        settings=PlaySettings(visits=20, seed=1, solver=False),
    )
    for _ in range(3):
        think(session)
    assert told(session)["exact"] is None
