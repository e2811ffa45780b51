"""A game of Linage on Abstract Play and the same game in our terms.

Seat 1 is always Vertical, seat 2 Horizontal, and each game begins with two plies that the published
game does not have: seat 1 offers an integer komi; seat 2 answers `play-second`, or places the first
stone. The player who places second gets the komi. So there are two branches:

- `play-second`: seat 1 is First, seat 2 Second with the komi. The published game.
- a cell: seat 2 is First, and still Horizontal. The published game transposed: our First is
  Vertical, so cells swap column and row on their way in and out.

The button is a move of its own, `take-button`, beside `pass`; ours is the first pass. The site ends
a game as soon as no region is free. It does not check histories. A history that can be interpreted
is accepted (an off-board cell is a turn without a stone, the last taker holds the button); any
other is a `BadGame`.

Everything here is a pure function of the variants and the words played.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from typing import Final

import attrs

from linage_bot.rules.boards import Point
from linage_bot.rules.game import LARGEST_KOMI, PASS, Move, Player
from linage_bot.rules.linage import Linage, LinagePosition
from linage_bot.rules.options import BadOption

PLAY_SECOND: Final = "play-second"
TAKE_BUTTON: Final = "take-button"
PASS_WORD: Final = "pass"
RESIGN: Final = "resign"

_ENDINGS: Final = frozenset({RESIGN, "timeout", "abandoned"})
_CELL: Final = re.compile(r"([a-z]{1,3})([0-9]{1,4})")
_KOMI: Final = re.compile(r"[+-]?[0-9]{1,9}")
_VARIANT: Final = re.compile(r"(size|line)-([0-9]{1,3})")


class BadGame(ValueError):
    """A game that cannot be understood: unknown variants, or words that are no moves."""


class Phase(enum.Enum):
    """The kind of ply that comes next."""

    KOMI = "komi"
    PIE = "pie"
    PLAY = "play"
    OVER = "over"


def configure(variants: Iterable[str]) -> Linage:
    """Return the game that the site's variants describe, without its komi; raise `BadGame`."""
    values: dict[str, str] = {}
    for variant in variants:
        found = _VARIANT.fullmatch(variant)
        if found is None:
            raise BadGame(f"the variant {variant!r} is not known")
        if found[1] in values:
            raise BadGame(f"two variants set {found[1]}")
        values[found[1]] = found[2]
    try:
        return Linage.configure(values.pop("size", None), 0, {"button": "on", **values})
    except BadOption as error:
        raise BadGame(str(error)) from None


@attrs.frozen
class SitePosition:
    """A game on the site after some plies; make one with `replay`.

    `position` is ours, with its komi from the second ply on. `position.passes` counts the site's
    passes, without the button; `search_position` is the one to search.
    """

    position: LinagePosition
    plies: int = 0
    offer: int | None = None  # the komi as seat 1 wrote it; `position` has the nearest possible
    transposed: bool = False
    ended: bool = False  # resigned or out of time

    @property
    def seat_to_move(self) -> int:
        """The seat to move, 1 or 2."""
        return self.plies % 2 + 1

    @property
    def phase(self) -> Phase:
        """The kind of ply that comes next."""
        if self.ended:
            return Phase.OVER
        if self.plies < 2:
            return (Phase.KOMI, Phase.PIE)[self.plies]
        over = self.position.passes == 2 or not self.position.regions.free
        return Phase.OVER if over else Phase.PLAY

    @property
    def button_left(self) -> bool:
        """Whether the button is still untaken."""
        return self.position.button_taker is None

    def seat_of(self, player: Player) -> int:
        """Return the seat on the site of a player in our terms."""
        return 2 - player if self.transposed else 1 + player

    def accepting(self) -> SitePosition:
        """Return the same position for a seat 2 that accepts the komi and will place first."""
        return attrs.evolve(self, transposed=True)

    @property
    def search_position(self) -> LinagePosition:
        """The position to search by our rules, in which the button is our pass until it is taken.

        Our rules know no pass beside the button: one that came before it is ignored.
        """
        if self.button_left and self.position.passes:
            return attrs.evolve(self.position, passes=0)
        return self.position

    # ------------------------------------------------------------------------- words

    def cell(self, point: Point) -> str:
        """Return the site's name of a point of `position`: columns `a` to `z` with `i`."""
        row, column = divmod(point, self.position.game.board.columns)
        if self.transposed:
            column, row = row, column
        return f"{chr(ord('a') + column)}{row + 1}"

    def point(self, cell: str) -> Point | None:
        """Return the point of `position` that a cell names, None off the board; raise `BadGame`."""
        found = _CELL.fullmatch(cell)
        if found is None:
            raise BadGame(f"{cell[:40]!r} is not a move")
        if len(found[1]) > 1:
            return None
        column, row = ord(found[1]) - ord("a"), int(found[2]) - 1
        if self.transposed:
            column, row = row, column
        return self.position.game.board.at(column, row)

    def word(self, move: Move) -> str:
        """Return the site's word for a move of `search_position`."""
        if move != PASS:
            return self.cell(move)
        return TAKE_BUTTON if self.button_left else PASS_WORD

    # ------------------------------------------------------------------------- plies

    def after(self, word: str) -> SitePosition:
        """Return the position after a ply of a history, legal or not; raise `BadGame`."""
        word = word.strip().lower()
        if word in _ENDINGS:
            return attrs.evolve(self, plies=self.plies + 1, ended=True)
        if self.plies == 0:
            return self._offered(word)
        if self.plies == 1 and word == PLAY_SECOND:
            return attrs.evolve(self, plies=2)
        if self.plies == 1:
            return self.accepting()._placed(word)
        if word == PASS_WORD:
            return self._turn(passes=min(2, self.position.passes + 1))
        if word == TAKE_BUTTON:
            return self._turn(passes=0, button_taker=self.position.to_move)
        return self._placed(word)

    def _offered(self, word: str) -> SitePosition:
        if _KOMI.fullmatch(word) is None:
            raise BadGame(f"{word[:40]!r} is not a komi")
        komi = max(-LARGEST_KOMI, min(int(word), LARGEST_KOMI))  # the site knows no bound
        game = self.position.game.with_komi(komi)
        return attrs.evolve(self, position=game.start(), plies=1, offer=int(word))

    def _placed(self, cell: str) -> SitePosition:
        point = self.point(cell)
        position = self.position
        if point is None or not position.empty >> point & 1:
            return self._turn(passes=0)
        stones = "second" if position.to_move else "first"
        return self._turn(passes=0, **{stones: getattr(position, stones) | 1 << point})

    def _turn(self, **changes: object) -> SitePosition:
        to_move = self.position.to_move.other
        position = attrs.evolve(self.position, to_move=to_move, **changes)  # type: ignore[arg-type]  # fields of it
        return attrs.evolve(self, position=position, plies=self.plies + 1)


def replay(variants: Iterable[str], words: Iterable[str]) -> SitePosition:
    """Return the position after the plies of a game; raise `BadGame`."""
    site = SitePosition(configure(variants).start())
    for word in words:
        site = site.after(word)
    return site
