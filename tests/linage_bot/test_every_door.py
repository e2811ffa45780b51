"""One position of each game in every interface: its proof, its value and its best moves."""

import functools
import json
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs
import pytest

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.proving import wait_for_code
from linage_bot.engine.solver.proven_values import known
from linage_bot.records.record import Record
from linage_bot.review import review_game
from linage_bot.rules import GAMES
from linage_bot.rules.game import Player, Position
from linage_bot.rules.history import History
from linage_bot.servers.analysis.settings import AnalysisSettings
from linage_bot.settings.playing import PlaySettings
from linage_bot.web.messages.analysis import analysis_message
from linage_bot.web.table.game import TableGame
from linage_bot.web.thinking.questions import Advice
from linage_bot.web.thinking.session import Session
from protocol.gtp.analysis import parse_analysis
from tests.examples import some_quick
from tests.linage_bot.gtp.conversation import Conversation
from tests.linage_bot.servers.analysis.asking import Asked, line
from tests.linage_bot.ugi.conversation import Talk
from tests.linage_bot.web.room import PERSON, add_page, think

NEVER = threading.Event()
PATIENT_SECONDS = 120.0
PATIENT = PlaySettings(seconds=PATIENT_SECONDS)
POSITIONS = {  # that no table knows
    "linage": ("4x5", ("B2", "D4")),
    "linage-two-color": ("3x4", ("B2", "C3")),
    "linage-parity": ("4", ("A1", "D3")),
    "leblin": ("3", ("A1", "B2")),
    "gardar": ("2", ("B2", "A1", "B3")),
}


@attrs.frozen
class Facts:
    """The proven facts for the player to move: win rate, lead if points are counted, best moves."""

    rate: float
    lead: float | None
    best: frozenset[str]


def history(name: str) -> History:
    size, moves = POSITIONS[name]
    found = History(GAMES[name].configure(size))
    for move in moves:
        found = found.play(move)
    return found


@functools.cache
def expected(name: str) -> Facts:
    """Return the facts from a proof of each position after a move."""
    position, engine = history(name).position, Engine()
    assert known(position) is None
    assert wait_for_code(position.game, NEVER)
    leads = {}
    for move in position.moves():
        proven = engine.prove(position.after(move), 600.0)
        assert proven is not None
        assert proven.lead is not None
        leads[move] = -proven.lead
    lead = max(leads.values())
    return facts(position, lead, [move for move in leads if leads[move] == lead])


def facts(position: Position, lead: float, best: Iterable[int]) -> Facts:
    rate = 0.5 + 0.5 * ((lead > 0) - (lead < 0))
    points = position.game.counts_points
    return Facts(rate, lead if points else None, frozenset(map(position.name_of, best)))


def of_analysis(analysis: Analysis) -> Facts:
    """Return the facts in an `Analysis` of the library."""
    own = analysis.seen_by(analysis.position.to_move)
    assert own.proven.exact
    assert own.win_rate == own.candidates[0].certain
    return facts(own.position, own.proven.low, own.best)


def of_lines(rate: float, lead: float | None, candidates: Sequence[Any]) -> Facts:
    """Return the facts in a protocol's candidates that are proven to reach the position's value."""
    best = [each.move for each in candidates if each.certain and each.winrate == rate]
    if lead is not None:
        best = [each.move for each in candidates if each.exact and each.score_lead == lead]
    return Facts(rate, lead, frozenset(best))


def by_library(so_far: History) -> Facts:
    with Engine() as engine:
        found = engine.analyse(so_far, Limits(visits=500), proof_seconds=PATIENT_SECONDS)
        return of_analysis(found)


def by_updates(so_far: History) -> Facts:
    with Engine() as engine:
        updates = engine.analysis(so_far, interval_seconds=0.1)
        return of_analysis(next(update for update in updates if not engine.proving))


def by_kata_analyze(so_far: History) -> Facts:
    client = conversation(so_far)
    client.send(b"kata-analyze 10\n")
    while True:
        client.hear()
        told = [each for each in client.output.decode().splitlines() if " exactRoot" in each]
        found = parse_analysis(told[-1]) if told else None
        if found and all(each.certain for each in found.candidates):
            break
    client.send(b"\n")
    client.settle()
    words = told[-1].split()
    lead = float(words[words.index("exactRootLead") + 1]) if "exactRootLead" in words else None
    return of_lines(float(words[words.index("exactRootWinrate") + 1]), lead, found.candidates)


def by_solve(so_far: History) -> Facts:
    told = json.loads(conversation(so_far).ok("linage-solve 60"))
    assert told["exact"]
    position = so_far.position
    own = told["score"] - position.game.komi
    lead = own if position.to_move is Player.FIRST else -own
    named = {position.name_of(move): move for move in position.moves()}
    return facts(position, lead, [named[each] for each in told["best"]])


def by_json(so_far: History) -> Facts:
    game, client = so_far.game, Asked(AnalysisSettings(view="sidetomove"))
    moves = [[" BW"[1 + index % 2], word] for index, word in enumerate(POSITIONS[game.id][1])]
    columns, rows = game.board.columns, game.board.rows
    settings = {"maxProofTime": 60}
    fields = {"rules": game.id, "boardXSize": columns, "boardYSize": rows, "moves": moves}
    client.say(line("x", **fields, komi=game.komi, maxVisits=200, overrideSettings=settings))
    told = client.reports()
    report = told[-1].report
    lead = report.root.exact_lead
    return of_lines(report.root.exact_winrate, lead, report.moves)


def by_page(so_far: History) -> Facts:
    game = TableGame.of(Record(so_far.game, moves=so_far.moves), (PERSON, PERSON))
    session = Session(game, PlaySettings())
    add_page(session, analysing=True)
    while session.wanted() is not None:
        think(session)
    told, position = analysis_message(session), so_far.position
    assert told.exact is not None
    lead = told.exact if position.to_move is Player.FIRST else -told.exact
    return facts(position, lead, told.best)


def conversation(so_far: History) -> Conversation:
    client = Conversation(so_far.game.id, POSITIONS[so_far.game.id][0], PATIENT)
    _, words = POSITIONS[so_far.game.id]
    client.all(f"play {'bw'[index % 2]} {word}" for index, word in enumerate(words))
    return client


@pytest.mark.parametrize("name", some_quick(GAMES, "linage", "linage-parity"))
@pytest.mark.parametrize(
    "door",
    some_quick([by_library, by_updates, by_kata_analyze, by_solve, by_json, by_page], by_library),
)
def test_every_analysis_tells_the_same_proof(name: str, door: Callable[[History], Facts]) -> None:
    """The value and all best moves, as the player to move sees them."""
    assert door(history(name)) == expected(name)


@pytest.mark.parametrize("name", some_quick(GAMES, "linage", "linage-parity"))
def test_every_player_plays_by_proof(name: str) -> None:
    """Every interface plays proven moves: the library, GTP, CGOS and UGI."""
    so_far, wanted = history(name), expected(name)
    decision = Engine(seconds=PATIENT_SECONDS).play(so_far, may_resign=False)
    assert decision.exact
    assert so_far.position.name_of(decision.move) in wanted.best
    own = decision.analysis.seen_by(so_far.position.to_move)
    assert own.proven.win_rate == wanted.rate
    colour = "bw"[so_far.position.to_move]
    assert conversation(so_far).ok(f"reg_genmove {colour}") in wanted.best
    *_, told, play = conversation(so_far).ok(f"cgos-genmove_analyze {colour}").splitlines()
    assert json.loads(told)["comment"] == "proven"
    assert play.split()[1] in wanted.best
    size, moves = POSITIONS[name]
    talk = Talk(name, size, seconds=PATIENT_SECONDS)
    assert talk.best(f"position startpos moves {' '.join(moves)}", "go") in wanted.best


@pytest.mark.parametrize("name", some_quick(GAMES, "linage", "linage-parity"))
def test_a_review_judges_by_proof(name: str) -> None:
    """The position and the best move, which costs nothing, and any other that is worse."""
    so_far, wanted = history(name), expected(name)
    position = so_far.position
    good = next(move for move in position.moves() if position.name_of(move) in wanted.best)
    for move in {good, position.moves()[0]}:
        record = Record(so_far.game, moves=(*so_far.moves, move))
        judged = review_game(record, PlaySettings(visits=50, seed=1)).moves[-1]
        before = judged.before
        assert (before.win_rate_of(position.to_move), before.exact) == (wanted.rate, True)
        assert before.score_of(position.to_move) == wanted.lead
        best = position.name_of(move) in wanted.best
        assert best or position.name_of(judged.best) in wanted.best
        assert (judged.win_loss == 0 and not judged.score_loss) == best


def half_proven() -> tuple[History, str]:
    """Return a history after which the table proves the value, but no move, and its one move."""
    so_far, move = History(GAMES["linage"].configure("6x7", 4.5)), "C1"
    so_far = so_far.play(move)
    proven = known(so_far.position)
    assert proven is not None
    assert (proven.lead, proven.best) == (0.5, ())
    return so_far, move


def test_analyses_mark_estimates_beside_a_proven_value() -> None:
    """If only the value is proven, the library, GTP, JSON and the page say that moves are not."""
    so_far, move = half_proven()
    with Engine(seed=1) as engine:
        found = engine.analyse(so_far, Limits(visits=100))
        assert (found.proven.low, found.proven.high, found.estimated) == (-0.5, -0.5, True)
        assert "proven, but moves estimated" in str(found)
        update = next(engine.analysis(so_far, interval_seconds=0.05, visits=100))
        assert update.estimated
    client = Conversation("linage", "6x7", PlaySettings(visits=100, seed=1))
    client.all(["komi 4.5", f"play b {move}"])
    told = next(
        each for each in client.ok("kata-search_analyze w 100").splitlines() if "info" in each
    )
    assert " exactRootLead 0.5 " in told
    assert " exactLead " not in told
    assert "(+0.5 by proof)" in [client.ok("genmove w"), client.ok("gomill-explain_last_move")][1]
    asked = Asked(AnalysisSettings(view="sidetomove"))
    fields = {"rules": "linage", "boardXSize": 6, "boardYSize": 7, "moves": [["B", move]]}
    asked.say(line("x", **fields, komi=4.5, maxVisits=100))
    report = asked.reports()[-1].report
    assert report.root.exact_lead == 0.5
    assert not any(each.exact for each in report.moves)


def test_the_page_and_hints_mark_estimates_beside_a_proven_value() -> None:
    """If only the value is proven, the page and its hints say that moves are not."""
    so_far, _ = half_proven()
    game = TableGame.of(Record(so_far.game, moves=so_far.moves), (PERSON, PERSON))
    session = Session(game, PlaySettings())
    add_page(session, analysing=True)
    while not analysis_message(session).candidates:
        think(session)
    told = analysis_message(session)
    assert (told.exact, told.estimated, told.values) == (-0.5, True, ())
    hint = Advice.of(session.cache.analysis(game.node, so_far.position))
    assert (hint.value, hint.certain) == (0.5, None)
