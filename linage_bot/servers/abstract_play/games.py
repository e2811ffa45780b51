"""The bot's games and the work due in each: no sockets, no threads, no clock of its own.

There is one `Turn` per game. A webhook or the list of games makes it DUE; a choice makes it CHOSEN;
sending makes it SENT, or REFUSED, or leaves it CHOSEN for another try. A newer ply replaces
the state of an older one; the same ply again changes nothing; an older one is stale.

                 wanted              chosen               accepted
    WAITING ------------------> DUE ---------> CHOSEN ------------------> SENT
                                 ^               | finally refused         |
                                 |               v                         |
                                 +----------- REFUSED                      |
                                 still ours in the list: another word      |
                                               CHOSEN <--------------------+
                                                        still ours in the list: sent again

Webhooks may be lost, late or repeated, so only the site's list of current games decides
which games are over and which words are sent again. Times are passed in, in seconds since 1970.
"""

import logging
import math
from collections.abc import Collection, Sequence
from typing import Any, Final

import attrs

from linage_bot.servers.abstract_play.payloads import META_GAME, Challenge, CurrentGame, MoveWanted
from linage_bot.servers.abstract_play.position import RESIGN, BadGame, Phase, configure
from linage_bot.servers.abstract_play.settings import BotSettings, ChallengeSettings, SiteSettings
from linage_bot.servers.abstract_play.store import BotStore, Turn, TurnState

_log = logging.getLogger(__name__)

_IDLE: Final = (TurnState.WAITING, TurnState.OVER)
MOST_REFUSALS: Final = 5  # of one word, until the refusal is final


class Games:
    """The turns of all games, and the next work to do in them."""

    def __init__(self, settings: BotSettings, store: BotStore) -> None:
        self._settings = settings
        self._store = store
        for turn in store.turns.values():
            if turn.state is TurnState.CHOSEN:  # it may have been sent by the bot that was killed
                store.keep(attrs.evolve(turn, tries=max(1, turn.tries)))

    # ------------------------------------------------------------------- challenges

    def challenged(self, challenge: Challenge, now: float) -> str | None:
        """Accept a challenge, reserve a slot and return None; or return the reason to refuse it."""
        reason = why_refused(challenge, self._settings.challenges, self.under_way(now))
        who = ", ".join(map(repr, challenge.challengers)) or "somebody"
        if reason is not None:
            _log.info("challenge by %s refused: %s", who, reason)
            return reason
        _log.info("challenge by %s accepted: %s", who, " ".join(challenge.variants) or "default")
        slot_seconds = 3600 * self._settings.challenges.slot_hours
        self._store.reserve(challenge.variants, now + slot_seconds)
        return None

    def under_way(self, now: float) -> int:
        """Return the number of games that are under way or accepted."""
        live = sum(turn.state is not TurnState.OVER for turn in self._store.turns.values())
        return live + self._store.slots(now)

    # ------------------------------------------------------------------------ turns

    def wanted(self, wanted: MoveWanted, now: float) -> str | None:
        """Record a webhook's turn; return the reason if there is nothing to do. Raise `BadGame`."""
        turn = self._store.turns.get(wanted.game)
        to_move = wanted.position().seat_to_move
        seat = to_move if turn is None else turn.seat
        if seat != to_move:
            return f"ply {wanted.ply} is the opponent's"
        if turn is not None and turn.state is not TurnState.WAITING and wanted.ply <= turn.ply:
            return f"ply {wanted.ply} is already known"
        self._queue_turn(wanted, seat, turn is not None and turn.certain, now)
        return None

    def _queue_turn(self, wanted: MoveWanted, seat: int, certain: bool, now: float) -> None:
        if wanted.game not in self._store.turns:
            self._store.fill_slot(wanted.variants)
        hours, over = wanted.clock_hours, wanted.position().phase is Phase.OVER
        turn = Turn(
            **attrs.asdict(wanted, recurse=False),
            seat=seat,
            certain=certain,
            deadline=None if hours is None else now + 3600 * hours,
            state=TurnState.OVER if over else TurnState.DUE,
            moment=now,
        )
        self._store.keep(turn)

    def listed(self, games: Sequence[CurrentGame], asked: float, now: float) -> list[CurrentGame]:
        """Update which games are in progress; return those whose position has to be fetched.

        `asked` is when the list was requested: a turn that changed since is newer than the list.
        """
        us = self._settings.site.client_id
        ours = {game.game: game for game in games if us in game.players}
        for turn in list(self._store.turns.values()):
            if turn.game not in ours and turn.moment < asked and turn.state is not TurnState.OVER:
                _log.info("game %s is over", turn.game)
                self._change(turn, now, state=TurnState.OVER)
        self._store.forget(now)
        return [game for game in ours.values() if self._is_missed(game, asked, now)]

    def _is_missed(self, game: CurrentGame, asked: float, now: float) -> bool:
        us = self._settings.site.client_id
        seats = [seat for seat, player in enumerate(game.players, 1) if player == us]
        turn = self._store.turns.get(game.game)
        if turn is None:
            self._store.fill_slot(game.variants)
        if turn is None or (not turn.certain and turn.seat not in seats):  # a webhook misled us
            turn = Turn(
                game=game.game,
                variants=game.variants,
                words=(),
                seat=seats[0],
                certain=True,
                moment=now if turn is None else turn.moment,
            )
            self._store.keep(turn)
        if game.to_move not in seats:
            return False
        fresh = turn.moment >= asked and turn.state is not TurnState.WAITING
        return not fresh and turn.state not in (TurnState.DUE, TurnState.CHOSEN)

    def fetched(
        self, game: CurrentGame, wanted: MoveWanted, asked: float, now: float
    ) -> str | None:
        """Record a listed game's fetched position; return the reason if there is nothing to do.

        Raise `BadGame`.
        """
        seat = wanted.position().seat_to_move
        turn = self._store.turns.get(game.game)
        if seat > len(game.players) or game.players[seat - 1] != self._settings.site.client_id:
            return "it is no longer our turn"
        if turn is not None and turn.state is not TurnState.WAITING and turn.moment >= asked:
            return "it has changed since the search began"
        if turn is None or turn.state in _IDLE or wanted.ply > turn.ply:
            known = attrs.evolve(wanted, game=game.game, clock_hours=game.hours[seat - 1])
            self._queue_turn(known, seat, True, now)
            return None
        if wanted.ply < turn.ply:
            return "this is an older position"
        if turn.state is TurnState.SENT:
            _log.warning("game %s: %s did not arrive; sending it again", turn.game, turn.word)
            self._change(turn, now, state=TurnState.CHOSEN, try_at=now)
        elif turn.state is TurnState.REFUSED:
            banned = (*turn.banned, turn.word) if turn.word else turn.banned
            self._change(turn, now, state=TurnState.DUE, banned=banned, refusals=0)
        return None

    # --------------------------------------------------------------------- thinking

    def due(self) -> list[Turn]:
        """Return the turns for which words are to be chosen, the most urgent first."""
        turns = self._store.turns.values()
        return sorted((turn for turn in turns if turn.state is TurnState.DUE), key=_urgency)

    def due_turn(self, game: str) -> Turn | None:
        """Return the turn of a game for which a word is to be chosen; None if there is none."""
        turn = self._store.turns.get(game)
        return turn if turn is not None and turn.state is TurnState.DUE else None

    def is_due(self, turn: Turn) -> bool:
        """Return whether a turn is still the current one of its game."""
        return self._store.turns.get(turn.game) == turn

    def chosen(self, turn: Turn, word: str, now: float) -> None:
        """Store the word chosen for a turn, unless the game has moved on."""
        self._change(turn, now, state=TurnState.CHOSEN, word=word, try_at=now)

    def seconds_for(self, turn: Turn, now: float) -> float:
        """Return the most seconds that one move may take; infinite if no clock is known."""
        if turn.deadline is None:
            return math.inf
        return max(0.0, (turn.deadline - now) * self._settings.play.clock_share)

    # ---------------------------------------------------------------------- sending

    def to_send(self, but: Collection[str], now: float) -> list[Turn]:
        """Return the turns whose words are to be sent now, in games that are not in `but`."""
        chosen = (turn for turn in self._store.turns.values() if turn.state is TurnState.CHOSEN)
        due = (turn for turn in chosen if turn.try_at <= now and turn.game not in but)
        return sorted(due, key=_urgency)

    def looked_up(self, turn: Turn, wanted: MoveWanted, now: float) -> bool:
        """Return whether a word that may have arrived must be sent again, given the fetched game.

        If the game has a later ply, record its turn or that the word was taken. Raise `BadGame`.
        """
        if not self.is_due(turn):
            return False
        if wanted.ply <= turn.ply:
            return True
        _log.info("game %s: %s had already been accepted", turn.game, turn.word)
        position = wanted.position()
        if position.phase is Phase.OVER or position.seat_to_move == turn.seat:
            known = attrs.evolve(wanted, game=turn.game, variants=turn.variants)
            self._queue_turn(known, turn.seat, turn.certain, now)
            self._store.keep(attrs.evolve(self._store.turns[turn.game], deadline=turn.deadline))
        else:
            self.accepted(turn, now)
        return False

    def accepted(self, turn: Turn, now: float) -> None:
        """Record that the site has taken the word."""
        state = TurnState.OVER if turn.word == RESIGN else TurnState.SENT
        self._change(turn, now, state=state, tries=0, refusals=0)

    def not_sent(self, turn: Turn, now: float, refusals: int = 0) -> float:
        """Schedule another try to send the word; return the seconds until then."""
        delay = retry_seconds(self._settings.site, turn.tries)
        refusals += turn.refusals
        self._change(turn, now, tries=turn.tries + 1, refusals=refusals, try_at=now + delay)
        return delay

    def failed(self, turn: Turn, now: float) -> float:
        """Record an unexpected failure of sending; return the seconds until the next try.

        The record is only in memory, for it may be the disk that failed; after a restart the game
        is looked up anyway.
        """
        delay = retry_seconds(self._settings.site, turn.tries)
        if self.is_due(turn):
            later = attrs.evolve(turn, moment=now, tries=turn.tries + 1, try_at=now + delay)
            self._store.turns[turn.game] = later
        return delay

    def refused(self, turn: Turn, for_good: bool, now: float) -> None:
        """Record that the site refused the word; retry a few times, unless `for_good`."""
        if for_good or turn.refusals + 1 >= MOST_REFUSALS:
            self._change(turn, now, state=TurnState.REFUSED, tries=0)
        else:
            self.not_sent(turn, now, refusals=1)

    def _change(self, turn: Turn, now: float, **changes: Any) -> None:
        """Store the changes of a turn, unless the game has moved on."""
        if self.is_due(turn):
            self._store.keep(attrs.evolve(turn, moment=now, **changes))


def why_refused(challenge: Challenge, settings: ChallengeSettings, games: int) -> str | None:
    """Return the reason to refuse a challenge while we play `games`; None to accept it."""
    if challenge.game != META_GAME:
        return f"this bot does not play {challenge.game[:40]!r}, only {META_GAME}"
    try:
        game = configure(challenge.variants)
    except BadGame as error:
        return str(error)
    start, increment = challenge.clock_start_hours, challenge.clock_increment_hours
    most, longest = challenge.clock_most_hours, settings.most_hours
    players = set(challenge.challengers)
    blocked = players & set(settings.blocked)
    strangers = players - set(settings.players or players)
    reasons = {
        f"size {game.board} is not played": game.board.columns not in settings.sizes,
        f"lines of {game.line} are not played": game.line not in settings.lines,
        f"a clock of {start:g} h is too short": start < settings.start_hours,
        f"an increment of {increment:g} h is too short": increment < settings.increment_hours,
        f"a clock of up to {most:g} h is too long": longest is not None and most > longest,
        f"blocked: {', '.join(map(repr, blocked))}": blocked,
        f"not in the setting `players`: {', '.join(map(repr, strangers))}": strangers,
        "the challenge names no challenger": settings.players and not players,
        f"{games} games are in progress, the limit of the setting `games`": games >= settings.games,
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def retry_seconds(site: SiteSettings, tries: int) -> float:
    """Return the seconds to wait before the next try after `tries` failed ones."""
    return min(site.retry_most_seconds, site.retry_seconds * 2.0 ** min(tries, 40))


def _urgency(turn: Turn) -> tuple[float, str]:
    return (math.inf if turn.deadline is None else turn.deadline, turn.game)
