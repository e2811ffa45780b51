"""How long to search for exact values, and the slices that a search is made in."""

import abc
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self, TypeAlias

import attrs
import numpy as np

from linage_bot.engine.processors import PROCESSORS
from linage_bot.engine.solver.errors import OutOfTime

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

UNKNOWN, FALSE, TRUE = -1, 0, 1  # answers to a question
OUT_OF_NODES, OUT_OF_ROOM = 2, 3  # why a slice ended without one
FEWEST_PLACES = 1 << 12  # of a hash table, a power of two

_SLICE_SECONDS = 0.01
_FIRST_SLICE = 500  # nodes


@attrs.frozen
class Effort:
    """How long to search: until `stopped` is set, the deadline (of `time.monotonic`) passes, or the
    arena has searched `last_node` nodes.
    """  # noqa: D205

    stopped: threading.Event = attrs.field(factory=threading.Event)
    deadline: float | None = None
    between: Callable[[], None] = attrs.field(default=lambda: None)  # called after each slice
    last_node: int | None = None

    @classmethod
    def from_now(
        cls, stopped: threading.Event, seconds: float | None, nodes: int | None, searched: int
    ) -> Self:
        """So many seconds and nodes from now on, in an arena that has searched some already."""
        return cls(
            stopped,
            None if seconds is None else time.monotonic() + seconds,
            last_node=None if nodes is None else searched + nodes,
        )

    def share(self, part: float, searched: int) -> Self:
        """A part of what is left, in an arena that has searched so many nodes."""
        deadline, last_node, now = self.deadline, self.last_node, time.monotonic()
        if deadline is not None:
            deadline = now + part * (deadline - now)
        if last_node is not None:
            last_node = searched + int(part * (last_node - searched))
        return attrs.evolve(self, deadline=deadline, last_node=last_node)

    @property
    def used_up(self) -> bool:
        """Whether to stop now."""
        late = self.deadline is not None and time.monotonic() >= self.deadline
        return late or self.stopped.is_set()


class SearchArena(abc.ABC):
    """The arrays of a compiled search, which keeps what it learns; not for two threads at once."""

    kept: ClassVar[Sequence[np.dtype[Any]]]  # the types of the arrays that a checkpoint holds

    def __init__(self, name: str, head: Array, most_bytes: int) -> None:
        """What arenas of the same name know fits together.

        The head is an array of one record, with the `nodes` searched.
        """
        self.name = name
        self._head = head
        self._most_bytes = most_bytes
        self._slice = _FIRST_SLICE

    @property
    def nodes(self) -> int:
        """Positions whose moves were looked at, so far."""
        return int(self._head[0]["nodes"])

    @property
    @abc.abstractmethod
    def bytes(self) -> int:
        """The size of the arrays."""

    @abc.abstractmethod
    def known(self) -> list[Array]:
        """All that was found out."""

    @abc.abstractmethod
    def resume(self, *known: Array) -> None:
        """Take over all that another arena of this name knew."""

    @abc.abstractmethod
    def _advance(self, nodes: int) -> int:
        """Search on for at most so many nodes: an answer, or why there is none yet."""

    @abc.abstractmethod
    def _make_room(self) -> None:
        """Double whatever could overflow; raises `OutOfTime` where memory is used up."""

    def _answer(self, effort: Effort) -> int:
        """Search until there is an answer to what was asked. Raises `OutOfTime`."""
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
                except MemoryError:  # the machine has less than was allowed
                    raise OutOfTime from None
            elif status != OUT_OF_NODES:
                return status
            elif nodes < self._slice and self.nodes >= (effort.last_node or 0):
                raise OutOfTime
            else:
                fitting = int((self.nodes - before) * _SLICE_SECONDS / seconds)
                self._slice = max(10, min(2 * nodes, fitting))
                effort.between()

    def _afford(self, more: int) -> None:
        """Raises `OutOfTime` if there is no memory for so many bytes more."""
        if self.bytes + more > self._most_bytes:
            raise OutOfTime


def doubled(array: Array) -> Array:
    """An array of twice the length that begins alike."""
    larger = np.zeros(2 * len(array), array.dtype)
    larger[: len(array)] = array
    return larger


def hash_table(records: Array, move: Callable[[Array, Array], None]) -> Array:
    """A larger table of what is used of the records, as `move` puts them there."""
    size = FEWEST_PLACES
    while 4 * (len(records) + 1) > 3 * size:
        size *= 2
    table = np.zeros(size, records.dtype)
    move(records, table)
    return table
