"""The choice of a word to send: the komi, the side, the button, a stone, a pass, or to resign.

- Komi: the even one, rounded to a whole number: from the table of solved boards and of self-play,
  or by search (`engine.pie`). Whichever side the opponent takes is then about even.
- Pie: one search of the empty board with the komi offered. Seat 2 places first if First's best
  stone wins at least half the time, and takes the komi otherwise.
- Button: in our rules it is the first pass, so the search treats it like any move.
- A pass after a pass ends the game, on the site even while the button is there; the bot passes
  then if that wins.
- The site ends the game with the last free region, even while the button is there; our rules would
  give the button to the next player. Points are whole, so that only makes a draw look lost.
  Such a draw is taken where the search expects less.
"""

import random
import threading
from collections.abc import Iterator
from typing import Final

import attrs

from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.pie.offer import FairPie
from linage_bot.rules.boards import bits
from linage_bot.rules.game import Move
from linage_bot.rules.history import History
from linage_bot.rules.linage import LinagePosition
from linage_bot.servers.abstract_play.position import (
    PASS_WORD,
    PLAY_SECOND,
    RESIGN,
    Phase,
    SitePosition,
)

_FEW_POINTS: Final = 30  # free ones, when a stone may end the game


@attrs.frozen
class ChosenMove:
    """A word to send, with a short reason for the log."""

    word: str
    reason: str


@attrs.frozen
class BotMoveChooser:
    """A chooser of words; if `stopped` is set early, it chooses any legal word.

    `banned` are words that the site has refused here; they are avoided while there are others.
    """

    engine: Engine
    limits: Limits
    stopped: threading.Event
    banned: frozenset[str] = frozenset()

    def choose(self, site: SitePosition) -> ChosenMove:
        """Return the word to send in a game that is not over."""
        if site.phase is Phase.KOMI:
            return self._offer(site)
        return self._side(site) if site.phase is Phase.PIE else self._turn(site)

    def _offer(self, site: SitePosition) -> ChosenMove:
        """Return the komi that makes the sides even."""
        pie = FairPie(site.position.game, self.engine.settings, self.limits, self.stopped)
        komi = pie.even_komi(whole=True)
        return ChosenMove(str(round(komi)), "the most even komi")

    def _side(self, site: SitePosition) -> ChosenMove:
        """Choose to place the first stone, or to leave that to the opponent and take the komi."""
        accepting = site.accepting()
        points = bits(accepting.position.placements())
        stones = tuple(point for point in points if accepting.cell(point) not in self.banned)
        if not stones:
            return ChosenMove(PLAY_SECOND, "there is no stone to place")
        position = accepting.position
        found = self.engine.analyse(History.at(position), self.limits, self.stopped, moves=stones)
        if not found.candidates:
            return ChosenMove(PLAY_SECOND, "no time to search")
        best = found.seen_by(position.to_move).candidates[0]
        rate = f"{best.win_rate:.0%} for the player who places first with komi {site.offer}"
        if best.win_rate >= 0.5 or PLAY_SECOND in self.banned:
            return ChosenMove(accepting.cell(best.move), rate)
        return ChosenMove(PLAY_SECOND, rate)

    def _turn(self, site: SitePosition) -> ChosenMove:
        """Choose a stone, the button, a pass, or to resign."""
        position, me = site.search_position, site.position.to_move
        if site.position.passes and PASS_WORD not in self.banned and position.result().winner is me:
            return ChosenMove(PASS_WORD, "passing wins at once")
        moves = tuple(move for move in position.moves() if site.word(move) not in self.banned)
        if not moves:
            return ChosenMove(RESIGN, "the site has refused all moves")
        if position.why_impossible() is not None:  # only a sloppy history gets here
            return ChosenMove(site.word(random.choice(moves)), "the position breaks the rules")
        decision = self.engine.play(History.at(position), self.limits, self.stopped, moves=moves)
        own = decision.analysis.seen_by(me)
        draw = next((move for move in _drawing_moves(site) if move in moves), None)
        if draw is not None and own.candidates and own.candidates[0].win_rate < 0.5:
            return ChosenMove(site.cell(draw), "ends the game as a draw")
        if decision.move is None:
            return ChosenMove(RESIGN, f"win rate {own.candidates[0].win_rate:.1%}")
        word = site.word(decision.move)
        if not own.candidates:
            return ChosenMove(word, "the only move" if len(moves) == 1 else "no time to search")
        best = own.candidates[0]
        return ChosenMove(
            word, f"win rate {best.win_rate:.1%}, {best.lead:+.1f}, {own.visits} visits"
        )


def _drawing_moves(site: SitePosition) -> Iterator[Move]:
    """Yield the placements that end the game on the site as a draw with the button untaken."""
    position = site.position
    if site.button_left and position.regions.free.bit_count() <= _FEW_POINTS:
        for point in bits(position.placements()):
            after: LinagePosition = position.after(point)
            if not after.regions.free and after.result().winner is None:
                yield point
