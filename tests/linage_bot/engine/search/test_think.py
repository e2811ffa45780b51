"""Thinking: limits, threads, reports and the order to stop."""

import threading

import pytest

from linage_bot.engine.analysis import Analysis, Report
from linage_bot.engine.limits import Limits
from linage_bot.engine.search import think
from linage_bot.engine.search.think import Thinking
from linage_bot.rules import GAMES

HOUR = 3600.0


@pytest.fixture
def make(kernel_of):
    def thinking(threads: int = 1, size: str = "5", seed: int = 1) -> Thinking:
        position = GAMES["linage"].configure(size).start()
        return Thinking(kernel_of("linage"), position, position.moves(), seed, threads)

    return thinking


@pytest.mark.parametrize("threads", [1, 2, 3, 7, 30])
@pytest.mark.parametrize("visits", [1, 2, 5, 100, 5001])
def test_any_number_of_threads_makes_exactly_the_visits_asked_for(make, threads, visits):
    """Also where the visits are fewer than the threads or cannot be shared out evenly."""
    thinking = make(threads)
    thinking.run(Limits(visits=visits), threading.Event())
    assert thinking.visits == visits
    assert sum(each.visits for each in thinking.searched()) == visits


def test_with_visits_and_a_seed_the_same_is_thought_again(make):
    """To the last node, though threads race; another number of them is another search."""
    runs = []
    for threads in (1, 1, 2, 2):
        thinking = make(threads)
        thinking.run(Limits(visits=4000), threading.Event())
        runs.append((thinking.searched(), thinking.nodes))
    assert runs[0] == runs[1]
    assert runs[2] == runs[3]
    assert runs[0] != runs[2]


def test_with_many_threads_the_search_is_that_of_ten(make):
    """So it is no weaker at equal visits, and no more threads are started than there is work."""
    searches = []
    for threads in (10, 10, 16, 200):
        thinking = make(threads)
        most = 0

        def count(_analysis: Analysis) -> None:
            nonlocal most
            most = max(most, sum(each.name == "pilot" for each in threading.enumerate()))

        thinking.run(Limits(visits=4000), threading.Event(), Report(count, 0.0))
        searches.append((thinking.searched(), thinking.nodes, most))
    assert searches == [(*searches[0][:2], 9)] * 4


def test_with_several_threads_moves_are_told_best_first(make):
    """Each move stands there once, with a win rate and a line that begins with it."""
    thinking = make(threads=3)
    thinking.run(Limits(visits=3000), threading.Event())
    found = thinking.searched()
    assert len({each.move for each in found}) == len(found) == 26
    assert found == sorted(found, key=lambda each: (-each.visits, -each.win_rate))
    assert all(0 <= each.win_rate <= 1 and each.line[0] == each.move for each in found)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_order_to_stop_ends_a_search_without_limits(make, threads):
    """No thread that played for it is left behind."""
    thinking, stopped = make(threads), threading.Event()
    thinking.run(Limits(), stopped, Report(lambda _analysis: stopped.set(), 0.0))
    assert thinking.visits > 0
    assert not [each for each in threading.enumerate() if each.name == "pilot"]


def test_where_the_system_has_no_more_threads_one_does_it_all(make, monkeypatch):
    """With the tree that several would have made."""
    helped, alone = make(3), make(3)
    helped.run(Limits(visits=2000), threading.Event())

    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    alone.run(Limits(visits=2000), threading.Event())
    assert alone.searched() == helped.searched()


def test_told_to_stop_before_it_begins_it_still_has_a_thought(make):
    """A first slice, so that there is a move to give; and no more than that."""
    thinking, stopped = make(2), threading.Event()
    stopped.set()
    thinking.run(Limits(seconds=HOUR), stopped)
    assert 0 < thinking.visits <= 32


def test_a_limit_on_time_ends_the_search_and_whichever_limit_is_met_first_counts(make):
    """Fifty visits do not wait for an hour, nor does a clock at zero for a billion visits."""
    thinking = make()
    thinking.run(Limits(seconds=0.05), threading.Event())
    assert thinking.visits > 0
    both = make()
    both.run(Limits(visits=50, seconds=HOUR), threading.Event())
    assert both.visits == 50
    late = make()
    late.run(Limits(visits=10**9, seconds=0.0), threading.Event())
    assert 0 < late.visits < 1000
    safe = make()
    safe.run(Limits(visits=10**9, ceiling_seconds=0.05), threading.Event())
    assert 0 < safe.visits < 10**9


def test_extra_time_is_used_only_as_long_as_another_move_looks_better(make):
    """For moves; an analysis, which nobody's clock waits for, ends with its usual time."""
    limits = Limits(seconds=0.0, extra_seconds=HOUR)
    for seed in range(8):
        thinking = make(seed=seed)
        thinking.run(limits, threading.Event(), for_move=True)  # and the hour is not over
        best, *others = (each for each in thinking.searched() if each.visits)
        for each in others:
            rival = each.certain is None and 10 * each.visits >= best.visits
            assert not rival or each.win_rate <= best.win_rate
    analysis = make()
    analysis.run(limits, threading.Event())
    assert analysis.visits <= 16


def test_reports_see_a_growing_search(make):
    """Each has more visits than the one before, and those of its moves add up to them."""
    thinking, seen, stopped = make(), [], threading.Event()

    def tell(analysis: Analysis) -> None:
        seen.append((analysis.visits, sum(each.visits for each in analysis.candidates)))
        if len(seen) == 5:
            stopped.set()

    thinking.run(Limits(), stopped, Report(tell, 0.0))
    assert seen == sorted(set(seen))
    assert all(visits == told for visits, told in seen)


def test_a_report_that_fails_ends_all_threads_and_is_raised(make):
    """A client that is gone must not leave four threads at work for an hour."""

    def tell(_analysis: Analysis) -> None:
        raise RuntimeError("on purpose")

    before = threading.active_count()
    with pytest.raises(RuntimeError, match="on purpose"):
        make(4).run(Limits(seconds=HOUR), threading.Event(), Report(tell, 0.0))
    assert threading.active_count() == before


def test_thinking_lets_other_threads_run_meanwhile(make):
    """Compiled code releases the interpreter, or an order to stop would come an hour late."""
    thinking, stopped = make(size="15"), threading.Event()
    search = threading.Thread(target=thinking.run, args=(Limits(seconds=HOUR), stopped))
    search.start()
    sum(range(100_000))  # needs the interpreter that the search shares
    stopped.set()
    search.join(60)
    assert not search.is_alive()


def test_a_result_that_is_certain_ends_a_search_early(kernel_of):
    """Near the end of a game a move comes without the hour that it might take."""
    position = GAMES["linage"].configure("6").start()
    while len(position.moves()) > 8:
        position = position.after(position.moves()[0])
    thinking = Thinking(kernel_of("linage"), position, position.moves(), 1)
    thinking.run(Limits(seconds=HOUR), threading.Event(), for_move=True)
    assert thinking.visits > 0  # and the hour is not over


@pytest.fixture
def cramped(kernel_of):
    """A search of 9x9 that soon has no memory left."""

    def thinking(threads: int = 1) -> Thinking:
        position = GAMES["linage"].configure("9").start()
        moves, least = position.moves(), 1 << 15
        kernel = kernel_of("linage")
        return Thinking(kernel, position, moves, 1, threads, most_nodes=threads * least)

    return thinking


@pytest.mark.parametrize("threads", [1, 2])
def test_thinking_goes_on_when_memory_is_used_up(cramped, threads):
    """Within the memory it has; all visits are told, and the variation gets no shorter."""
    thinking = cramped(threads)
    thinking.run(Limits(visits=60_000 * threads), threading.Event())
    assert thinking.visits == 60_000 * threads
    assert 1 << 13 < thinking.nodes / threads <= 1 << 15
    found = thinking.searched()
    assert sum(each.visits for each in found) == thinking.visits
    assert len(found[0].line) >= 4


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.thorough
def test_what_is_forgotten_does_not_depend_on_the_clock(cramped, monkeypatch, threads):
    """With visits and a seed the same is thought again, on a slow machine too."""
    found = []
    for seconds in (0.01, 0.0003, 1.0):
        monkeypatch.setattr(think, "_SLICE_SECONDS", seconds)
        thinking = cramped(threads)
        thinking.run(Limits(visits=40_000 * threads), threading.Event(), for_move=True)
        found.append((thinking.visits, thinking.nodes, thinking.searched()))
    assert found[0] == found[1] == found[2]
