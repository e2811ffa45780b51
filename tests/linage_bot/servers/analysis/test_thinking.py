"""The results of real searches for queries."""

import threading
from typing import Any

import pytest

from linage_bot.jobs.sticky import StickyObject
from linage_bot.rules import GAMES
from linage_bot.servers.analysis.engine_pool import ClientEngines, EnginePool
from linage_bot.servers.analysis.settings import AnalysisSettings
from linage_bot.servers.analysis.thinking import AnalysePosition, think
from linage_bot.settings.playing import PlaySettings
from protocol.kata.server import AnalysisUpdate
from tests.examples import some_quick
from tests.linage_bot.servers.analysis.asking import Asked, line

BOARD = {"rules": "linage", "boardXSize": 7, "boardYSize": 7}


def found(asked: Asked, **fields: object) -> list[AnalysisUpdate]:
    """Run a query for one position and return all its reports."""
    asked.say(line("x", **{**BOARD, **fields}))
    told = asked.reports()
    assert [each.final for each in told] == [False] * (len(told) - 1) + [True]
    assert told[-1].error is None
    return told


def visits(asked: Asked, **fields: object) -> int:
    return found(asked, **fields)[-1].report.root.visits


def test_queries_of_one_game_go_on_with_what_was_found_out():
    """Queries about one game reuse the search tree until the cache is cleared."""
    asked, first = Asked(), [["B", "D2"]]
    visits(asked, moves=[], maxVisits=3000)
    most = visits(asked, moves=[], maxVisits=1)
    assert most == 3000
    reply = found(asked, moves=[], maxVisits=1)[-1].report.moves[0]
    assert visits(asked, moves=[["B", reply.move]], maxVisits=1) >= reply.visits // 2
    assert visits(asked, moves=first, maxVisits=1, komi=7.5) == 1
    assert visits(asked, moves=[], maxVisits=2, overrideSettings={"seed": 1}) == 2
    visits(asked, moves=first, maxVisits=3000)
    asked.say(b'{"id":"c","action":"clear_cache"}\n')
    assert visits(asked, moves=first, maxVisits=1) == 1


def test_the_same_seed_gives_the_same_answer():
    """The same seed gives the same result after any other queries."""
    asked = Asked(AnalysisSettings(play=PlaySettings(seed=5)))
    one = found(asked, maxVisits=800)
    found(asked, maxVisits=900, moves=[["B", "A1"]])
    assert found(asked, maxVisits=800) == one
    assert found(asked, maxVisits=800, overrideSettings={"seed": 6}) != one


@pytest.mark.parametrize(
    ("settings", "helpers"),
    [({}, 3), ({"seed": 1}, 0), ({"threads": 1}, 0), ({"numSearchThreads": 2}, 1)],
)
def test_idle_processors_search_a_position_unless_the_query_says_how(settings, helpers):
    """Four idle processors search a position together, if it has no seed or number of threads.

    The number of visits is the query's in any case.
    """
    asked, seen = Asked(AnalysisSettings(play=PlaySettings(threads=4))), [0]
    fields = {"maxVisits": 20_000, "reportDuringSearchEvery": 0.001, "overrideSettings": settings}
    asked.say(line("x", **BOARD, **fields))

    def count(_report: object) -> None:
        seen.append(sum(each.name == "helper" for each in threading.enumerate()))

    task = asked.works.pop().job().task
    result = task.run(threading.Event(), count, processors=4)
    assert result.root.visits == 20_000
    assert max(seen) == helpers


def test_two_views_of_a_position_are_each_other_s_opposite():
    """Reports for black and for white have opposite win rates, leads and owners."""
    asked = Asked(AnalysisSettings(play=PlaySettings(seed=5)))

    def seen(view: str):
        settings = {"reportAnalysisWinratesAs": view}
        fields = {"maxVisits": 500, "includeOwnership": True, "includeMovesOwnership": True}
        return found(asked, overrideSettings=settings, **fields)[-1].report

    black, white, mover = (seen(view) for view in ("BLACK", "WHITE", "SIDETOMOVE"))
    assert mover == black
    assert white.root.winrate == pytest.approx(1 - black.root.winrate)
    assert white.root.score_lead == pytest.approx(-black.root.score_lead)
    assert white.ownership == tuple(-share for share in black.ownership)
    one, other = black.moves[0], white.moves[0]
    assert (one.move, one.pv, one.visits) == (other.move, other.pv, other.visits)
    assert other.winrate == pytest.approx(1 - one.winrate)
    assert other.ownership == tuple(-share for share in one.ownership)


@pytest.mark.parametrize("game", some_quick(GAMES, "linage", "linage-parity"))
def test_all_that_can_be_asked_for_is_told_of_every_game(game):
    """Ownership, policy and visits of variations are reported for every game."""
    size = 7 if game == "gardar" else 4
    asked = Asked()
    more = ["includeOwnership", "includeMovesOwnership", "includePolicy", "includePVVisits"]
    report = found(
        asked, rules=game, boardXSize=size, boardYSize=size, **dict.fromkeys(more, True)
    )[-1].report
    assert len(report.ownership) == size**2
    assert len(report.policy) == size**2 + 1
    assert sum(share for share in report.policy if share > 0) == pytest.approx(1)
    assert (report.policy[-1] == -1) is (game == "leblin")
    for each in report.moves:
        assert len(each.pv_visits) == len(each.pv)
        assert each.pv_visits[0] == each.visits
        assert len(each.ownership) == size**2
    assert sum(each.prior for each in report.moves) <= 1.0001
    assert len(report.root.this_hash) == 32


def test_only_moves_that_are_left_are_considered():
    """Only allowed moves are reported; the policy covers all moves."""
    allowed = {"player": "B", "moves": ["A1", "G7"], "untilDepth": 1}
    asked = Asked(AnalysisSettings(play=PlaySettings(seed=5)))
    report = found(asked, allowMoves=[allowed], includePolicy=True)[-1].report
    assert {each.move for each in report.moves} == {"A1", "G7"}
    assert sum(share > 0 for share in report.policy) == 50


def test_what_is_stopped_before_it_begins_finds_nothing():
    """A search that is stopped before it starts has no result."""
    task, stopped = (
        AnalysePosition(Asked().question(), StickyObject(ClientEngines)),
        threading.Event(),
    )
    stopped.set()
    assert task.run(stopped) is None


FAR = {"boardXSize": 5, "boardYSize": 6, "maxVisits": 50}
FAR_MOVES = [["B", "C3"], ["W", "B5"], ["B", "D1"], ["W", "pass"]]


def test_a_proof_takes_as_long_as_the_client_allows():
    """A proof may take longer than its default if the client allows it."""
    asked = Asked()

    def lead(**settings: float) -> float | None:
        fields = {"moves": FAR_MOVES, "overrideSettings": settings}
        return found(asked, **FAR, **fields)[-1].report.root.exact_lead

    assert lead(maxProofTime=0) is None
    assert lead(maxProofTime=120) is not None


def test_a_limit_of_time_holds_for_the_proof_too():
    """A time limit also limits the proof, and leaves time for a search."""
    asked = Asked()
    near = {"boardXSize": 5, "boardYSize": 5, "moves": [["B", "A1"], ["W", "E5"]]}

    def report(**settings: float) -> Any:
        return found(asked, **near, overrideSettings=settings)[-1].report

    assert report(maxTime=0.02, maxProofTime=60).root.exact_lead is None
    assert report(maxTime=0, maxProofTime=60).moves
    assert report(maxProofTime=60).root.exact_lead is not None


def test_what_is_proven_is_told_though_the_search_was_stopped_before_it_began():
    """A terminated query reports the values that are already proven."""
    asked, stopped = Asked(), threading.Event()
    asked.say(line("x"))
    stopped.set()
    report = think(asked.works.pop().question, ClientEngines(EnginePool()), stopped)
    assert report.root.exact_lead is not None


def test_without_the_solver_nothing_is_proven_beforehand():
    """Without the solver no values are proven."""
    small = {"boardXSize": 5, "boardYSize": 5, "maxVisits": 20}
    assert found(Asked(), **small)[-1].report.root.exact_lead is not None
    plain = Asked(AnalysisSettings(play=PlaySettings(solver=False)))
    assert found(plain, **small)[-1].report.root.exact_lead is None
