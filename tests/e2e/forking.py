"""A program that forks amid some work; its children have to search and end, each within a minute.

python forking.py WHEN
"""

import contextlib
import functools
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator

from linage_bot import Engine, History, Limits, game
from linage_bot.engine.processors import PROCESSORS
from linage_bot.engine.worker import Worker

MOST_SECONDS = 60  # of a child; far more than it takes
BOARD = game("linage", size=9)


def child(work: Callable[[], object]) -> int:
    """Fork; the child does the work, and is ended by the system if it does not come to an end."""
    pid = os.fork()
    if pid:
        return pid
    signal.alarm(MOST_SECONDS)
    try:
        work()
    except BaseException as error:
        print(f"in the child: {error!r}", file=sys.stderr, flush=True)
        os._exit(1)
    os._exit(0)


def ended_well(*children: int) -> None:
    for pid in children:
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        assert status == 0, f"the child ended with {status}"


def search(engine: Engine, history: History, visits: int = 300) -> None:
    found = engine.play(history, Limits(visits=visits))
    assert found.move in history.position.moves()
    assert found.analysis.visits >= visits
    Engine(threads=2, seed=1).play(history, Limits(visits=visits))


@contextlib.contextmanager
def elsewhere(work: Callable[[threading.Event], object]) -> Iterator[None]:
    """Run `work` on another thread during the block."""
    stopped = threading.Event()
    thread = threading.Thread(target=work, args=(stopped,))
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()


def pondering() -> None:
    """Fork while the engine ponders, and just after it was started, before its worker runs."""
    engine = Engine(ponder=True)
    history = History(BOARD)
    for _ in range(3):
        decision = engine.play(history, Limits(visits=100))
        assert decision.move is not None
        history = history.play(decision.move)
        engine.ponder(history)
        work = functools.partial(search, engine, history)
        at_once = child(work)
        time.sleep(0.1)
        ended_well(at_once, child(work))
    search(engine, history)
    engine.close()


def loading() -> None:
    """While code is loaded, at several moments; parent and children have it afterwards."""
    engine = Engine()
    engine.prepare(BOARD)
    children = []
    for _ in range(5):
        children.append(child(lambda: search(Engine(), History(BOARD))))
        children.append(child(lambda: search(engine, History(BOARD))))
        time.sleep(0.05)
    ended_well(*children)
    search(engine, History(BOARD))


def compiling() -> None:
    """Just after the compiler was started: parent and children have the code afterwards."""
    engine, history = Engine(), History(game("leblin"))  # which has the least code
    engine.prepare(history.position.game)
    children = [child(lambda: search(engine, history)) for _ in range(2)]
    ended_well(*children)
    search(engine, history)


def searching() -> None:
    """While other threads search, by the same engine and by others, more than have a place."""
    engines = [Engine(threads=2) for _ in range(4)]
    history = History(BOARD)
    search(Engine(), history)
    with contextlib.ExitStack() as stack:
        for engine in engines:
            stack.enter_context(elsewhere(functools.partial(engine.play, history, Limits())))
        for _ in range(10):
            time.sleep(0.05)
            ended_well(child(lambda: search(engines[0], history)))
    for engine in engines:
        search(engine, history)


def proving() -> None:
    """Fork while other threads prove: children must not trust half-written results."""
    engine = Engine()
    history = History(game("linage", size="5x6")).play("C3").play("B5")
    engine.play(history, Limits(seconds=0.2))

    def prove() -> None:
        assert engine.play(history, Limits(seconds=0.5)).move in history.position.moves()

    with elsewhere(functools.partial(engine.play, history, Limits(seconds=20.0))):
        time.sleep(0.3)
        for _ in range(5):
            time.sleep(0.05)
            ended_well(child(prove))


def in_a_place() -> None:
    """While the thread that forks has a place to compute in, which the child leaves, too."""
    with PROCESSORS:
        pid = os.fork()
    if not pid:
        signal.alarm(MOST_SECONDS)
        search(Engine(), History(BOARD))
        os._exit(0)
    ended_well(pid)


def working() -> None:
    """After a worker has begun: a child's own begin, too."""
    first = Worker(lambda stopped: stopped.wait(30))
    first.begin()

    def begin() -> None:
        worker = Worker(lambda _stopped: None)
        worker.begin()
        assert worker.wait(MOST_SECONDS / 2)

    ended_well(child(begin))
    first.stop()
    assert first.wait(30)


if __name__ == "__main__":
    moments = (pondering, loading, compiling, searching, proving, in_a_place, working)
    {each.__name__: each for each in moments}[sys.argv[1]]()
