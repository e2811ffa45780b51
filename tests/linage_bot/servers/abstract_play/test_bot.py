"""The bot on a simulated clock without sockets; its searches are real."""

import queue
import random
import sqlite3
from collections.abc import Callable

import pytest
from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.task import Clock

from linage_bot.jobs.executor import Executor, ThreadExecutor, WorkerLost
from linage_bot.servers.abstract_play.bot import Bot
from linage_bot.servers.abstract_play.games import Games
from linage_bot.servers.abstract_play.payloads import CurrentGame, MoveWanted
from linage_bot.servers.abstract_play.position import PLAY_SECOND
from linage_bot.servers.abstract_play.settings import BotPlaySettings, BotSettings, SiteSettings
from linage_bot.servers.abstract_play.site import Refusal, Unreachable
from linage_bot.servers.abstract_play.store import BotStore
from tests.linage_bot.servers.abstract_play.site_rules import BOT, HUMAN, Game, may_send

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOVTRxpTXSCxYCjCEF2jhTDM/sRZHTStxh3pvPu3ofEs"
SITE = SiteSettings(
    token_url="http://x/t",
    scope="play",
    query_url="http://x/q",
    move_url="http://x/m",
    public_key=KEY,
    client_id=BOT,
    client_secret_env="SECRET",
)
PATIENCE_SECONDS = 120
NEVER = 3600.0


class Reactor(Clock):
    """A clock, and a queue for the calls from other threads."""

    def __init__(self) -> None:
        super().__init__()
        self._left: queue.SimpleQueue = queue.SimpleQueue()

    def callFromThread(self, call: Callable, *arguments: object) -> None:  # noqa: N802
        self._left.put((call, arguments))

    def take(self) -> None:
        """Run the next call from another thread."""
        call, arguments = self._left.get(timeout=PATIENCE_SECONDS)
        call(*arguments)


class Site:
    """A site that answers the bot at once unless a test makes it fail or wait."""

    def __init__(self) -> None:
        self.games: dict[str, Game] = {}
        self.sent: list[tuple[str, int, str]] = []
        self.asked: list[str] = []
        self.fault: Exception | None = None
        self.held: Deferred | None = None  # delays the reply to the next move

    def begin(self, game: Game) -> Game:
        self.games[game.id] = game
        return game

    async def current_games(self) -> tuple[CurrentGame, ...]:
        self._ask("list")
        return tuple(
            CurrentGame(
                game.id,
                (BOT, HUMAN) if game.bot_seat == 1 else (HUMAN, BOT),
                game.position.seat_to_move,
                (1.0, 1.0),
                tuple(game.variants),
            )
            for game in self.games.values()
            if not game.over
        )

    async def game(self, name: str) -> MoveWanted:
        self._ask(name)
        return wanted(self.games[name])

    async def move(self, name: str, word: str) -> None:
        self._ask("move")
        game = self.games[name]
        assert game.bots_turn, f"{word} out of turn"
        assert may_send(game.position, word)
        self.sent.append((name, len(game.words), word))
        game.words.append(word)
        held, self.held = self.held, None
        if held is not None:
            await held

    def _ask(self, what: str) -> None:
        self.asked.append(what)
        if self.fault is not None:
            raise self.fault


def wanted(game: Game, clock_hours: float | None = 72.0) -> MoveWanted:
    return MoveWanted(game.id, tuple(game.variants), tuple(game.words), clock_hours)


class World:
    """A bot, its site and its clock."""

    executor: Executor | None = None  # where it searches, if not here

    def __init__(self, folder, play: BotPlaySettings) -> None:
        self.path = folder / "state"
        self.settings = BotSettings("tcp:0", str(self.path), SITE, play=play)
        self.site = Site()
        self.chance = random.Random(1)
        self.start()

    def start(self) -> None:
        """Start a new bot in place of the old one, as after a kill."""
        self.reactor = Reactor()
        self.store = BotStore(self.path)
        games = Games(self.settings, self.store)
        self.bot = Bot(
            self.reactor, self.settings, games, self.site, self.reactor.seconds, self.executor
        )
        self.bot.start()

    def restart(self) -> None:
        self.store.close()
        self.start()

    def tell(self, game: Game) -> str | None:
        """Send a webhook."""
        return self.bot.wanted(wanted(game))

    def go_on(self, game: Game) -> None:
        """Let the opponent move, send the webhook, and wait for the bot's search."""
        if not game.over and not game.bots_turn:
            game.words.append(game.human_word(self.chance))
        if game.bots_turn:
            assert self.tell(game) is None
            self.reactor.take()


@pytest.fixture
def play():
    return BotPlaySettings(visits=10, seed=1, resign_rate=None)


@pytest.fixture
def world(tmp_path, play):
    world = World(tmp_path, play)
    yield world
    world.bot.stop_searches()
    world.store.close()


@pytest.mark.parametrize(
    ("seat", "pie", "komi"),
    [(1, PLAY_SECOND, ""), (1, "cell", ""), (2, "", "200"), (2, "", "-200")],
)
def test_a_game_is_played_to_its_end_with_one_word_a_ply(world, seat, pie, komi):
    """The bot plays a whole game on either seat, with one legal word in each of its turns."""
    game = world.site.begin(Game("g", ["size-5"], seat, pie, komi))
    while not game.over:
        world.go_on(game)
    plies = [ply for _, ply, _ in world.site.sent]
    assert plies == list(range(seat - 1, len(game.words), 2))


def test_a_game_that_began_while_the_bot_was_down_is_found_at_its_start(world):
    """A game that began while the bot was down is found when it starts."""
    game = world.site.begin(Game("g", ["size-5"], 1))
    world.restart()
    world.reactor.take()
    assert [sent[:2] for sent in world.site.sent] == [("g", 0)]
    assert not game.bots_turn


def test_a_game_whose_webhook_was_lost_is_found_in_the_next_list(world):
    """A game whose webhook was lost is found in the next list of games."""
    world.site.begin(Game("g", ["size-5"], 1))
    world.reactor.advance(SITE.recover_seconds)
    world.reactor.take()
    assert len(world.site.sent) == 1


def test_a_game_of_two_others_is_none_of_our_business(world, monkeypatch):
    """Games between other players are ignored."""

    async def others() -> tuple[CurrentGame, ...]:
        return (CurrentGame("theirs", (HUMAN, f"{BOT}x"), 1, (None, None)),)

    monkeypatch.setattr(world.site, "current_games", others)
    world.reactor.advance(SITE.recover_seconds)
    assert world.site.asked == ["list"]
    assert world.store.turns == {}


def test_a_site_that_is_dead_for_half_an_hour_is_outlived(world):
    """While the site is down the bot retries ever less often, and then sends its word once."""
    game = world.site.begin(Game("g", ["size-5"], 1))
    world.site.fault = Unreachable("nobody is there")
    world.go_on(game)
    for _ in range(180):
        world.reactor.advance(10)
    assert world.site.sent == []
    assert 10 < len(world.site.asked) < 40
    world.site.fault = None
    world.reactor.advance(SITE.retry_most_seconds)
    assert [ply for _, ply, _ in world.site.sent] == [0]


def test_the_opponents_answer_may_come_before_the_reply_to_our_move(world):
    """The opponent's answer may come before the reply to the bot's move."""
    game = world.site.begin(Game("g", ["size-5"], 1))
    world.site.held = reply = Deferred()
    world.go_on(game)
    world.go_on(game)  # the first move is not yet confirmed
    reply.callback(None)
    assert [ply for _, ply, _ in world.site.sent] == [0, 2]


def test_a_bot_that_was_killed_sends_the_word_that_it_had_chosen(world):
    """A bot that was killed sends the word that it had already chosen."""
    game = world.site.begin(Game("g", ["size-5"], 1))
    world.site.fault = Unreachable("nobody is there")
    world.go_on(game)
    word = world.store.turns["g"].word
    world.site.fault = None
    world.restart()
    world.reactor.advance(SITE.retry_seconds)
    assert world.site.sent == [("g", 0, word)]


def test_a_word_that_was_taken_though_nobody_said_so_is_not_sent_again(world):
    """After a restart, a word without a confirmation is looked up before it is sent again."""
    game = world.site.begin(Game("g", ["size-5"], 1))
    world.site.held = Deferred()
    world.go_on(game)
    world.site.held = None
    world.restart()
    world.reactor.advance(SITE.recover_seconds)
    assert [ply for _, ply, _ in world.site.sent] == [0]


def test_a_word_that_was_taken_is_not_sent_again_while_the_disk_is_full(world):
    """While the disk is full the game is looked up, and an accepted word is not sent again."""
    game = world.site.begin(Game("g", ["size-5"], 1))
    world.site.held = reply = Deferred()
    world.go_on(game)
    world.store._database.execute("pragma query_only = on")
    reply.callback(None)
    for _ in range(600):
        world.reactor.advance(1)
    assert world.site.asked.count("move") == 1
    assert 2 < world.site.asked.count("g") < 20
    world.store._database.execute("pragma query_only = off")
    world.reactor.advance(SITE.retry_most_seconds)
    world.go_on(game)
    assert [ply for _, ply, _ in world.site.sent] == [0, 2]


def test_when_the_site_refuses_a_word_another_is_tried(world, monkeypatch):
    """After the site refused a word, the bot chooses another one at the next list."""
    game = world.site.begin(Game("g", ["size-5"], 1, words=["0", PLAY_SECOND]))
    refused = []

    async def refuse(_game: str, word: str) -> None:
        refused.append(word)
        raise Refusal(400, "not this one")

    with monkeypatch.context() as first:
        first.setattr(world.site, "move", refuse)
        world.go_on(game)
    world.reactor.advance(SITE.recover_seconds)
    world.reactor.take()
    ((_, ply, word),) = world.site.sent
    assert ply == 2
    assert [word] != refused


@pytest.mark.parametrize("play", [BotPlaySettings(seconds=NEVER, clock_share=1.0)])
def test_a_thought_is_dropped_when_the_game_has_moved_on(world):
    """A search is stopped at once when the game has moved on."""
    game = world.site.begin(Game("g", ["size-7"], 1, words=["0", PLAY_SECOND]))
    world.tell(game)
    game.words += ["b2", "c3"]
    world.tell(game)
    world.reactor.take()  # the end of the first thought, long before its time
    assert world.site.sent == []
    assert world.store.turns["g"].ply == 4


@pytest.mark.parametrize("play", [BotPlaySettings(seconds=0.5, resign_rate=None)])
def test_a_bot_told_to_stop_finishes_its_move_and_begins_no_other(world):
    """A stopping bot finishes the current move, starts no other, and leaves no timers."""
    one, two = (
        world.site.begin(Game(name, ["size-7"], 1, words=["0", PLAY_SECOND])) for name in "ab"
    )
    world.tell(one)
    world.tell(two)
    stopped = Deferred.fromCoroutine(world.bot.stop())
    assert not stopped.called
    world.reactor.take()
    assert stopped.called
    assert [sent[:2] for sent in world.site.sent] == [("a", 2)]
    assert world.reactor.getDelayedCalls() == []


def test_a_bot_told_to_stop_while_the_disk_is_full_stops(world):
    """A bot stops although the disk is full, and chooses its unsaved move at the next start."""
    game = world.site.begin(Game("g", ["size-5"], 1))
    world.tell(game)
    world.store._database.execute("pragma query_only = on")
    stopped = Deferred.fromCoroutine(world.bot.stop())
    with pytest.raises(sqlite3.OperationalError):  # which the reactor logs
        world.reactor.take()
    assert stopped.called
    assert world.site.sent == []
    world.restart()
    world.reactor.take()
    assert [ply for _, ply, _ in world.site.sent] == [0]


def test_a_bot_told_to_stop_amid_a_question_asks_no_other(world, monkeypatch):
    """A stopping bot cancels its current request and sends no other."""

    async def unanswered() -> tuple[CurrentGame, ...]:
        try:
            await Deferred()
        except CancelledError:
            raise Unreachable("no response in time") from None
        return ()

    monkeypatch.setattr(world.site, "current_games", unanswered)
    world.reactor.advance(SITE.recover_seconds)
    assert Deferred.fromCoroutine(world.bot.stop()).called
    assert world.reactor.getDelayedCalls() == []


@pytest.mark.parametrize("play", [BotPlaySettings(seconds=NEVER, clock_share=1.0)])
def test_a_bot_in_a_hurry_drops_its_thought_and_takes_it_up_at_the_next_start(world):
    """A second signal stops the search, which starts again at the next start."""
    world.tell(world.site.begin(Game("g", ["size-7"], 1, words=["0", PLAY_SECOND])))
    world.bot.stop_searches()
    world.reactor.take()
    assert world.site.sent == []
    world.restart()
    assert [*world.bot._queue.running] == ["g"]


def test_a_search_that_fails_leaves_the_other_games_alone(world, monkeypatch, caplog):
    """A search that fails is logged and does not disturb the other games."""

    def fail(*_arguments: object) -> None:
        raise RuntimeError("on purpose")

    with monkeypatch.context() as first:
        first.setattr("linage_bot.servers.abstract_play.decision.BotMoveChooser.choose", fail)
        world.go_on(world.site.begin(Game("bad", ["size-5"], 1)))
    assert "on purpose" in caplog.text
    world.go_on(world.site.begin(Game("good", ["size-5"], 1)))
    assert [sent[0] for sent in world.site.sent] == ["good"]


class Mortal(ThreadExecutor):
    """An executor with two workers whose first search is lost."""

    def __init__(self) -> None:
        super().__init__(2)
        self.begun = 0

    def thread_for(self, worker, work, done, report=None):
        self.begun += 1
        lost = self.begun == 1

        def thought(stopped):
            if lost:
                raise WorkerLost("it has died")
            return work(stopped)

        return super().thread_for(worker, thought, done, report)


def test_as_many_games_are_thought_about_as_there_are_places(world):
    """One game is searched on each worker; after a worker's loss every move is sent once."""
    world.executor = Mortal()
    world.restart()
    games = [world.site.begin(Game(name, ["size-5"], 1)) for name in "abc"]
    for game in games:
        assert world.tell(game) is None
    assert len(world.bot._queue.running) == 2
    for _ in range(4):
        world.reactor.take()
    assert sorted(name for name, _, _ in world.site.sent) == ["a", "b", "c"]
    assert world.bot._queue.running == {}
