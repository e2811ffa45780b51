"""Proven values are reported as proven: in analyses, with moves, and in words."""

import json

import pytest

from linage_bot.engine.solver.proven_values import known
from linage_bot.engine.solver.solved_boards import TABLE
from linage_bot.engine.tables import read_table
from linage_bot.rules import GAMES
from linage_bot.settings.playing import PlaySettings
from protocol.cgos.analysis import parse_cgos_json
from protocol.gtp.analysis import AnalysisLine, MoveInfo, Root, kata_line, lz_line, parse_analysis
from tests.linage_bot.gtp.conversation import Conversation

BRIEF = PlaySettings(visits=200, seed=1)
SOLVED = [  # game, size, komi, lead of who moves first, best moves
    ("linage", "5", "0.5", "6.5", "C1 C2 C4 C5"),
    ("linage", "5", "7", "0", "C1 C2 C4 C5"),
    ("linage", "5", "9.5", "-2.5", "C1 C2 C4 C5"),
    ("linage", "6", "0.5", "-0.5", "C1 D1 C2 D2 C5 D5 C6 D6 pass"),
    ("linage", "6x4", "0.5", "1.5", "C1 D1 C2 D2 C3 D3 C4 D4"),
    ("linage", "4x6", "-1", "2", "B1 C1 B6 C6"),
    ("linage-parity", "5", "0", None, "C2 B3 D3 C4"),
    ("leblin", "4", "0", None, "B2 C2 B3 C3"),
]


def analysis(client: Conversation, line: str, wanted: str) -> tuple[str, AnalysisLine]:
    """Return the first analysis line with the wanted words, and stop the analysis."""
    client.output, told, count = b"", "", 0
    client.send(line.encode() + b"\n")
    while wanted not in told:
        count += 1
        assert count < 1000, told
        told = client.hear_lines(count)[count - 1]
    client.send(b"\n")
    client.settle()
    return told, parse_analysis(told)


def solved(game: str, size: str, komi: str, settings: PlaySettings = BRIEF) -> Conversation:
    client = Conversation(game, size, settings)
    client.ok(f"komi {komi}")
    return client


@pytest.mark.parametrize(("game", "size", "komi", "lead", "best"), SOLVED)
def test_the_first_line_of_an_analysis_of_a_solved_board_tells_its_value(
    game: str, size: str, komi: str, lead: str | None, best: str
) -> None:
    """On a solved board the first analysis line has the exact value, with all best moves first."""
    for command in ("kata-analyze b 1", "analyze 1", "lz-analyze 1"):
        told, found = analysis(solved(game, size, komi), command, "info")
        number = len(best.split())
        first, others = found.candidates[:number], found.candidates[number:]
        assert {each.move for each in first} == set(best.split())
        rate = 1.0 if lead is None else 0.5 + 0.5 * ((float(lead) > 0) - (float(lead) < 0))
        assert [(each.winrate, each.certain) for each in first] == [(rate, True)] * number
        assert f" exactRootWinrate {rate:g} " in told
        assert all(each.winrate <= rate for each in others)
        assert [each.exact for each in first] == [lead is not None] * number
        if lead is not None:
            assert told.count(f" exactLead {lead} ") == number
            assert f" exactRootLead {lead} " in told
        if lead is not None and command != "lz-analyze 1":
            assert [each.score_lead for each in first] == [float(lead)] * number
            assert all(each.score_lead < float(lead) for each in others)


@pytest.mark.parametrize("name", GAMES)
def test_every_board_of_the_table_is_told_by_the_first_line(name: str) -> None:
    """The first line for each board of the table has all proven values and no estimates."""
    for row in read_table(TABLE):
        if row["game"] != name:
            continue
        game = GAMES[name].configure(row["size"], None, row["options"])
        client = Conversation(name, row["size"], BRIEF, **row["options"])
        told, found = analysis(client, "kata-analyze 1", "info")
        proven = known(game.start())
        assert proven is not None
        if game.counts_points:
            assert f" exactRootLead {proven.lead:g} " in told
        assert f" exactRootWinrate {proven.value.win_rate:g} " in told
        names = {game.start().name_of(move): proven.of(move) for move in proven.moves}
        known_moves = {each for each, span in names.items() if span.exact}
        assert {each.move for each in found.candidates} == known_moves
        assert {each.move for each in found.candidates if each.certain} == known_moves
        assert all(each.winrate == names[each.move].win_rate for each in found.candidates)


def test_what_the_table_proves_is_told_of_the_moves_that_are_allowed() -> None:
    """Proven values are reported only for the moves that the request allows."""
    client = solved("linage", "5", "0.5")
    told, found = analysis(client, "kata-analyze 1 allow b A1,C1 1", "info")
    assert {each.move: each.score_lead for each in found.candidates} == {"C1": 6.5, "A1": -7.5}
    assert " exactRootLead 6.5 " in told


def test_what_is_proven_is_told_as_the_colour_that_asks_sees_it() -> None:
    """Proven values are reported from the view of the named colour."""
    told, found = analysis(solved("linage", "5", "0.5"), "kata-analyze w 1", "info")
    best = found.candidates[0]
    assert (best.winrate, best.score_lead) == (0.0, -6.5)
    assert " exactRootWinrate 0 exactRootLead -6.5 exactWinrate 0 exactLead -6.5 pv " in told


def test_a_proof_beside_the_analysis_takes_the_place_of_its_estimates() -> None:
    """A finished proof replaces the estimates of all moves."""
    client = solved("linage", "5", "0.5")
    client.ok("play b D2")  # which gives the game away
    for command in ("kata-analyze 1", "lz-analyze w 1"):
        told, found = analysis(client, command, " exactLead 9.5 pv ")
        best, *others = found.candidates
        assert (best.winrate, best.certain, best.exact) == (1.0, True, True)
        assert " exactRootLead 9.5 " in told
        assert all(each.winrate <= best.winrate for each in others)


def test_the_value_after_a_best_move_is_known_at_once() -> None:
    """The value after a best move and the best reply are reported at once, from the table."""
    client = solved("linage", "6", "0.5")
    client.ok("play b C1")
    told, _ = analysis(client, "kata-analyze 1", "info")
    assert " exactRootWinrate 1 exactRootLead 0.5 " in told
    client.ok("kata-search w")
    client.ok("genmove w")
    assert client.ok("gomill-explain_last_move").endswith("proven: B4")


@pytest.mark.parametrize(("game", "size", "komi", "lead", "best"), SOLVED)
def test_a_solved_board_is_played_and_explained_by_proof(
    game: str, size: str, komi: str, lead: str | None, best: str
) -> None:
    """On a solved board every command plays a best move and explains it as proven."""
    for command in ("genmove b", "reg_genmove b", "kata-search b"):
        assert solved(game, size, komi).ok(command) in best.split()
    client = solved(game, size, komi)
    client.ok("genmove b")
    words = client.ok("gomill-explain_last_move")
    assert ", proven: " in words
    assert lead is None or f"score lead {float(lead):+.1f}," in words
    *_, told, play = solved(game, size, komi).ok("kata-genmove_analyze b 100").splitlines()
    assert parse_analysis(told).candidates[0].certain
    assert f" exactLead {lead} " in told or lead is None
    assert play.split()[1] in best.split()
    answer = solved(game, size, komi).ok("cgos-genmove_analyze b").splitlines()
    text, play = answer[-2:]
    assert play.split()[1] in best.split()
    assert json.loads(text)["comment"] == "proven"
    assert lead is None or parse_cgos_json(text)[0].score_lead == float(lead)


@pytest.mark.thorough
def test_an_answer_on_a_small_board_is_proven_in_a_fresh_engine_too() -> None:
    """A new engine proves its move on a small board, because loading takes none of its time."""
    client = solved("linage", "5", "0.5", PlaySettings(seconds=60.0))
    client.all(["play b C1", "genmove w"])
    assert client.ok("gomill-explain_last_move").startswith("win rate 0.0%, score lead -6.5, prov")


def test_without_the_solver_nothing_but_the_search_is_told() -> None:
    """Without the solver no proven value is reported, of a position or of a move."""
    client = solved("linage", "5", "0.5", PlaySettings(visits=200, seed=1, solver=False))
    told, _ = analysis(client, "kata-analyze 1", "info")
    assert "exactLead" not in told
    client.ok("genmove b")
    assert "proven" not in client.ok("gomill-explain_last_move")


def test_a_weak_level_must_not_play_better_than_it_does() -> None:
    """A weak level analyses with proofs but chooses its moves without them."""
    client = solved("linage", "5", "0.5", PlaySettings(visits=200, seed=1, level=3))
    told, _ = analysis(client, "kata-analyze 1", "info")
    assert "exactLead" in told
    client.ok("genmove b")
    decision = client.engine.decided
    assert not decision.exact
    assert all(each.certain is None for each in decision.analysis.candidates)


def test_a_large_solved_board_is_solved_at_once() -> None:
    """A large board of the table is solved in no time."""
    for size, score in (("6", 0), ("5x7", 10)):
        told = json.loads(Conversation(size=size).ok("linage-solve 0"))
        assert (told["exact"], told["score"]) == (True, score)
    told = json.loads(Conversation("leblin", "4").ok("linage-solve 0"))
    assert (told["score"], told["best"]) == (1, ["B2", "C2", "B3", "C3"])


def test_what_is_proven_is_told_in_keys_before_the_variation() -> None:
    """The keys of proven values precede the variation; those of the position appear once."""
    found = [
        MoveInfo("A1", 3, 1.0, 1.5, pv=("A1", "B2"), exact=True, certain=True),
        MoveInfo("B1", 2, 0.5, order=1),
    ]
    root = Root(1.0, 1.5)
    for line in (kata_line(found, root=root), lz_line(found, root=root)):
        assert (
            " order 0 exactRootWinrate 1 exactRootLead 1.5"
            " exactWinrate 1 exactLead 1.5 pv A1 B2 info move B1 "
        ) in line
        assert line.count("exact") == 4
        assert [each.exact for each in parse_analysis(line).candidates] == [True, False]
        assert [each.certain for each in parse_analysis(line).candidates] == [True, False]


@pytest.mark.parametrize(
    ("game", "size", "moves"),
    [
        ("leblin", "3", ("b B2", "w A1")),
        ("gardar", "2", ("b A1", "w B2")),
        ("linage-two-color", "3x4", ("b B2",)),
    ],
)
def test_a_move_is_proven_in_every_game_where_that_takes_a_second(game, size, moves):
    """Within 40 seconds a move of a small position is proven in every game."""
    client = Conversation(game, size, settings=PlaySettings(seconds=40.0, seed=1))
    client.all(f"play {move}" for move in moves)
    client.ok(f"genmove {'bw'[len(moves) % 2]}")
    assert ", proven: " in client.ok("gomill-explain_last_move")
