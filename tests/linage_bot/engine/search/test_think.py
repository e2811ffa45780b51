"""Searches: limits, threads, reports and stop requests."""

import threading

import pytest

from linage_bot.engine.analysis import Analysis, Report
from linage_bot.engine.limits import Limits
from linage_bot.engine.search import think
from linage_bot.engine.search.think import Search
from linage_bot.engine.search.tree import Tree
from linage_bot.rules import GAMES

HOUR = 3600.0


@pytest.fixture
def make(kernel_of):
    def thinking(threads: int = 1, size: str = "5", seed: int = 1) -> Search:
        position = GAMES["linage"].configure(size).start()
        return Search(kernel_of("linage"), position, position.moves(), seed, threads)

    return thinking


@pytest.mark.parametrize("threads", [1, 2, 3, 7, 30])
@pytest.mark.parametrize("visits", [1, 2, 5, 100, 5001])
def test_any_number_of_threads_makes_exactly_the_visits_asked_for(make, threads, visits):
    """Any number of threads makes exactly the requested visits."""
    thinking = make(threads)
    thinking.run(Limits(visits=visits), threading.Event())
    assert thinking.visits == visits
    assert sum(each.visits for each in thinking.searched()) == visits


def test_with_visits_and_a_seed_the_same_is_thought_again(make):
    """With visits and a seed the search repeats to the last node, for a given number of threads."""
    runs = []
    for threads in (1, 1, 2, 2):
        thinking = make(threads)
        thinking.run(Limits(visits=4000), threading.Event())
        runs.append((thinking.searched(), thinking.nodes))
    assert runs[0] == runs[1]
    assert runs[2] == runs[3]
    assert runs[0] != runs[2]


def test_with_many_threads_the_search_is_that_of_four_of_eight_or_of_twelve(make):
    """In Linage 4 to 7 threads give one search, 8 to 11 another, and 12 or more a third."""
    searches = []
    for threads in (4, 7, 8, 11, 12, 200):
        thinking = make(threads)
        most = 0

        def count(_analysis: Analysis) -> None:
            nonlocal most
            most = max(most, sum(each.name == "helper" for each in threading.enumerate()))

        thinking.run(Limits(visits=4000), threading.Event(), Report(count, 0.0))
        searches.append((thinking.searched(), thinking.nodes, most))
    four, eight, twelve = (searches[number][:2] for number in (0, 2, 4))
    assert searches[:2] == [(*four, 3), (*four, 6)]
    assert searches[2:4] == [(*eight, 7), (*eight, 9)]
    assert searches[4:] == [(*twelve, 9), (*twelve, 9)]
    assert four != eight != twelve != four


def test_with_several_threads_moves_are_told_best_first(make):
    """Each move is listed once, best first, with a win rate and a variation that starts with it."""
    thinking = make(threads=3)
    thinking.run(Limits(visits=3000), threading.Event())
    found = thinking.searched()
    assert len({each.move for each in found}) == len(found) == 26
    assert found == sorted(found, key=lambda each: (-each.visits, -each.win_rate))
    assert all(0 <= each.win_rate <= 1 and each.line[0] == each.move for each in found)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_order_to_stop_ends_a_search_without_limits(make, threads):
    """A stop request ends a search without limits, and no thread remains."""
    thinking, stopped = make(threads), threading.Event()
    thinking.run(Limits(), stopped, Report(lambda _analysis: stopped.set(), 0.0))
    assert thinking.visits > 0
    assert not [each for each in threading.enumerate() if each.name == "helper"]


def test_each_run_may_have_another_number_of_threads(make):
    """A search continues with more or fewer threads, makes all visits and repeats."""
    searches = []
    for _ in range(2):
        thinking = make(1)
        for threads, visits in ((4, 1000), (None, 2000), (3, 3001)):
            thinking.run(Limits(visits=visits), threading.Event(), threads=threads)
            assert thinking.visits == visits
        searches.append(thinking.searched())
    assert searches[0] == searches[1]
    first, same, other = make(1), make(4), make(1)
    first.run(Limits(visits=2000), threading.Event(), threads=4)
    same.run(Limits(visits=2000), threading.Event())
    other.run(Limits(visits=2000), threading.Event())
    assert first.searched() == same.searched() != other.searched()


def test_helpers_rest_where_other_programs_need_the_processors(make, monkeypatch):
    """A helper that gets no processor leaves the search to its own thread, with the same result."""
    played, worker = [], Tree.playout_worker

    def counted(tree: Tree):
        play = worker(tree)
        return lambda most: played.append(play(most)) or played[-1]

    alone = make(4)
    alone.run(Limits(visits=20_000), threading.Event())
    monkeypatch.setattr(Tree, "playout_worker", counted)
    monkeypatch.setattr(think, "_PROBE_SECONDS", 0.0)
    monkeypatch.setattr(think, "_SLICE_SECONDS", 0.0)
    monkeypatch.setattr(think, "_OWN_SHARE", 0.9)
    monkeypatch.setattr(think, "_BUSY_SECONDS", HOUR)
    monkeypatch.setattr(think.time, "thread_time", lambda: 0.0)
    crowded = make(4)
    for visits in (10_000, 20_000):
        crowded.run(Limits(visits=visits), threading.Event())
    assert len(played) <= 3
    assert crowded.visits == alone.visits == 20_000


def test_where_the_system_has_no_more_threads_one_does_it_all(make, monkeypatch):
    """If no thread can be started, one thread builds the same tree."""
    helped, alone = make(3), make(3)
    helped.run(Limits(visits=2000), threading.Event())

    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    alone.run(Limits(visits=2000), threading.Event())
    assert alone.searched() == helped.searched()


def test_told_to_stop_before_it_begins_it_still_has_a_thought(make):
    """A search stopped before its start still makes a first slice, so that it has a move."""
    thinking, stopped = make(2), threading.Event()
    stopped.set()
    thinking.run(Limits(seconds=HOUR), stopped)
    assert 0 < thinking.visits <= 32


def test_a_limit_on_time_ends_the_search_and_whichever_limit_is_met_first_counts(make):
    """The search ends at the first limit that is reached, of time or of visits."""
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
    """Extra time is used for a move while another looks better, and never for an analysis."""
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
    """Each report has more visits than the one before, and its moves sum to them."""
    thinking, seen, stopped = make(), [], threading.Event()

    def tell(analysis: Analysis) -> None:
        seen.append((analysis.visits, sum(each.visits for each in analysis.candidates)))
        if len(seen) == 5:
            stopped.set()

    thinking.run(Limits(), stopped, Report(tell, 0.0))
    assert seen == sorted(set(seen))
    assert all(visits == told for visits, told in seen)


def test_a_report_that_fails_ends_all_threads_and_is_raised(make):
    """A failed report ends all threads, and its error is raised."""

    def tell(_analysis: Analysis) -> None:
        raise RuntimeError("on purpose")

    before = threading.active_count()
    with pytest.raises(RuntimeError, match="on purpose"):
        make(4).run(Limits(seconds=HOUR), threading.Event(), Report(tell, 0.0))
    assert threading.active_count() == before


def test_thinking_lets_other_threads_run_meanwhile(make):
    """A search releases the interpreter, so that other threads can stop it."""
    thinking, stopped = make(size="15"), threading.Event()
    search = threading.Thread(target=thinking.run, args=(Limits(seconds=HOUR), stopped))
    search.start()
    sum(range(100_000))  # needs the interpreter that the search shares
    stopped.set()
    search.join(60)
    assert not search.is_alive()


def test_a_result_that_is_certain_ends_a_search_early(kernel_of):
    """A certain result ends a search for a move before its time."""
    position = GAMES["linage"].configure("6").start()
    while len(position.moves()) > 8:
        position = position.after(position.moves()[0])
    thinking = Search(kernel_of("linage"), position, position.moves(), 1)
    thinking.run(Limits(seconds=HOUR), threading.Event(), for_move=True)
    assert thinking.visits > 0  # and the hour is not over


@pytest.fixture
def cramped(kernel_of):
    """Return a function that makes a search of 9x9 with very little memory."""

    def thinking(threads: int = 1) -> Search:
        position = GAMES["linage"].configure("9").start()
        moves, least = position.moves(), 1 << 15
        kernel = kernel_of("linage")
        return Search(kernel, position, moves, 1, threads, most_nodes=threads * least)

    return thinking


@pytest.mark.parametrize("threads", [1, 2])
def test_thinking_goes_on_when_memory_is_used_up(cramped, threads):
    """With full memory a search continues, counts all visits and keeps its variation."""
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
    """With visits and a seed the search repeats at any speed, even when memory is full."""
    found = []
    for seconds in (0.01, 0.0003, 1.0):
        monkeypatch.setattr(think, "_SLICE_SECONDS", seconds)
        thinking = cramped(threads)
        thinking.run(Limits(visits=40_000 * threads), threading.Event(), for_move=True)
        found.append((thinking.visits, thinking.nodes, thinking.searched()))
    assert found[0] == found[1] == found[2]
