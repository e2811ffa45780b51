"""Gardar — Saïd Galdseid, 2024, on a hexagonal board.

Black (First) and White pass or place stones of their own colour; the board starts empty.
A player controls an enclosure by bounding it with strictly more stones; with equal numbers it is
shared. A stone is dead if it is next to an enclosure that the enemy controls, unless it is also
next to one that its own player controls or that is shared. After a placement all dead enemy stones
are removed, at once and without a second round; one's own stay until the opponent places.
Two passes in succession end the game. A player scores loop stones minus surplus stones, Second also
komi (an integer), and the player who passed first half a point, so there is no draw. Komi pie.

Ruling: an enclosure is a region none of whose points lies on the board's edge; the stones next to
it bound it. The edge of the board encloses nothing.
Ruling: a group with no empty point next to it is dead too.
Ruling: a placement may not recreate the board at the end of any of the player's own previous
turns; passing is never forbidden.
Ruling: the player who made the first pass of the game gets half a point.
The law here: docs/rules/gardar.md. The loops are in `loops.py`.
"""

from __future__ import annotations

import functools

import attrs

from linage_bot.rules.boards import Board, HexBoard, Point, Points
from linage_bot.rules.game import (
    PASS,
    Area,
    Game,
    IllegalityReason,
    Move,
    Player,
    Position,
    ScoredItem,
)
from linage_bot.rules.loops import perimeter_loops

Stones = tuple[Points, Points]  # First's and Second's


@attrs.frozen
class Gardar(Game):
    """Gardar with its board and komi; there are no options."""

    id = "gardar"
    name = "Gardar"
    author = "Saïd Galdseid"
    year = 2024
    board_kind = HexBoard
    default_size = "9"
    komi_step = 1
    pie = "komi"

    def start(self) -> GardarPosition:
        """Return the empty board; Black moves first."""
        return GardarPosition(game=self)

    def rules(self) -> tuple[str, ...]:
        """Return the rules in words, with this game's komi."""
        first, second = self.players
        return (
            f"{first} and {second} place stones of their own colour. The board starts empty, and"
            f" {first} begins. On your turn pass, or place a stone on an empty point.",
            "An *enclosure* is a set of connected empty points, none of them on the board's edge."
            " The player with more stones next to it *controls* it; with equal numbers it is"
            " *shared*.",
            "A stone is *dead* if it is next to an enclosure that the enemy controls, unless it is"
            " also next to one that is shared or that its own player controls. A *group* is a set"
            " of connected stones of one colour; it is dead, too, if no point next to it is empty.",
            "After your placement all your opponent's dead stones are taken off at once; your own"
            " dead stones stay until your opponent places a stone. A placement may not recreate"
            " the board as it was after any of your own earlier turns.",
            "Two passes in a row end the game. The player who made the first pass of the game gets"
            " half a point.",
            "A *hole* of a group is a part of the board that the group cuts off from the edge,"
            " with everything in it. A group with holes has a *loop*: the outermost ring of its"
            " stones around the holes, from which no stone can be taken without opening it.",
            "You score the number of stones in your loops, minus the number of all your other"
            " stones on the board."
            f" {self._komi_in_words()} The higher score wins.",
        )


@attrs.frozen(kw_only=True, repr=False)
class GardarPosition(Position):
    """A position of Gardar with the earlier boards, which may not recur."""

    game: Gardar
    passes: int = 0  # in succession, up to the last turn
    first_passer: Player | None = None
    boards: tuple[Stones, ...] = ()  # at the end of every turn so far

    @property
    def over(self) -> bool:
        """Whether two passes in succession have ended the game."""
        return self.passes == 2

    def why_impossible(self) -> IllegalityReason | None:
        """Return an error for more than two passes, or for passes without a first passer."""
        if self.passes > 2:
            return IllegalityReason("more than two passes in a row")
        if self.passes and self.first_passer is None:
            return IllegalityReason("the first player to pass is not known")
        return None

    def placements(self) -> Points:
        """Return the points where the player to move may place a stone."""
        return 0 if self.over else self.empty & ~self._repeating

    @functools.cached_property
    def _own_boards(self) -> tuple[Stones, ...]:
        """The boards at the ends of one's own previous turns."""
        return self.boards[len(self.boards) % 2 :: 2]  # the last turn was the opponent's

    @functools.cached_property
    def _repeating(self) -> Points:
        """The empty points on which a stone would recreate one of one's own boards.

        A placement adds one stone to one's own and may remove enemy stones. Few past boards
        differ from this one in that way; the placement is computed only for these.
        """
        own, enemy, player = self.own, self.enemy, self.to_move
        repeating = 0
        for board in set(self._own_boards):
            stone = board[player] ^ own
            added = stone & self.empty and stone & (stone - 1) == 0
            fewer = not board[player.other] & ~enemy
            if added and fewer and self._place(stone) == board:
                repeating |= stone
        return repeating

    def _place(self, stone: Points) -> Stones:
        """Return the board after a stone on an empty point."""
        own, enemy = self.own | stone, self.enemy
        # "Then remove all dead enemy stones, judged all at once on the position right after the
        # placement, with no second round."
        enemy &= ~dead(self.game.board, enemy, own)
        return (enemy, own) if self.to_move else (own, enemy)

    def forbids(self, point: Point) -> IllegalityReason | None:
        """Return the ban on recreating a board, with the stones the placement would remove."""
        stone = 1 << point
        if not self._repeating & stone:
            return None
        board = self._place(stone)
        turn = self._own_boards.index(board) + 1
        reason = f"this would recreate the board at the end of your turn {turn}"
        return IllegalityReason(reason, self.enemy & ~board[self.to_move.other])

    def after(self, move: Move) -> GardarPosition:
        """Return the position after a legal move."""
        passes, first_passer = 0, self.first_passer
        if move == PASS:
            board, passes = (self.first, self.second), self.passes + 1
            if first_passer is None:
                first_passer = self.to_move
        else:
            board = self._place(1 << move)
        return GardarPosition(
            game=self.game,
            to_move=self.to_move.other,
            first=board[0],
            second=board[1],
            passes=passes,
            first_passer=first_passer,
            boards=(*self.boards, board),
        )

    def scores(self) -> tuple[float, float]:
        """Return loop minus surplus stones, plus komi and half a point for the first passer."""
        scores = [0.0, self.game.komi]
        for player, stones in ((Player.FIRST, self.first), (Player.SECOND, self.second)):
            loops = perimeter_loops(self.game.board, stones)
            # "Loop stones: their number" for every group; groups share no stones.
            # "Surplus stones: stones on the board that are in no perimeter loop."
            scores[player] += loops.bit_count() - (stones & ~loops).bit_count()
        if self.first_passer is not None:
            scores[self.first_passer] += 0.5
        return scores[0], scores[1]

    def counted(self) -> tuple[ScoredItem, ...]:
        """Return the loop stones, the other stones, the first passer's half point, and komi."""
        found = []
        for player, stones in ((Player.FIRST, self.first), (Player.SECOND, self.second)):
            loops = perimeter_loops(self.game.board, stones)
            found += [
                ScoredItem("loop stones", player, loops.bit_count(), loops),
                ScoredItem("other stones", player, -(stones & ~loops).bit_count(), stones & ~loops),
            ]
        if self.first_passer is not None:
            found.append(ScoredItem("first pass", self.first_passer, 0.5))
        if self.game.komi:
            found.append(ScoredItem("komi", Player.SECOND, self.game.komi))
        return tuple(each for each in found if each.value)

    def ending(self) -> str:
        """Return a sentence on the end of the game, which is always by two passes."""
        return "Two passes in a row ended the game." if self.over else ""

    def areas(self) -> tuple[Area, ...]:
        """Return the enclosures; a shared one has no owner."""
        return enclosures(self.game.board, self.first, self.second)


def enclosures(board: Board, first: Points, second: Points) -> tuple[Area, ...]:
    """Return the enclosures with the players who control them."""
    empty = board.points & ~first & ~second
    inside = empty & ~board.flood(board.edge, empty)
    areas = []
    for region in board.components(inside):
        bounding = board.neighbours(region)
        margin = (bounding & first).bit_count() - (bounding & second).bit_count()
        owner = None if margin == 0 else Player.FIRST if margin > 0 else Player.SECOND
        areas.append(Area("enclosure", region, owner, shown="always"))
    return tuple(areas)


def dead(board: Board, stones: Points, enemy: Points) -> Points:
    """Return the subset of `stones` that is dead."""
    doomed = saved = 0
    for enclosure in enclosures(board, stones, enemy):  # as if `stones` were First's
        if enclosure.owner is Player.SECOND:
            doomed |= board.neighbours(enclosure.points)
        else:
            saved |= board.neighbours(enclosure.points)
    breathing = board.neighbours(board.points & ~stones & ~enemy)
    smothered = stones & ~board.flood(breathing, stones)
    return stones & (doomed & ~saved | smothered)
