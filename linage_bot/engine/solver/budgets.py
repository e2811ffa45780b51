"""Limits of a search for exact values, and the slices that it consists of."""

import abc
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, Self, TypeAlias

import attrs
import numpy as np

from linage_bot.engine.processors import PROCESSORS
from linage_bot.engine.solver.errors import OutOfTime

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

UNKNOWN, FALSE, TRUE = -1, 0, 1  # answers to a question
OUT_OF_NODES, OUT_OF_ROOM = 2, 3  # reasons for a slice that ends without an answer
FEWEST_PLACES = 1 << 12  # least size of a hash table, a power of two

_SLICE_SECONDS = 0.01
_FIRST_SLICE = 500  # nodes
_MOST_PART = 1 << 20  # records


@attrs.frozen
class SearchBudget:
    """Limits of a search: a stop event, a deadline and a number of nodes.

    The search ends when `stopped` is set, the deadline (of `time.monotonic`) passes, or the arena
    has searched `last_node` nodes.
    """

    stopped: threading.Event = attrs.field(factory=threading.Event)
    deadline: float | None = None
    between: Callable[[], None] = attrs.field(default=lambda: None)  # called after each slice
    last_node: int | None = None

    @classmethod
    def from_now(
        cls, stopped: threading.Event, seconds: float | None, nodes: int | None, searched: int
    ) -> Self:
        """Return limits of this many seconds and nodes from now on; None: no such limit.

        `searched`: the nodes that the arena has searched so far.
        """
        return cls(
            stopped,
            None if seconds is None else time.monotonic() + seconds,
            last_node=None if nodes is None else searched + nodes,
        )

    def share(self, part: float, searched: int) -> Self:
        """Return limits for a part of the effort that is left after this many searched nodes."""
        deadline, last_node, now = self.deadline, self.last_node, time.monotonic()
        if deadline is not None:
            deadline = now + part * (deadline - now)
        if last_node is not None:
            last_node = searched + int(part * (last_node - searched))
        return attrs.evolve(self, deadline=deadline, last_node=last_node)

    @property
    def used_up(self) -> bool:
        """Whether the deadline has passed or `stopped` is set."""
        late = self.deadline is not None and time.monotonic() >= self.deadline
        return late or self.stopped.is_set()


class SearchArena(abc.ABC):
    """The arrays of a compiled search, which keep its results; used by one thread at a time."""

    kept: ClassVar[np.dtype[Any]]  # the type of the entries that a checkpoint holds

    def __init__(self, name: str, head: Array, most_bytes: int) -> None:
        """Create an arena; the results of arenas with the same name are compatible.

        `head` is an array of one record, which holds the number of `nodes` searched.
        """
        self.name = name
        self._head = head
        self._most_bytes = most_bytes
        self._slice = _FIRST_SLICE

    @property
    def nodes(self) -> int:
        """The number of positions whose moves were examined so far."""
        return int(self._head[0]["nodes"])

    @property
    @abc.abstractmethod
    def bytes(self) -> int:
        """The size of the arrays in bytes."""

    @abc.abstractmethod
    def known(self) -> Iterator[Array]:
        """Return all results, in parts of moderate size."""

    @abc.abstractmethod
    def resume(self, known: Iterable[Array]) -> None:
        """Take over all results of another arena of this name, in parts."""

    @abc.abstractmethod
    def _advance(self, nodes: int) -> int:
        """Search at most this many further nodes; return an answer, or the reason for none yet."""

    @abc.abstractmethod
    def _make_room(self) -> None:
        """Double each array that could overflow; raise `OutOfTime` if memory is used up."""

    def _answer(self, effort: SearchBudget) -> int:
        """Search until there is an answer to the question, and return it. Raises `OutOfTime`."""
        while True:
            if effort.used_up:
                raise OutOfTime
            nodes = self._slice
            if effort.last_node is not None:
                nodes = max(0, min(nodes, effort.last_node - self.nodes))
            with PROCESSORS:
                before, started = self.nodes, time.monotonic()
                status = self._advance(nodes)
                seconds = max(time.monotonic() - started, 1e-6)
            if status == OUT_OF_ROOM:
                try:
                    self._make_room()
                except MemoryError:  # the machine has less than the limit
                    raise OutOfTime from None
            elif status != OUT_OF_NODES:
                return status
            elif nodes < self._slice and self.nodes >= (effort.last_node or 0):
                raise OutOfTime
            else:
                fitting = int((self.nodes - before) * _SLICE_SECONDS / seconds)
                self._slice = max(10, min(2 * nodes, fitting))
                effort.between()

    def _check_memory(self, more: int) -> None:
        """Raise `OutOfTime` if there is no memory for this many more bytes."""
        if self.bytes + more > self._most_bytes:
            raise OutOfTime


def parts(array: Array) -> Iterator[Array]:
    """Return an array in views of at most a million records, at least one."""
    for start in range(0, max(len(array), 1), _MOST_PART):
        yield array[start : start + _MOST_PART]


def doubled(array: Array) -> Array:
    """Return an array of twice the length that begins with the same records; the rest is 0."""
    larger = np.zeros(2 * len(array), array.dtype)
    larger[: len(array)] = array
    return larger


def hash_table(records: Array, move: Callable[[Array, Array], None]) -> Array:
    """Return a larger table with the records that are used, which `move` copies into it."""
    size = FEWEST_PLACES
    while 4 * (len(records) + 1) > 3 * size:
        size *= 2
    table = np.zeros(size, records.dtype)
    move(records, table)
    return table
