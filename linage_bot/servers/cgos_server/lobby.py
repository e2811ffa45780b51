"""The lobby: the players online and the live games; it begins games, takes moves and ends games.

Each event is written to the store and posted to the outbox in one step; the outbox brings the
first to the disk before it sends the second.
"""

import enum
import logging
from collections.abc import Sequence

import attrs

from linage_bot.arena.referee import Ending
from linage_bot.servers.cgos_server.environment import Environment
from linage_bot.servers.cgos_server.game import RefereedGame
from linage_bot.servers.cgos_server.outbox import Outbox, Peer
from linage_bot.servers.cgos_server.pairing import Waiting, pair
from linage_bot.servers.cgos_server.pairing_history import PairingHistory
from linage_bot.servers.cgos_server.ratings import Ratings
from linage_bot.servers.cgos_server.settings import CgosServerSettings
from linage_bot.servers.cgos_server.sgf import SgfFolder
from linage_bot.servers.cgos_server.store import ABORTED, GameRow, MoveRow, ServerStore
from linage_bot.servers.cgos_server.viewers import Viewers
from protocol.cgos.player import MoveAnswer
from protocol.cgos.server import GameOver, Info
from protocol.cgos.words import Message

_log = logging.getLogger(__name__)


class PlayerStatus(enum.Enum):
    """The activity of an online player."""

    WAITING = "waiting"  # for an opponent
    PLAYING = "playing"
    GAME_OVER = "gameover"  # and has not said `ready`
    REPLACED = "replaced"  # by another login


@attrs.define(eq=False)
class OnlinePlayer:
    """An online player, and its connection."""

    name: str
    peer: Peer
    since: float  # seconds; when it began to wait
    state: PlayerStatus = PlayerStatus.WAITING


class Lobby:
    """All online players and live games."""

    def __init__(
        self,
        settings: CgosServerSettings,
        store: ServerStore,
        environment: Environment,
        sgf: SgfFolder | None,
    ) -> None:
        """Create the lobby, and resume the games that the last run left."""
        self.settings = settings
        self.store = store
        self.environment = environment
        self.game = settings.game.configure()
        self.outbox = Outbox(store, environment)
        self.pairing_history = PairingHistory(store)
        self.ratings = Ratings(settings.ratings, store, self.pairing_history, environment)
        self.players: dict[str, OnlinePlayer] = {}
        self.live_games: dict[int, RefereedGame] = {}
        self.viewers = Viewers(self.game, store, self.outbox)
        self.game_of: dict[str, RefereedGame] = {}  # by its players
        self._sgf = sgf
        self._number = store.last_number()
        # After a restart the clocks of absent players run from then on.
        self._return_deadline = environment.now() + settings.clock.restart_seconds
        for row in store.live_games():
            live = self._register(row, store.moves(row.number), self._return_deadline)
            _log.info("game %d continues: %s", row.number, " – ".join(live.names))

    def _register(self, row: GameRow, moves: list[MoveRow], turn_began: float) -> RefereedGame:
        """Register a live game of two players after some moves."""
        forgiven_ms = self.settings.clock.forgiven_ms
        live = RefereedGame(self.game, row, moves, forgiven_ms, turn_began)
        self.live_games[row.number] = live
        for name in live.names:
            self.game_of[name] = live
        return live

    # ------------------------------------------------------------------ coming, going

    def enter(self, name: str, peer: Peer) -> OnlinePlayer:
        """Add a player after the login; close any other connection of the same player."""
        old = self.players.pop(name, None)
        if old is not None:
            old.state = PlayerStatus.REPLACED
            self.outbox.post(old.peer, Info("another login takes over"))
            self.outbox.close(old.peer)
        now = self.environment.now()
        player = self.players[name] = OnlinePlayer(name, peer, now)
        live = self.game_of.get(name)
        if live is not None:
            player.state = PlayerStatus.PLAYING
            self.outbox.post(peer, live.setup())
            if live.mover == name:
                live.turn_began = min(live.turn_began, now)  # after a restart it may be later
                self.outbox.post(peer, live.genmove(now))
        return player

    def leave(self, player: OnlinePlayer) -> None:
        """Remove a player whose connection is gone; its game, if any, continues."""
        if self.players.get(player.name) is player:
            del self.players[player.name]

    def inform(self, text: str) -> None:
        """Send a message to all players and viewers."""
        for player in self.players.values():
            self.outbox.post(player.peer, Info(text))
        self.viewers.inform(text)

    # -------------------------------------------------------------------------- games

    def pair(self) -> None:
        """Begin games between waiting players, unless only the administrator may."""
        if not self.settings.pairing.automatic:
            return
        pairing_history, ratings = self.pairing_history, self.ratings
        waiting = [
            Waiting(
                name=name,
                rating=ratings.of(name),
                since=player.since,
                recent=tuple(pairing_history.recent[name]),
                games=pairing_history.totals[name].games,
                surplus=pairing_history.surplus[name],
                anchor=ratings.anchored(name),
            )
            for name, player in self.players.items()
            if player.state is PlayerStatus.WAITING
        ]
        now, patience = self.environment.now(), self.settings.pairing.patience_seconds
        for first, second in pair(waiting, pairing_history.games, now, patience):
            self.begin(first, second)

    def begin(
        self,
        first: str,
        second: str,
        clocks_ms: tuple[int, int] | None = None,
        moves: Sequence[MoveRow] = (),
    ) -> RefereedGame:
        """Begin a game between two waiting players, from the position after some moves."""
        now, level_ms = self.environment.now(), self.settings.clock.level_ms
        self._number += 1
        clocks_ms = clocks_ms or (level_ms, level_ms)
        moves = [MoveRow(move.move, clocks_ms[ply % 2]) for ply, move in enumerate(moves)]
        row = GameRow(
            number=self._number,
            first=first,
            second=second,
            first_rating=self.ratings.word(first),
            second_rating=self.ratings.word(second),
            level_ms=level_ms,
            first_ms=clocks_ms[0],
            second_ms=clocks_ms[1],
            began=self.environment.today(),
        )
        live = self._register(row, moves, now)
        self.store.keep_game(row)
        for ply, move in enumerate(moves):
            self.store.add_move(row.number, ply, move)
        self.pairing_history.began(first, second)
        for name in live.names:
            self.players[name].state = PlayerStatus.PLAYING
            self._post(name, live.setup())
        self.viewers.began(live)
        self._post(live.mover, live.genmove(now))
        return live

    def answer(self, player: OnlinePlayer, answer: MoveAnswer) -> bool:
        """Handle a player's move; return False if none was requested."""
        live = self.game_of.get(player.name)
        if live is None or live.mover != player.name or player.state is not PlayerStatus.PLAYING:
            return False
        now = self.environment.now()
        played = len(live.moves)
        ending = live.judge(answer.move, answer.analysis, now)
        self.outbox.count_move()
        if len(live.moves) > played:
            self.store.add_move(live.row.number, played, live.moves[-1])
            opponent = live.names[live.names[0] == player.name]
            self._post(opponent, live.last_play())
            self.viewers.moved(live)
        if ending is not None:
            self._end(live, ending)
        else:
            if live.mover not in self.players:
                live.turn_began = max(now, self._return_deadline)
            self._post(live.mover, live.genmove(now))
        return True

    def ready(self, player: OnlinePlayer) -> bool:
        """Let a player wait for another game; return False if its last one is not over."""
        if player.state is not PlayerStatus.GAME_OVER:
            return False
        player.state, player.since = PlayerStatus.WAITING, self.environment.now()
        return True

    def look_at_clocks(self) -> None:
        """End the games whose player to move has run out of time, online or not."""
        now = self.environment.now()
        for live in list(self.live_games.values()):
            ending = live.time_loss(now)
            if ending is not None:
                self._end(live, ending)

    def abort(self, live: RefereedGame, result: str) -> None:
        """End a game that shall not count."""
        self._end(live, Ending(None, result, ABORTED, "aborted by the administrator"))

    def _end(self, live: RefereedGame, ending: Ending) -> None:
        moment = self.environment.today()
        live.ended(ending, moment)
        row = live.row
        self.store.keep_game(row)
        del self.live_games[row.number]
        message = GameOver(moment[:10], row.result or "", ending.reason)
        for name in live.names:
            del self.game_of[name]
            if name in self.players:
                self.players[name].state = PlayerStatus.GAME_OVER
                self._post(name, message)
        self.viewers.ended(live)
        self.outbox.wake()
        words = f"{row.result} {ending.reason}".rstrip()
        _log.info("game %d: %s – %s %s", row.number, *live.names, words)
        if ending.how != ABORTED:
            self.pairing_history.ended(row)
            self.ratings.ask()
        if self._sgf is not None:
            self._sgf.keep(row, live.moves)

    def _post(self, name: str, message: Message) -> None:
        if name in self.players:
            self.outbox.post(self.players[name].peer, message)
