"""The words that the site accepts from a player, as its pages describe them."""

import random
import re

import attrs

from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS, IllegalMove, Move
from linage_bot.servers.abstract_play.position import (
    PASS_WORD,
    PLAY_SECOND,
    RESIGN,
    TAKE_BUTTON,
    Phase,
    SitePosition,
    replay,
)

BOT, HUMAN = "bot-7", "human-3"


def words(site: SitePosition) -> tuple[str, ...]:
    """Return the legal words but `resign` for the player to move, cells row by row from a1.

    Return no words when the game is over, or while any integer may be offered as a komi.
    """
    if site.phase in (Phase.KOMI, Phase.OVER):
        return ()
    of = site.accepting() if site.phase is Phase.PIE else site
    cells = (of.cell(point) for point in bits(site.position.placements()))
    ordered = sorted(cells, key=lambda cell: (int(cell[1:]), cell[0]))
    if site.phase is Phase.PIE:
        return (*ordered, PLAY_SECOND)
    return (*ordered, PASS_WORD, *((TAKE_BUTTON,) if site.button_left else ()))


def may_send(site: SitePosition, word: str) -> bool:
    """Whether the site's rules allow a word now."""
    if site.phase is Phase.KOMI:
        return re.fullmatch("[+-]?[0-9]{1,9}", word) is not None
    return word in words(site) or (word == RESIGN and site.phase is not Phase.OVER)


def move(site: SitePosition, word: str) -> Move:
    """Return the move of `search_position` for a legal word of the phase of play.

    Raise `IllegalMove` for any other word, and for `pass` while the button is left, which is a move
    by the site's rules only.
    """
    if word not in words(site):
        raise IllegalMove(word, "not offered here")
    if word in (TAKE_BUTTON, PASS_WORD):
        if site.word(PASS) != word:
            raise IllegalMove(word, "our rules have no pass beside the button")
        return PASS
    point = site.point(word)
    assert point is not None
    return point


@attrs.define
class Game:
    """A game of the bot against a player who moves at random and passes late only."""

    id: str
    variants: list[str]
    bot_seat: int
    human_pie: str = PLAY_SECOND  # or "cell"
    human_komi: str = "3"
    words: list[str] = attrs.Factory(list)

    @property
    def position(self) -> SitePosition:
        return replay(self.variants, self.words)

    @property
    def over(self) -> bool:
        return self.position.phase is Phase.OVER

    @property
    def bots_turn(self) -> bool:
        position = self.position
        return position.phase is not Phase.OVER and position.seat_to_move == self.bot_seat

    def human_word(self, chance: random.Random) -> str:
        position = self.position
        if position.phase is Phase.KOMI:
            return self.human_komi
        cells = [word for word in words(position) if word[-1].isdigit()]
        if position.phase is Phase.PIE and self.human_pie == PLAY_SECOND:
            return PLAY_SECOND
        early = 3 * len(self.words) < position.position.game.board.count  # a pass can end the game
        if not early and chance.random() < 0.1 and position.phase is Phase.PLAY:
            cells = [word for word in words(position) if not word[-1].isdigit()]
        return chance.choice(cells)
