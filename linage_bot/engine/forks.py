"""Forks: a child has one thread, and every lock as another thread may have left it.

Work that another thread was to finish, and locks that it was to release, have to begin anew in the
child, which else waits for them for ever. Elsewhere than on Unix nothing forks.
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
        """Begin anew in a child, without waiting for any lock."""


_watched: weakref.WeakSet[Forked] = weakref.WeakSet()


def watch_forks(watched: Forked) -> None:
    """Call `forked` of an object in every child that is forked while the object lives."""
    _watched.add(watched)


def in_forked_children(call: Callable[[], object]) -> None:
    """Have something called in every child that is forked from now on."""
    if sys.platform != "win32":
        register_at_fork(after_in_child=call)


def around_forks(before: Callable[[], object], after: Callable[[], object]) -> None:
    """Have something called before every fork from now on, and after it in both processes."""
    if sys.platform != "win32":
        register_at_fork(before=before, after_in_parent=after, after_in_child=after)


@in_forked_children
def _tell_all() -> None:
    for each in list(_watched):
        each.forked()
