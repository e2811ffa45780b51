"""The state of one GTP session: a game, its moves so far, the clocks and the player.

Every change is complete or has no effect: all steps that can fail run before any state changes.
"""

import math
import threading
import time
from collections.abc import Callable, Sequence

import attrs

from linage_bot.engine.analysis import Analysis, Report
from linage_bot.engine.clocks import Clock, TimeSystem
from linage_bot.engine.decision import Decision
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.rollouts import limits_of_clock
from linage_bot.gtp.analyst import UserAnalyst, is_certain, reason_for
from linage_bot.gtp.graphics import LiveBoard
from linage_bot.records.record import Record
from linage_bot.rules.boards import BadSize, Board, NoSuchPoint, Point
from linage_bot.rules.game import PASS, Game, IllegalMove, Move, Player, Position
from linage_bot.rules.history import History, ImpossibleSetup
from linage_bot.rules.options import BadOption
from linage_bot.settings.playing import FULL_STRENGTH, PlaySettings
from linage_bot.settings.remote_clients import most_seconds
from protocol.gtp.commands import CommandTable
from protocol.session.arguments import Colour, parse_colour, parse_vertex
from protocol.session.errors import CommandFailed

PLAYERS = {Colour.BLACK: Player.FIRST, Colour.WHITE: Player.SECOND}


class GtpEngine:
    """One session's game and player; the commands call its methods."""

    def __init__(
        self,
        game: Game,
        settings: PlaySettings,
        *,
        local: bool = True,
        draw: Callable[[str], None] | None = None,
    ) -> None:
        """Create a session. Clients that are not `local` may not name files or exceed `settings`.

        `draw` writes text to the stderr that a GUI reads, if there is one.
        """
        self.player = Engine(settings)
        self._analyst = UserAnalyst()  # where the player is weak
        self.bounds = None if local else settings
        self.live = LiveBoard(draw)
        self.time_system: TimeSystem | None = None
        self.clocks: dict[Player, Clock] = {}
        self.decided: Decision | None = None
        # By the number of the chosen move; None if the analyst has yet to find the reason.
        self.reasons: dict[int, str | None] = {}
        self.opponent = ""  # if a game server sends it
        self._begin(Record(game))

    # The game

    @property
    def game(self) -> Game:
        """The game with its board, komi and options."""
        return self.record.game

    @property
    def board(self) -> Board:
        """The board of the game."""
        return self.record.game.board

    @property
    def position(self) -> Position:
        """The current position."""
        return self.history.position

    def check_empty(self, why: str) -> None:
        """Raise `CommandFailed` with `why` if anything was placed or played."""
        if self.record.moves or self.record.setup:
            raise CommandFailed(f"board not empty: {why}")

    def _begin(self, record: Record, passes_after_end: int = 0) -> None:
        """Use a record as the game; raises `BadRecord`, and then changes nothing."""
        self.history = record.history()
        self.record = record
        self._passes_after_end = passes_after_end
        self._legal: tuple[Position, tuple[Move, ...]] | None = None

    def load(self, record: Record) -> None:
        """Continue from a record; raises `BadRecord`."""
        self._begin(record)
        self.reasons = {}
        self._start_clocks()

    def new_game(self, game: Game) -> None:
        """Begin a game on an empty board."""
        self.load(Record(game))
        self.player.new_game()
        self._analyst.forget()
        self.decided = None

    def resize(self, columns: int, rows: int) -> None:
        """Begin a new game on the board with this GTP array; raises `CommandFailed`."""
        try:
            board = self.game.board_kind.of_array(columns, rows)
            game = attrs.evolve(self.game, board=board)
        except (BadSize, BadOption) as error:
            raise CommandFailed(f"unacceptable size: {error}") from None
        self.new_game(game)

    def set_komi(self, komi: float) -> None:
        """Change komi, in the middle of a game too; games without komi ignore it.

        Raises `CommandFailed` for more than any game could need.
        """
        try:
            game = self.game.with_komi(komi)
        except BadOption as error:
            raise CommandFailed(f"syntax error: {error}") from None
        if game != self.game:
            record = attrs.evolve(self.record, game=game, result=None)
            self._begin(record, self._passes_after_end)

    def set_up(self, stones: Sequence[tuple[Player, Point]], to_move: Player) -> None:
        """Put stones on the board before the first move; raises `CommandFailed`."""
        points = {point for _, point in stones}
        if PASS in points:
            raise CommandFailed("invalid color or coordinate: a pass cannot be set up as a stone")
        if len(points) < len(stones):
            raise CommandFailed("syntax error: two stones on one point")
        try:
            History(self.game, setup=stones, begins=to_move)
        except ImpossibleSetup as error:
            raise CommandFailed(f"invalid position: {error.reason}") from None
        self.load(Record(self.game, setup=stones, to_move=to_move))

    # Moves

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the legal moves, computed once a position (GUIs request them several times)."""
        if self._legal is None or self._legal[0] is not self.position:
            self._legal = (self.position, self.position.moves())
        return self._legal[1]

    def move(self, word: str) -> Move:
        """Return the move that a vertex or `pass` names; raises `CommandFailed`."""
        vertex = parse_vertex(word)
        try:
            return self.game.move(vertex)
        except NoSuchPoint as error:
            raise CommandFailed(f"invalid color or coordinate: {error}") from None

    def pairs(self, words: tuple[str, ...]) -> list[tuple[Player, Move]]:
        """Parse pairs of COLOR VERTEX; raises `CommandFailed`."""
        if len(words) % 2:
            raise CommandFailed("syntax error: expected pairs of COLOR VERTEX")
        pairs = zip(words[::2], words[1::2], strict=True)
        return [(PLAYERS[parse_colour(colour)], self.move(vertex)) for colour, vertex in pairs]

    def check_turn(self, player: Player) -> None:
        """Raise `CommandFailed` if it is the other player's turn in a game not over."""
        if not self.position.over and player is not self.position.to_move:
            raise CommandFailed(f"illegal move: it is {self.position.to_move.colour}'s turn")

    def play(self, player: Player, move: Move) -> None:
        """Play a move; at the end of the game a pass is accepted from either player.

        Raises `CommandFailed`.
        """
        if self.position.over and move == PASS:
            self._passes_after_end += 1
            return
        self.check_turn(player)
        try:
            history = self.history.play(move)
        except IllegalMove as error:
            raise CommandFailed(f"illegal move: {error}") from None
        decision = self._latest()
        chosen = decision is not None and decision.move == move
        self.history = history
        self.record = attrs.evolve(self.record, moves=history.moves, result=None)
        if decision is not None and chosen:
            unknown = self.weak and not is_certain(decision)
            self.reasons[len(self.record.moves)] = None if unknown else reason_for(decision)

    def play_all(self, moves: list[tuple[Player, Move]]) -> None:
        """Play several moves, or none of them if one is illegal."""
        record, history, reasons = self.record, self.history, dict(self.reasons)
        late = self._passes_after_end
        try:
            for player, move in moves:
                self.play(player, move)
        except CommandFailed:
            self.record, self.history, self._passes_after_end = record, history, late
            self.reasons = reasons
            raise

    def undo(self, count: int) -> None:
        """Take back moves; raises `CommandFailed` if there are fewer."""
        if count > len(self.record.moves) + self._passes_after_end:
            raise CommandFailed("cannot undo: fewer moves were played")
        late = min(count, self._passes_after_end)
        self._passes_after_end -= late
        count -= late
        if count:
            self.history = self.history.back(count)
            self.record = self.record.until(len(self.history.moves))
            left = len(self.record.moves)
            self.reasons = {at: reason for at, reason in self.reasons.items() if at <= left}

    # Thinking

    @property
    def weak(self) -> bool:
        """Whether the player's level is below full strength."""
        return self.player.settings.level < FULL_STRENGTH

    @property
    def analyst(self) -> Engine:
        """The engine for the user's analysis, at full strength for any level of the player.

        It is the player itself if that has full strength: then both share their results.
        """
        return self._analyst.engine(self.player.settings) if self.weak else self.player

    def configure(self, settings: PlaySettings) -> None:
        """Change the settings for all later moves and analyses."""
        self.player.configure(settings)
        self._analyst.forget()

    def forget(self) -> None:
        """Delete the search trees, so that the next search begins with an empty one."""
        self.player.forget()
        self._analyst.forget()

    def clear(self) -> None:
        """Delete all search results, including the reasons for moves."""
        self.forget()
        self.decided, self.reasons = None, {}

    def close(self) -> None:
        """Stop searching and release everything."""
        self.player.close()
        self._analyst.forget()

    def set_time_system(self, system: TimeSystem | None) -> None:
        """Give both players full clocks; None for no clocks."""
        self.time_system = system
        self._start_clocks()
        if system is not None and not system.unlimited:
            self.player.prepare(self.game)

    def _start_clocks(self) -> None:
        system = self.time_system
        self.clocks = {player: Clock.full(system) for player in Player} if system else {}

    @property
    def _clock(self) -> Clock | None:
        """The clock that runs for the player to move."""
        clock = self.clocks.get(self.position.to_move)
        return None if clock is None or clock.system.unlimited else clock

    @property
    def bounded_by_visits(self) -> bool:
        """Whether the search for the next move ends by its visits, without a clock."""
        return self._clock is None and Limits.of(self.player.settings).bounded_by_visits

    @property
    def examining_bounded_by_visits(self) -> bool:
        """Whether a search by `examine` ends by its visits, without a clock."""
        return self._clock is None and Limits.of(self.analyst.settings).bounded_by_visits

    @property
    def most_seconds(self) -> float:
        """The limit in seconds for one move, on any clock, and for one proof."""
        return math.inf if self.bounds is None else most_seconds(self.bounds)

    def limits(self, settings: PlaySettings | None = None) -> Limits:
        """Return the limits for the next move, from the settings and the clock if there is one.

        The settings are by default the player's. Call this where the search runs, because
        estimating the length of the game takes a moment.
        """
        settings, clock = settings or self.player.settings, self._clock
        if clock is None:
            return attrs.evolve(Limits.of(settings), ceiling_seconds=self.most_seconds)
        most = self.most_seconds
        if settings.seconds is not None:
            most = min(most, settings.seconds)
        return limits_of_clock(clock, self.history, Limits.of(settings).visits, most)

    def choose(
        self,
        stopped: threading.Event,
        moves: tuple[Move, ...] | None = None,
        report: Report | None = None,
        *,
        limits: Limits | None = None,
        may_resign: bool = True,
    ) -> Decision:
        """Choose a move for the player to move, by default within `limits()`; keep the decision."""
        decision = self.player.play(
            self.history,
            limits or self.limits(),
            stopped,
            may_resign=may_resign,
            moves=moves,
            report=self.live.watching(stopped, report),
        )
        self.live.clear(self.position)
        self.decided = decision
        return decision

    def analyze(
        self, stopped: threading.Event, moves: tuple[Move, ...] | None, report: Report
    ) -> Analysis:
        """Search the position until stopped, or until it is solved."""
        drawn = self.live.watching(stopped, report)
        found = self.analyst.analyse(self.history, Limits(), stopped, moves=moves, report=drawn)
        self.live.clear(self.position)
        return found

    def choose_and_play(
        self,
        stopped: threading.Event,
        moves: tuple[Move, ...] | None = None,
        report: Report | None = None,
    ) -> Decision:
        """Choose a move, play it, and take its time from the player's clock."""
        started, mover = time.monotonic(), self.position.to_move
        limits = self.limits()
        decision = self.choose(stopped, moves, report, limits=limits)
        self.spend(mover, time.monotonic() - started, limits)
        if decision.move is not None:
            self.play(mover, decision.move)
            self.player.ponder(self.history)
        return decision

    def spend(self, player: Player, seconds: float, limits: Limits) -> None:
        """Take the time of a move, searched with these limits, from a player's clock."""
        if player in self.clocks:
            most = math.inf if limits.seconds is None else limits.seconds + limits.extra_seconds
            self.clocks[player] = self.clocks[player].after(seconds, most)

    def examine(self, stopped: threading.Event) -> Analysis:
        """Return a full-strength analysis of the position; search if there is none yet.

        It has no candidates if there is nothing to choose.
        """
        if self.position.over:
            return Analysis(position=self.position)
        if not self.weak:
            decision = self._latest()
            if decision is None or not decision.analysis.candidates:
                decision = self.choose(stopped, may_resign=False)
            return decision.analysis
        report = self.live.watching(stopped, None)
        settings, limits = self.player.settings, self.limits(self.analyst.settings)
        found = self._analyst.examine(settings, self.history, limits, stopped, report)
        self.live.clear(self.position)
        return found

    def _latest(self) -> Decision | None:
        """Return the last decision if it was made in the current position, else None."""
        decided = self.decided
        return decided if decided and decided.analysis.position is self.position else None

    # Explanations

    @property
    def explained(self) -> bool:
        """Whether `explanation` needs no search."""
        return self.reasons.get(len(self.record.moves), "") is not None

    def explanation(self, stopped: threading.Event) -> str:
        """Return the reason for the last move on the board or for resigning, or an empty string.

        The reason for a move of a weak level comes from the analyst.
        """
        decision = self._latest()
        if decision is not None and decision.move is None:
            return f"resigns: {reason_for(decision)}"
        number = len(self.record.moves)
        reason = self.reasons.get(number, "")
        if reason is None:
            settings, limits = self.player.settings, self.limits(self.analyst.settings)
            reason = self._analyst.explain(settings, self.history, limits, stopped)
            if not stopped.is_set():
                self.reasons[number] = reason
        return reason

    def name_of(self, decision: Decision) -> str:
        """Return the decision as GTP writes it: a vertex, `pass` or `resign`."""
        return "resign" if decision.move is None else self.position.name_of(decision.move)


commands = CommandTable[GtpEngine]()
"""All commands: the modules of this package, one a subject, register theirs here."""
