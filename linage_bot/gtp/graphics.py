"""Graphics for GoGui's board: the owners of the points, and the results of a running search.

Live graphics are lines on stderr between `gogui-gfx:` and an empty line. GoGui wipes its board
before it draws each set, the colours of owned points too, so every set begins with them.
"""

import itertools
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from linage_bot.engine.analysis import Analysis, Candidate, Report
from linage_bot.engine.candidates import cell_rows
from linage_bot.engine.rollouts import with_owners
from linage_bot.rules.boards import Board, Point, bits
from linage_bot.rules.game import PASS, Move, Player, Position

_INTERVAL_SECONDS = 0.5
_LABELLED_SHARE = 0.02  # of the best move's visits: fewer are not worth a label

# As in our pictures, but strong enough for GoGui's wooden board.
_COLOURS = {Player.FIRST: "#5b9bdc", Player.SECOND: "#e2571e"}


def graphic(kind: str, words: Iterable[str]) -> str:
    """Return one line, such as `COLOR #5b9bdc A1 B2`; empty if there are no words."""
    rest = " ".join(words)
    return f"{kind} {rest}" if rest else ""


def together(graphics: Iterable[str]) -> str:
    """Join several lines, without the empty ones."""
    return "\n".join(filter(None, graphics))


def owners_gfx(position: Position) -> str:
    """Colour the areas of the position by owner, the free ones left out."""
    return together(
        graphic(f"COLOR {_COLOURS[area.owner]}", position.game.board.vertices(area.points))
        for area in position.areas()
        if area.owner is not None
    )


def board_of(board: Board, word: Callable[[Point], str]) -> str:
    """Return a board with a word for each cell, in the form that GoGui reads."""
    return "\n".join(" ".join(map(word, row)) for row in cell_rows(board))


def value_board(board: Board, labels: Mapping[Move, str | None]) -> str:
    """Return a board with a short text without spaces on each point, two quotes if it has none."""
    return board_of(board, lambda cell: labels.get(cell) or '""')


def in_words(position: Position, best: Candidate, why: str) -> str:
    """Describe the best move's prospects for the player to move; `why` gives their source."""
    lead = f", score lead {best.lead:+.1f}" if position.game.counts_points else ""
    line = " ".join(map(position.name_of, best.line))
    return f"win rate {best.win_rate:.1%}{lead}, {why}: {line}"


def variation(own: Analysis) -> str:
    """Return the best line with its colours, `b D4 w pass`; empty if there is no choice."""
    position, line = own.position, own.candidates[0].line if own.candidates else ()
    players = (position.to_move, position.to_move.other)
    moves = zip(itertools.cycle(players), line, strict=False)
    return " ".join(f"{player.letter} {position.name_of(move)}" for player, move in moves)


class LiveBoard:
    """GoGui's board while a search runs; `shows` is one of `LIVE`."""

    def __init__(self, write: Callable[[str], None] | None) -> None:
        """Create a board that draws with `write`, straight to stderr; None if no GUI reads it."""
        self.shows = "none"
        self._write = write

    @property
    def available(self) -> bool:
        """Whether there is anything to draw on."""
        return self._write is not None

    def watching(self, stopped: threading.Event, report: Report | None) -> Report | None:
        """Return a report that draws the search and also calls `report`, if there is one."""
        draw = LIVE[self.shows]
        if self._write is None or draw is None:
            return report

        def show(analysis: Analysis) -> None:
            position = analysis.position
            own = analysis.seen_by(position.to_move)
            words = in_words(position, own.candidates[0], f"{own.visits} visits")
            drawn = draw(own, stopped)
            self._draw(owners_gfx(position), drawn, f"TEXT {words}")

        own = Report(show, _INTERVAL_SECONDS)
        return own if report is None else _combined(own, report)

    def clear(self, position: Position) -> None:
        """Draw only the owners: the search is over, and its graphics would mislead."""
        if LIVE[self.shows] is not None:
            self._draw("CLEAR", owners_gfx(position))

    def _draw(self, *graphics: str) -> None:
        if self._write is None:
            return
        try:
            self._write(f"gogui-gfx:\n{together(graphics)}\n\n")
        except OSError:  # stderr has no reader any more
            self._write = None


def _combined(*reports: Report) -> Report:
    """Return one report that calls each at its own interval."""
    due = [time.monotonic() + each.interval_seconds for each in reports]

    def call(analysis: Analysis) -> None:
        for index, each in enumerate(reports):
            if time.monotonic() >= due[index]:
                each.call(analysis)
                due[index] = time.monotonic() + each.interval_seconds

    return Report(call, min(each.interval_seconds for each in reports))


def _variation(own: Analysis, _stopped: threading.Event) -> str:
    return graphic("VAR", [variation(own)])


def _moves(own: Analysis, _stopped: threading.Event) -> str:
    """Draw squares as large as the moves' shares of visits, and win rates in percent."""
    position = own.position
    most = max(each.visits for each in own.candidates)
    sign = position.to_move.sign
    seen = [
        (position.name_of(each.move), each)
        for each in own.candidates
        if each.move != PASS and each.visits >= max(1, _LABELLED_SHARE * most)
    ]
    sizes = (f"{name} {sign * each.visits / most:.4f}" for name, each in seen)
    labels = (f"{name} {100 * each.win_rate:.0f}" for name, each in seen)
    return together((graphic("INFLUENCE", sizes), graphic("LABEL", labels)))


def _owners(own: Analysis, stopped: threading.Event) -> str:
    owners = with_owners(own, stopped).seen_by(Player.FIRST).owners or ()
    position = own.position
    points = bits(position.game.board.points) if owners else ()
    sizes = (f"{position.name_of(point)} {owners[point]:.4f}" for point in points)
    return graphic("INFLUENCE", sizes)


LIVE: Final = {"none": None, "variation": _variation, "moves": _moves, "owners": _owners}
"""The graphics for a running search, by the names that users choose from."""
