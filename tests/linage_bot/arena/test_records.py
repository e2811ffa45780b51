"""Game records: they survive the disk, make SGF files, and know when engines disagree."""

import json

import pytest

from linage_bot.arena.records import Rules, from_table, to_table
from linage_bot.records.reading import from_sgf
from linage_bot.records.record import same_result
from linage_bot.records.writing import to_sgf
from linage_bot.rules import GAMES


def test_a_record_is_read_back_as_it_was(game):
    """Records survive JSON: drawn, forfeited, without moves, with claims and log."""
    for record in (
        game(1, "ada"),
        game(2, None, claims=("0", None)),
        game(3, "bea", ending="forfeit", reason="died", log=("> genmove b", "! oh"), moves=()),
    ):
        assert from_table(json.loads(json.dumps(to_table(record)))) == record


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_of_every_game_can_be_written_and_read(name):
    """A stored game of any kind can be replayed."""
    game = GAMES[name].configure()
    assert Rules.of(game).game() == game


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda table: table.pop("moves"), "moves"),
        (lambda table: table.update(moves=["Z99"]), "'Z99' is not a point"),
        (lambda table: table.update(key=3), "not a game's record"),
        (lambda table: table["rules"].update(size="0"), "size: a 0x0 board"),
        (lambda table: table.update(winner=2), "winner"),
        (lambda table: table.update(winner=-1), "winner"),
        (lambda table: table.update(number=0), "number"),
        (lambda table: table.update(number=10**400), "number"),
        (lambda table: table.update(seconds=[1.0, float("nan")]), "seconds"),
        (lambda table: table.update(seconds=[10**400]), "not a game's record"),
        (lambda table: table.update(duration_seconds=10**400), "not a game's record"),
        (lambda table: table["rules"].update(komi=10**400), "not a game's record"),
        (lambda table: table["rules"].update(id="go"), "not a game's record: 'go'"),
    ],
)
def test_what_is_not_a_record_is_refused(game, damage, reason):
    """The reason names the field, and no number is too large to say so."""
    table = to_table(game(1, "ada"))
    damage(table)
    with pytest.raises(ValueError, match=reason):
        from_table(table)


def test_the_sgf_file_tells_players_result_and_why(game):
    """The reason of a forfeit and the engine's last words are a comment on the last move."""
    facts = {"moves": ("C3", "A1", "pass", "pass"), "result": "W+F"}
    record = game(3, "bea", ending="forfeit", reason="died", log=("> genmove b",), **facts)
    sgf = from_sgf(to_sgf(record.sgf_record("Evening")).encode())
    assert (sgf.players, sgf.result, sgf.event, sgf.round) == (
        ("ada", "bea"),
        "W+F",
        "Evening",
        "3",
    )
    assert sgf.moves == (12, 0, -1, -1)
    assert sgf.comments == {4: "died\n> genmove b"}
    assert sgf.date == "2026-03-01"


def test_the_sgf_file_tells_what_no_player_chose(game):
    """The SGF file has the number of given moves and the pie, which the mover did not choose."""
    record = game(1, "ada", opening_moves=2, pie="ada offered C3, bea chose White")
    text = to_sgf(record.sgf_record())
    assert "ON[2 given moves]" in text
    sgf = from_sgf(text.encode())
    assert (sgf.given, sgf.comments) == (2, {0: "ada offered C3, bea chose White"})
    assert "ON[" not in to_sgf(game(1, "ada").sgf_record())


@pytest.mark.parametrize(
    ("claim", "result", "same"),
    [
        ("B+1.5", "B+1.5", True),
        ("b+1.50", "B+1.5", True),
        ("B+", "B+1.5", True),
        ("W+3", "W+", True),
        ("W+1.5", "B+1.5", False),
        ("B+2.5", "B+1.5", False),
        ("0", "0", True),
        ("Draw", "0", True),
        ("0", "B+1", False),
        ("W+1", "0", False),
        ("?", "B+1", False),
    ],
)
def test_an_engine_agrees_with_the_result_or_not(game, claim, result, same):
    """Spelling does not matter, nor a margin left out; a game with another claim is disputed."""
    assert same_result(claim, result) is same
    assert game(1, "ada", result=result, claims=(None, claim)).disputed is not same
