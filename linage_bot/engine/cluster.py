"""Work for other machines: the workers of a Dask cluster, each piece answered once.

A worker that dies costs its work's time: the cluster gives that to another. Needs the extra
`cluster`, so this is imported where a cluster was asked for.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import importlib
import itertools
import logging
import pickle
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any, Final

from linage_bot.engine.worker import PlaceGone
from linage_bot.settings.checks import SettingFault

_dask: Any = importlib.import_module("dask")  # neither of them tells its types
_dask.config.set({"logging.distributed": "error"})  # of workers that die we tell ourselves
# What it asks of a worker that dies fails twice: we hear of it, and a task of its own does.
logging.getLogger("asyncio").setLevel(logging.CRITICAL)
_distributed: Any = importlib.import_module("distributed")
logging.getLogger("distributed.scheduler").setLevel(logging.CRITICAL)  # `local` has it here
_GONE: Any = concurrent.futures.CancelledError, OSError, _distributed.client.ClosedClientError

PATIENCE_SECONDS: Final = 30
_LOST_WORKER: Final = "distributed.deploy.lost-worker-timeout"
_MOST_DEATHS: Final = 20  # of a piece of work; each stands for several workers
_AHEAD: Final = 2  # pieces of work for each thread of a worker
_FEWEST: Final = 8
_POLL_SECONDS: Final = 0.1
_FETCH_SECONDS: Final = 1.0
_TELL_SECONDS: Final = 1.0
_MOST_STOPS: Final = 1000
_UNWANTED: Final = ("cancelled", "released", "forgotten")  # states of a task

_log = logging.getLogger(__name__)


@contextlib.contextmanager
def connected(address: str, workers: int) -> Iterator[Any]:
    """A client of the scheduler at `tcp://HOST:8786`, or of so many workers started here: `local`.

    Raises `SettingFault`.
    """
    with contextlib.ExitStack() as stack:
        if address == "local":
            # Else a worker that died and was restarted is given up after 15 s all the same.
            stack.enter_context(_dask.config.set({_LOST_WORKER: "1000h"}))
            cluster = _distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",  # or a second one here warns of the first's port
            )
            address = stack.enter_context(cluster).scheduler_address
        try:
            client = _distributed.Client(address, timeout=PATIENCE_SECONDS)
        except (OSError, ValueError) as error:
            raise SettingFault("--cluster", f"{address}: {error}") from None
        yield stack.enter_context(client)


class ClusterGone(PlaceGone):
    """The scheduler has gone, or gave up what it was asked for."""


class Crew:
    """The workers of a cluster, asked to do things; for any number of threads, each waits."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._address = client.scheduler.address
        self._name = uuid.uuid4().hex[:12]
        self._numbers = itertools.count(1)
        self.closing = False  # whatever fails from now on need not be told

    def close(self) -> None:
        """Ask for nothing more."""
        self.closing = True
        self._client.close(timeout=1)

    @property
    def at_once(self) -> int:
        """How much to ask for at once, so that no worker has to wait, nor one that joins soon."""
        threads: dict[str, int] = self._client.nthreads()
        return max(_FEWEST, _AHEAD * sum(threads.values()))

    def new_key(self, kind: str) -> str:
        """A name for a piece of work that no other has."""
        return f"linage-{kind}-{self._name}-{next(self._numbers)}"

    def ask(
        self,
        key: str,
        function: Callable[..., Any],
        *arguments: Any,
        stopped: threading.Event | None = None,
    ) -> Any:
        """What the function returns, on whichever worker; raises what it raises, and `ClusterGone`.

        Where `stopped` is set, the function finds what `stopping` gave it for this key set, too.
        """
        with self._asked(key, function, *arguments) as future:
            for _ in range(_MOST_DEATHS):
                self._wait(future, stopped)
                try:
                    return future.result()
                except _distributed.scheduler.KilledWorker:
                    _log.warning("%s: its workers died; others are asked", key)
                    future.retry()
            raise ClusterGone(f"no worker has lived long enough for {key}")

    def ask_one(
        self,
        worker: str,
        key: str,
        function: Callable[..., Any],
        *arguments: Any,
        stopped: threading.Event,
        gone: Callable[[], bool],
    ) -> Any:
        """The same from one worker, by its address; raises `PlaceGone` once `gone` says so."""
        with self._asked(key, function, *arguments, workers=[worker]) as future:
            while True:
                through = self._wait(future, stopped, gone)
                # What a worker that dies has just found out goes with it.
                with contextlib.suppress(TimeoutError, _distributed.scheduler.KilledWorker):
                    if through:
                        return future.result(timeout=_FETCH_SECONDS)
                if gone():
                    raise PlaceGone(f"{worker} has gone")

    @contextlib.contextmanager
    def _asked(self, key: str, *work: Any, **where: Any) -> Iterator[Any]:
        """The future of a piece of work, until it is not wanted any more."""
        future = None
        try:
            future = self._client.submit(*work, key=key, pure=False, **where)
            yield future
        except _GONE as error:
            raise ClusterGone(f"{error or 'the scheduler'} has gone") from None
        finally:
            if future is not None:
                future.release()

    def _wait(
        self,
        future: Any,
        stopped: threading.Event | None,
        gone: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Until it is through, in whatever way, or gone; tell of the order to stop meanwhile."""
        through, told = threading.Event(), 0.0
        future.add_done_callback(lambda _future: through.set())
        while not through.wait(_POLL_SECONDS if stopped is not None else None):
            if gone():
                return False
            now = time.monotonic()
            if stopped is not None and stopped.is_set() and now > told + _TELL_SECONDS:
                self._tell_all(_stop, future.key)  # again, for it may go to another worker
                told = time.monotonic()
        return True

    def _tell_all(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Call a function on all workers now, beside what they do; it has to be quick."""
        with contextlib.suppress(OSError, RuntimeError):  # a worker that dies meanwhile
            self._client.run(function, *arguments, on_error="ignore")

    def look(self, function: Callable[..., Any], *arguments: Any) -> dict[str, Any]:
        """What a quick function returns on each worker that lives, by address.

        It is called beside what the worker does. Raises `ClusterGone`; the next call tries to find
        the scheduler again.
        """
        with self._reached():
            if self._client.status in ("closing", "closed") and not self.closing:
                self._client = _distributed.Client(self._address, timeout=PATIENCE_SECONDS)
            found: dict[str, Any] = self._client.run(function, *arguments, on_error="ignore")
            return found

    def threads(self) -> dict[str, int]:
        """How much each worker does at once, by address; raises `ClusterGone`."""
        with self._reached():
            found: dict[str, int] = self._client.nthreads()
            return found

    @contextlib.contextmanager
    def _reached(self) -> Iterator[None]:
        try:
            yield
        except _GONE as error:
            raise ClusterGone(f"{self._address}: {error}") from None

    def listen(self, topic: str, heard: Callable[[Any], None]) -> None:
        """Have `heard` called with what workers say under this topic, on a thread of the client."""
        self._client.subscribe_topic(topic, lambda event: heard(pickle.loads(event[1])))


# On a worker

_stops: dict[str, threading.Event] = {}


def _stop(key: str) -> None:
    _stops.setdefault(key, threading.Event()).set()
    for known in list(_stops)[:-_MOST_STOPS]:  # of other workers' work
        _stops.pop(known, None)


@contextlib.contextmanager
def stopping(key: str) -> Iterator[threading.Event]:
    """What is set when the work of this key is to stop, or nobody wants it any more."""
    worker, stopped, over = _distributed.get_worker(), threading.Event(), threading.Event()
    _stops.pop(key, None)

    def watch() -> None:
        while not over.wait(_POLL_SECONDS):
            task = worker.state.tasks.get(key)
            asked = _stops.get(key)
            if task is None or task.state in _UNWANTED or (asked is not None and asked.is_set()):
                stopped.set()
                return

    thread = threading.Thread(target=watch, name="watch", daemon=True)
    thread.start()
    try:
        yield stopped
    finally:
        over.set()
        _stops.pop(key, None)


def say(topic: str, words: Any) -> None:
    """Tell who listens to the topic."""
    _distributed.get_worker().log_event(topic, pickle.dumps(words))
