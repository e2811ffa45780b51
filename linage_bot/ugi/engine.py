"""The game and the player of one UGI session, for `protocol.ugi.engine`.

Every change is complete or has no effect: all steps that can fail run before any state changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from linage_bot.engine.command_job import CommandJob
from linage_bot.engine.engine import Engine
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.records.fen import BadFen, from_fen, to_fen
from linage_bot.rules.game import Game
from linage_bot.rules.history import History
from linage_bot.rules.options import BadOption
from linage_bot.settings.playing import PlaySettings
from linage_bot.ugi.game_text import UgiGame
from linage_bot.ugi.options import GameSpec, described, is_of_game, with_play_option
from linage_bot.ugi.thinking import MoveChooser
from protocol.session.arguments import shown
from protocol.session.errors import CommandFailed
from protocol.ugi.messages import Go, UgiOption

_MOST_WAITING_SECONDS = 100.0  # for a compiler, before a game; our own runner waits 120


class UgiEngine:
    """A `UgiBackend` that runs our engine for the game given by the options or the fen."""

    name = "linage-bot"
    author = "the linage-bot authors"

    def __init__(self, game: Game, settings: PlaySettings) -> None:
        self.player = Engine(settings)
        self._wanted = GameSpec.of(game)
        self._chooser = MoveChooser(self.player)
        self._begun = False  # whether `get_ready` has yet to wait for a new game
        self._fen: str | None = None
        self._words: tuple[str, ...] = ()
        self._games = [UgiGame.start(game, pie=False)]  # after each of the words

    @property
    def so_far(self) -> UgiGame:
        """The current game."""
        return self._games[-1]

    def options(self) -> Iterable[UgiOption]:
        """Return all options, each with its current value as the default."""
        return described(self._wanted, self.player.settings)

    def set_option(self, name: str, value: str) -> str:
        """Set an option. Return the reason why no game can begin with it yet, or an empty string.

        An option of the game takes effect at the next `startpos`, or at once if nothing has been
        played. Raises `CommandFailed`.
        """
        name = name.lower()
        if not is_of_game(name):
            self.player.configure(with_play_option(self.player.settings, name, value))
            return ""
        self._wanted = self._wanted.with_word(name, value.lower())
        try:
            self._wanted.configure()
        except BadOption as error:
            return f"these options do not fit together yet, so no game can begin: {error}"
        if self._fen is None and not self._words:
            self._set(None, ())
        return ""

    def begin_game(self) -> None:
        """Prepare a new game and start to load its code. Raises `CommandFailed`."""
        self._set(None, ())
        self.player.new_game()
        self._chooser.new_game()
        self.player.prepare(self.so_far.history.game)
        self._begun = True

    def set_position(self, fen: str | None, moves: tuple[str, ...]) -> None:
        """Set the position: a fen (None: the start) and moves from it; raises `CommandFailed`."""
        self._set(fen, moves)

    def _set(self, fen: str | None, words: tuple[str, ...]) -> None:
        # A game that continues keeps its positions, and so the engine's knowledge of them.
        games = [self._start(fen)]
        if (fen, games[0]) == (self._fen, self._games[0]):
            pairs = zip(self._words, words, strict=False)
            common = next((n for n, (old, new) in enumerate(pairs) if old != new), None)
            if common is None:
                common = min(len(self._words), len(words))
            games = self._games[: common + 1]
        for number in range(len(games), len(words) + 1):
            try:
                games.append(games[-1].play(words[number - 1]))
            except CommandFailed as failure:
                raise CommandFailed(f"move {number}: {failure.message}") from None
        self._fen, self._words, self._games = fen, words, games

    def _start(self, fen: str | None) -> UgiGame:
        try:
            if fen is None:
                return UgiGame.start(self._wanted.configure(), pie=self._wanted.pie)
            return UgiGame(History.at(from_fen(fen)))
        except BadOption as error:
            raise CommandFailed(str(error)) from None
        except BadFen as error:
            raise CommandFailed(f"fen: {error}") from None

    def ask(self, question: str) -> str:
        """Answer UGI's three queries and one of ours, the fen. Raises `CommandFailed`."""
        answers: dict[str, Callable[[], str]] = {
            "p1turn": lambda: "true" if self.so_far.p1_turn else "false",
            "gameover": lambda: "true" if self.so_far.over else "false",
            "result": lambda: self.so_far.result,
            "fen": lambda: to_fen(self.so_far.history.position),
        }
        if question not in answers:
            known = ", ".join(answers)
            reason = f"there is no question {shown(question)}; the questions are {known}"
            raise CommandFailed(reason)
        return answers[question]()

    def get_ready(self) -> CommandJob | None:
        """Return a job that waits for a new game's compiled code before any clock runs, or None."""
        begun, self._begun = self._begun, False
        game = self.so_far.history.game
        if not begun:
            return None

        def run(job: CommandJob) -> str:
            wait_for_kernel(game, job.stopped, _MOST_WAITING_SECONDS)
            return ""

        return CommandJob(run, ends_by_itself=True)

    def think(self, go: Go) -> CommandJob:
        """Choose a move."""
        return self._chooser.job(self.so_far, go)
