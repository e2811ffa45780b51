"""What GoGui draws on its board: who owns what, and what a search thinks while it runs.

Live graphics are lines on stderr between `gogui-gfx:` and an empty line. GoGui wipes its board
before it draws each set, the colours of owned points too, so every set begins with them.
"""

import enum
import threading
import time
from collections.abc import Callable, Mapping

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.engine import Report
from linage_bot.engine.owners import with_owners
from linage_bot.gtp.thoughts import in_words
from linage_bot.rules.boards import Board, Point, bits
from linage_bot.rules.game import PASS, Move, Player, Position
from protocol import gogui

_INTERVAL_SECONDS = 0.5
_LABELLED_SHARE = 0.02  # of the best move's visits: fewer are not worth a label

# As in our pictures, but strong enough for GoGui's wooden board.
_COLOURS = {Player.FIRST: "#5b9bdc", Player.SECOND: "#e2571e"}


class LiveGraphics(enum.Enum):
    """What to draw while a search runs."""

    NONE = "none"
    VARIATION = "variation"
    MOVES = "moves"
    OWNERS = "owners"


def owners_gfx(position: Position) -> str:
    """Colour the areas of the position by owner, the free ones left out."""
    return gogui.gfx(
        gogui.gfx_color(_COLOURS[area.owner], position.game.board.vertices(area.points))
        for area in position.areas()
        if area.owner is not None
    )


def from_top_left(board: Board) -> list[list[Point]]:
    """The board's cells row by row as people read them, also where the board has no point."""
    rows, columns = reversed(range(board.rows)), range(board.columns)
    return [[board.columns * row + column for column in columns] for row in rows]


def value_board(board: Board, labels: Mapping[Move, str | None]) -> str:
    """A text on each point, as GoGui reads a board of them."""
    return gogui.sboard([[labels.get(cell) for cell in row] for row in from_top_left(board)])


class LiveBoard:
    """GoGui's board while a search runs; draws nothing until `shows` is set."""

    def __init__(self, write: Callable[[str], None] | None) -> None:
        """`write` puts text on stderr at once; None where nobody could read it."""
        self.shows = LiveGraphics.NONE
        self._write = write

    @property
    def available(self) -> bool:
        """Whether there is anything to draw on."""
        return self._write is not None

    def watching(self, stopped: threading.Event, report: Report | None) -> Report | None:
        """A report that draws the search, besides the one that is wanted."""
        write = self._write
        if self.shows is LiveGraphics.NONE or write is None:
            return report
        draw = _DRAWINGS[self.shows]

        def show(analysis: Analysis) -> None:
            position = analysis.position
            own = analysis.seen_by(position.to_move)
            words = in_words(position, own.candidates[0], f"{own.visits} visits")
            drawn = draw(own, stopped)
            write(gogui.live_gfx([owners_gfx(position), drawn, gogui.gfx_text(words)]))

        own = Report(show, _INTERVAL_SECONDS)
        return own if report is None else _both(own, report)

    def clear(self, position: Position) -> None:
        """Only who owns what: the search is over, and what it thought would mislead."""
        if self.shows is not LiveGraphics.NONE and self._write is not None:
            self._write(gogui.live_gfx(["CLEAR", owners_gfx(position)]))


def _both(*reports: Report) -> Report:
    """One report that calls each at its own interval."""
    due = [time.monotonic() + each.interval_seconds for each in reports]

    def call(analysis: Analysis) -> None:
        for index, each in enumerate(reports):
            if time.monotonic() >= due[index]:
                each.call(analysis)
                due[index] = time.monotonic() + each.interval_seconds

    return Report(call, min(each.interval_seconds for each in reports))


def _variation(own: Analysis, _stopped: threading.Event) -> str:
    position = own.position
    players = (position.to_move, position.to_move.other)
    line = enumerate(own.candidates[0].line)
    return gogui.gfx_variation(
        (players[ply % 2].letter, position.name_of(move)) for ply, move in line
    )


def _moves(own: Analysis, _stopped: threading.Event) -> str:
    """Squares as large as the move's share of visits, and its win rate in percent."""
    position = own.position
    most = max(each.visits for each in own.candidates)
    sign = 1 if position.to_move is Player.FIRST else -1
    seen = [
        (position.name_of(each.move), each)
        for each in own.candidates
        if each.move != PASS and each.visits >= max(1, _LABELLED_SHARE * most)
    ]
    sizes = ((name, sign * each.visits / most) for name, each in seen)
    labels = ((name, f"{100 * each.win_rate:.0f}") for name, each in seen)
    return gogui.gfx((gogui.gfx_influence(sizes), gogui.gfx_label(labels)))


def _owners(own: Analysis, stopped: threading.Event) -> str:
    owners = with_owners(own, stopped).seen_by(Player.FIRST).owners or ()
    position = own.position
    points = bits(position.game.board.points) if owners else ()
    return gogui.gfx_influence((position.name_of(point), owners[point]) for point in points)


_DRAWINGS = {
    LiveGraphics.VARIATION: _variation,
    LiveGraphics.MOVES: _moves,
    LiveGraphics.OWNERS: _owners,
}
