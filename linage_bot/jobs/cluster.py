"""A connection to a Dask cluster: functions that run on one of its workers and can be stopped.

Needs the extra `cluster`, so this module is imported only with `--cluster`.
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

from linage_bot.jobs.executor import ClusterGone, WorkerLost
from linage_bot.settings.checks import SettingFault

_dask: Any = importlib.import_module("dask")  # neither has type annotations
# Workers that die are reported here; a worker that misses the scheduler at the end is no news.
_dask.config.set({"logging": {"distributed": "error", "distributed.worker": "critical"}})
# A request to a worker that dies fails twice: here, and in a task of Dask's own.
logging.getLogger("asyncio").setLevel(logging.CRITICAL)
_distributed: Any = importlib.import_module("distributed")
logging.getLogger("distributed.scheduler").setLevel(logging.CRITICAL)  # `local` has it here
_GONE: Any = concurrent.futures.CancelledError, OSError, _distributed.client.ClosedClientError

PATIENCE_SECONDS: Final = 30
_LOST_WORKER: Final = "distributed.deploy.lost-worker-timeout"
_POLL_SECONDS: Final = 0.1
_FETCH_SECONDS: Final = 1.0
_REPEAT_SECONDS: Final = 1.0
_MOST_STOPS: Final = 1000
_UNWANTED: Final = ("cancelled", "released", "forgotten")  # states of a task

_log = logging.getLogger(__name__)


@contextlib.contextmanager
def connected(address: str, workers: int) -> Iterator[ClusterClient]:
    """Connect to the scheduler at an address such as `tcp://HOST:8786`.

    `local` starts a cluster of `workers` on this machine. Raises `SettingFault`.
    """
    with contextlib.ExitStack() as stack:
        if address == "local":
            # Else a worker that died and was restarted is still given up after 15 s.
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
        stack.enter_context(client)
        yield stack.enter_context(contextlib.closing(ClusterClient(client)))


class ClusterClient:
    """A thread-safe connection to the scheduler of a cluster."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._address = client.scheduler.address
        self._name = uuid.uuid4().hex[:12]
        self._numbers = itertools.count(1)
        self._topics: dict[str, Callable[[Any], None]] = {}
        self.closing = False  # errors from now on are not reported

    def close(self) -> None:
        """Close the connection."""
        self.closing = True
        self._client.close(timeout=1)

    def new_key(self) -> str:
        """Return a name for a job that no other job of the cluster has."""
        return f"linage-{self._name}-{next(self._numbers)}"

    def run(
        self,
        worker: str,
        key: str,
        function: Callable[..., Any],
        *arguments: Any,
        stopped: threading.Event,
        gone: Callable[[], bool],
    ) -> Any:
        """Return what the function returns on a worker, named by its address.

        When `stopped` is set, so is the event that `stopping` yields there for this key. Raises
        what the function raises, `WorkerLost` once `gone` returns True, and `ClusterGone`.
        """
        with self._submitted(key, function, *arguments, workers=[worker]) as future:
            while True:
                ended = self._wait(future, stopped, gone)
                # The result of a worker that dies is lost with it.
                with contextlib.suppress(TimeoutError, _distributed.scheduler.KilledWorker):
                    if ended:
                        return future.result(timeout=_FETCH_SECONDS)
                if gone():
                    raise WorkerLost(f"{worker} has stopped")

    @contextlib.contextmanager
    def _submitted(self, key: str, *work: Any, **where: Any) -> Iterator[Any]:
        """Yield the future of a job, and release it at the end."""
        future = None
        try:
            with self._reached():
                future = self._client.submit(*work, key=key, pure=False, **where)
                yield future
        finally:
            if future is not None:
                future.release()

    def _wait(self, future: Any, stopped: threading.Event, gone: Callable[[], bool]) -> bool:
        """Wait until a job has ended or failed; return False if its worker is gone."""
        ended, sent_at = threading.Event(), 0.0
        future.add_done_callback(lambda _future: ended.set())
        while not ended.wait(_POLL_SECONDS):
            if gone():
                return False
            now = time.monotonic()
            if stopped.is_set() and now > sent_at + _REPEAT_SECONDS:
                self._call_all(_stop, future.key)  # again, for the first may have come too early
                sent_at = time.monotonic()
        return True

    def _call_all(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Call a quick function on all workers now, beside their jobs."""
        # Of a worker that dies just now, or of a client that is being closed.
        with contextlib.suppress(OSError, RuntimeError), self._reached():
            self._client.run(function, *arguments, on_error="ignore")

    def look(self, function: Callable[..., Any], *arguments: Any) -> dict[str, Any]:
        """Return what a quick function returns on each worker that lives, by address.

        It is called beside the worker's jobs. Raises `ClusterGone`; the next call tries to find
        the scheduler again.
        """
        with self._reached():
            if self._client.status in ("closing", "closed") and not self.closing:
                self._client = _distributed.Client(self._address, timeout=PATIENCE_SECONDS)
                for topic, on_message in self._topics.items():
                    self._subscribe(topic, on_message)
            found: dict[str, Any] = self._client.run(function, *arguments, on_error="ignore")
            return found

    def threads(self) -> dict[str, int]:
        """Return the number of threads of each worker, by address; raises `ClusterGone`."""
        with self._reached():
            found: dict[str, int] = self._client.nthreads()
            return found

    @contextlib.contextmanager
    def _reached(self) -> Iterator[None]:
        try:
            yield
        except _GONE as error:
            raise ClusterGone(f"{self._address}: {error or 'it has stopped'}") from None
        except (AttributeError, RuntimeError):  # of a Dask client that another thread closes
            if self._client.status not in ("closing", "closed"):
                raise
            raise ClusterGone(f"{self._address}: the connection is closed") from None

    def listen(self, topic: str, on_message: Callable[[Any], None]) -> None:
        """Call `on_message`, on another thread, with each value that workers `publish`."""
        self._topics[topic] = on_message
        self._subscribe(topic, on_message)

    def _subscribe(self, topic: str, on_message: Callable[[Any], None]) -> None:
        self._client.subscribe_topic(topic, lambda event: on_message(pickle.loads(event[1])))


# On a worker

_stops: dict[str, threading.Event] = {}


def _stop(key: str) -> None:
    _stops.setdefault(key, threading.Event()).set()
    for known in list(_stops)[:-_MOST_STOPS]:  # of other workers' jobs
        _stops.pop(known, None)


@contextlib.contextmanager
def stopping(key: str) -> Iterator[threading.Event]:
    """Yield an event that is set when the job of this key is to stop or is not wanted any more."""
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


def publish(topic: str, value: Any) -> None:
    """Send a value from a worker to the clients that `listen` to a topic."""
    _distributed.get_worker().log_event(topic, pickle.dumps(value))
