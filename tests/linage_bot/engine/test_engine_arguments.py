"""Arguments of the engine and the library: what is taken, and what is refused by name at once."""

import math

import numpy as np
import pytest

from linage_bot import (
    Analysis,
    Engine,
    FairPie,
    History,
    Limits,
    Picture,
    Player,
    Record,
    as_text,
    from_sgf,
    game,
    to_fen,
    to_sgf,
)
from linage_bot.rules.boards import NoSuchPoint
from linage_bot.settings.playing import PlaySettings

GAME = game("linage", size=5)
SO_FAR = History(GAME).play("C3").play("B2")
FEW = Limits(visits=20)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda _: Engine(5), "settings: expected PlaySettings, not int"),
        (lambda engine: engine.configure(None), "settings: expected PlaySettings, not NoneType"),
        (lambda engine: engine.play("C3"), "history: expected History, not str"),
        (lambda engine: engine.play(SO_FAR, 50), "limits: expected Limits, not int"),
        (lambda engine: engine.analyse(SO_FAR, FEW, True), "stopped: expected Event, not bool"),
        (lambda engine: engine.analyse(SO_FAR, report=1), "report: expected Report, not int"),
        (lambda engine: engine.analysis(GAME), "history: expected History, not Linage"),
        (lambda engine: engine.ponder(GAME), "history: expected History, not Linage"),
        (lambda engine: engine.prove(GAME, 1), "position: expected Position, not Linage"),
        (lambda engine: engine.prepare(SO_FAR), "game: expected Game, not History"),
        (lambda _: FairPie(GAME, 50), "settings: expected PlaySettings, not int"),
        (lambda _: FairPie(SO_FAR, PlaySettings()), "game: expected Game, not History"),
        (lambda _: History("linage"), "game: expected Game, not str"),
        (lambda _: History.at(SO_FAR), "position: expected Position, not History"),
        (lambda _: Record.of(GAME), "history: expected History, not Linage"),
        (lambda _: Picture(GAME), "position: expected Position, not Linage"),
        (lambda _: as_text(None), "position: expected Position, not NoneType"),
        (lambda _: to_fen(GAME), "position: expected Position, not Linage"),
    ],
)
def test_an_argument_of_a_wrong_type_is_named_with_the_right_one(call, words):
    """A wrong type is refused before any search, by the argument's name and both types."""
    with Engine() as engine, pytest.raises(TypeError, match=f"^{words}$"):
        call(engine)


@pytest.mark.parametrize("value", [math.nan, math.inf, -1, "5", None])
@pytest.mark.parametrize("name", ["proof_share", "proof_seconds"])
def test_a_share_or_a_time_of_a_proof_that_is_none_is_refused(name, value):
    """The share and the seconds of a proof are finite numbers from 0 up, and a share at most 1."""
    if (name, value) != ("proof_seconds", None):
        with pytest.raises(ValueError, match=f"^{name}: "):
            Engine().analyse(SO_FAR, FEW, **{name: value})
        with pytest.raises(ValueError, match=f"^{name}: "):
            Engine().analysis(SO_FAR, **{name: value})
    with pytest.raises(ValueError, match=r"^proof_share: 1\.5 is more than 1"):
        Engine().analyse(SO_FAR, FEW, proof_share=1.5)


@pytest.mark.parametrize("value", [math.nan, -1, "5"])
def test_a_time_to_prove_in_that_is_none_is_refused(value):
    """Seconds that are no time are refused, even where the table knows the answer."""
    with pytest.raises(ValueError, match=r"^seconds: "):
        Engine().prove(SO_FAR.position, value)


def test_a_position_is_taken_for_a_history_and_a_history_for_its_position():
    """Each stands for the other: a position for a game that starts there."""
    position = SO_FAR.position
    assert Picture(SO_FAR).svg() == Picture(position).svg()
    assert as_text(SO_FAR) == as_text(position)
    assert to_fen(SO_FAR) == to_fen(position)
    assert from_sgf(to_sgf(SO_FAR).encode()).history() == SO_FAR
    assert from_sgf(to_sgf(position).encode()).history() == History.at(position)
    assert Record.of(position).history().position == position
    with Engine(seed=1, ponder=True) as engine:
        assert engine.prove(SO_FAR, 1) == engine.prove(position, 1)
        assert engine.play(position, FEW).move in position.moves()
        assert engine.analyse(position, FEW).position is position
        assert next(engine.analysis(position, interval_seconds=0.01)).position is position
        engine.ponder(position)


def test_the_moves_to_consider_may_be_words_and_numbers_of_numpy():
    """They are written like the moves of a game, in any collection."""
    wanted = {GAME.move("A1"), GAME.move("E5")}
    for moves in (["A1", "e5"], ("A1", 24), np.array([0, 24]), iter(("A1", "E5"))):
        found = Engine(seed=1).analyse(SO_FAR, FEW, moves=moves)
        assert {each.move for each in found.candidates} == wanted
    with pytest.raises(NoSuchPoint):
        Engine().play(SO_FAR, FEW, moves=["K10"])


def test_numbers_of_numpy_are_seeds_and_limits():
    """An engine with numbers from an array makes the moves of one with Python's own."""
    start = History(game("linage", size=7))
    own = Engine(seed=3).play(start, Limits(visits=50))
    other = Engine(seed=np.int64(3), threads=np.int8(1))
    assert other.play(start, Limits(visits=np.int32(50))) == own


def test_a_player_s_number_stands_for_the_player():
    """An analysis as player 0 sees it is First's, and the values change sign for player 1."""
    analysis = Engine(seed=1).analyse(SO_FAR, FEW)
    assert analysis.seen_by(0) == analysis.seen_by(Player.FIRST) == analysis
    assert analysis.seen_by(1) == analysis.seen_by(Player.SECOND) != analysis
    with pytest.raises(ValueError, match="2 is not a valid Player"):
        Analysis(position=SO_FAR.position).seen_by(2)
