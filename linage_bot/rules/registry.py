"""The table of games: those of this package, and those that other installed packages declare.

Each of our own games is imported when it is first asked for: most programs need only one.

Another package declares a game by an entry point in the group `linage_bot.games`. Its name is the
game's id, and it names the game's class: `col = "linage_col.rules:Col"`.

The entry points are read when a program lists the games or asks for a game that is not ours. With
the import of `importlib.metadata` this takes longer than all rules, and most programs never need
it.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from linage_bot.rules.game import Game
from linage_bot.rules.options import shortened

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_GROUP = "linage_bot.games"

_log = logging.getLogger(__name__)
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_FACTS = ("id", "name", "author", "year", "board_kind", "default_size")


class _BadGame(Exception):
    """A reason why an entry point gives no game."""


class GameRegistry(Mapping[str, type[Game]]):
    """The games by id: our own in their order, then those of other packages by id.

    A package whose game cannot be used is reported once by a warning, and its game is left out.
    """

    def __init__(self, own: Mapping[str, str]) -> None:
        """Create the table; `own` has the places of our games by id, each as `module:class`."""
        self._own = own
        self._all: dict[str, type[Game]] | None = None
        self._lock = threading.RLock()

    def __getitem__(self, id_: str) -> type[Game]:
        return _imported(self._own[id_]) if id_ in self._own else self._with_installed()[id_]

    def __contains__(self, id_: object) -> bool:
        return id_ in self._own or id_ in self._with_installed()

    def __iter__(self) -> Iterator[str]:
        return iter(self._with_installed())

    def __len__(self) -> int:
        return len(self._with_installed())

    def __repr__(self) -> str:
        return repr(self._with_installed())

    def _with_installed(self) -> dict[str, type[Game]]:
        with self._lock:
            if self._all is None:
                own = {id_: _imported(place) for id_, place in self._own.items()}
                self._all = own  # which a package sees that lists them while it loads
                self._all = {**own, **_installed(own)}
            return self._all


def _imported(place: str) -> type[Game]:
    """Return the class at a place such as `linage_bot.rules.linage:Linage`."""
    module, _, name = place.partition(":")
    kind: type[Game] = getattr(import_module(module), name)
    return kind


def _installed(own: Mapping[str, type[Game]]) -> dict[str, type[Game]]:
    """Return the usable games of other packages; warn of each that is not."""
    from importlib.metadata import entry_points  # slow

    games: dict[str, type[Game]] = {}
    homes = dict.fromkeys(own, "linage-bot")
    for point in sorted(entry_points(group=_GROUP), key=lambda each: (each.name, _home(each))):
        try:
            if point.name in homes:
                raise _BadGame(f"{homes[point.name]} has a game of this id")
            games[point.name] = _checked(point.load(), point.name)
        except Exception as error:  # code of others may raise anything
            reason = (
                str(error) if isinstance(error, _BadGame) else f"{type(error).__name__}: {error}"
            )
            _log.warning(
                "%s: its game %s is left out: %s; update or uninstall %s",
                _home(point),
                point.name,
                " ".join(reason.split()),
                _home(point),
            )
        else:
            homes[point.name] = _home(point)
    return games


def _home(point: EntryPoint) -> str:
    """Return the name of the distribution that declares an entry point."""
    return point.value if point.dist is None else point.dist.name


def _checked(kind: object, id_: str) -> type[Game]:
    """Return the class if it is a game that can begin; raise `_BadGame` or an error of its own."""
    if not (isinstance(kind, type) and issubclass(kind, Game)):
        raise _BadGame(f"{shortened(repr(kind))} is not a subclass of linage_bot.Game")
    missing = [fact for fact in _FACTS if not hasattr(kind, fact)]
    missing += sorted(kind.__abstractmethods__)
    if missing:
        raise _BadGame(f"{kind.__name__} does not define {', '.join(missing)}")
    if kind.id != id_:
        raise _BadGame(f"{kind.__name__}.id is {kind.id!r}, not the name of the entry point")
    if not _ID.fullmatch(id_):
        raise _BadGame("an id consists of lower-case words, joined by hyphens")
    for module in filter(None, (kind.kernel_module, kind.teaching_module)):
        if find_spec(module) is None:
            raise _BadGame(f"there is no module {module}")
    kind.configure().start()
    return kind
