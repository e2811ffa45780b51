"""Recovery after a fork: the child has one thread, and locks that lost threads may still hold.

Work that another thread was to finish, and locks that it was to release, have to be reset in the
child, which would otherwise wait for them for ever. Only Unix has forks.
"""

import sys
import weakref
from collections.abc import Callable
from typing import Protocol

if sys.platform != "win32":
    from os import register_at_fork


class Forked(Protocol):
    """An object with threads or locks."""

    def forked(self) -> None:
        """Reset threads and locks in a forked child, without waiting for any lock."""


_watched: weakref.WeakSet[Forked] = weakref.WeakSet()


def watch_forks(watched: Forked) -> None:
    """Call an object's `forked` in every child that is forked while the object exists."""
    _watched.add(watched)


def in_forked_children(call: Callable[[], object]) -> None:
    """Register a function to call in every child that is forked from now on."""
    if sys.platform != "win32":
        register_at_fork(after_in_child=call)


def around_forks(before: Callable[[], object], after: Callable[[], object]) -> None:
    """Register functions to call before every future fork, and after it in both processes."""
    if sys.platform != "win32":
        register_at_fork(before=before, after_in_parent=after, after_in_child=after)


@in_forked_children
def _reset_watched() -> None:
    for each in list(_watched):
        each.forked()
