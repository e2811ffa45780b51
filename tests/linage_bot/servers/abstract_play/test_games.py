"""The state of the bot's games after any sequence of webhooks, lists and replies."""

import sys

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.servers.abstract_play.games import MOST_REFUSALS, Games, why_refused
from linage_bot.servers.abstract_play.payloads import Challenge, CurrentGame, MoveWanted
from linage_bot.servers.abstract_play.position import PLAY_SECOND, BadGame
from linage_bot.servers.abstract_play.settings import BotSettings, ChallengeSettings, SiteSettings
from linage_bot.servers.abstract_play.store import BotStore, Turn, TurnState
from linage_bot.settings.checks import SettingFault

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOVTRxpTXSCxYCjCEF2jhTDM/sRZHTStxh3pvPu3ofEs"
SITE = SiteSettings(
    "http://x/t", "s", "http://x/q", "http://x/m", KEY, "us", "SECRET", retry_most_seconds=60.0
)
SETTINGS = BotSettings("tcp:0", "state", SITE, challenges=ChallengeSettings(games=2))
WORDS = ("3", PLAY_SECOND, "b2", "c3", "d4", "e5", "f6", "g7")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / "state.sqlite"


@pytest.fixture
def store(path):
    store = BotStore(path)
    yield store
    store.close()


@pytest.fixture
def games(store):
    return Games(SETTINGS, store)


def next_due(games):
    """Return the most urgent turn, or None."""
    return next(iter(games.due()), None)


def webhook(plies, game="g", hours=72.0):
    return MoveWanted(game, ("size-11",), WORDS[:plies], hours)


def listed(game="g", to_move=1, us=1):
    players = ("us", "them") if us == 1 else ("them", "us")
    return CurrentGame(game, players, to_move, (1.0, 1.0), ("size-11",))


def sent(games, plies=2, word="b2", now=1.0):
    """Return a game whose move the site has accepted."""
    assert games.wanted(webhook(plies), now) is None
    games.chosen(next_due(games), word, now)
    (turn,) = games.to_send((), now)
    games.accepted(turn, now)


def test_the_game_with_least_time_left_comes_first(games):
    """The game with the least time left is searched first, and games without a clock last."""
    for game, hours in (("a", 5), ("b", 2), ("c", None), ("d", 9)):
        games.wanted(webhook(2, game, hours), 0)
    order = []
    while (turn := next_due(games)) is not None:
        order.append(turn.game)
        games.chosen(turn, "b2", 0)
    assert order == ["b", "a", "d", "c"]
    assert [turn.game for turn in games.to_send({"a"}, 0)] == ["b", "d", "c"]


def test_a_ply_is_played_once_however_often_it_is_told(games):
    """A ply is played once, however often its webhook comes; older plies are ignored."""
    assert games.wanted(webhook(2), 1) is None
    assert "known" in games.wanted(webhook(2), 1)
    turn = next_due(games)
    games.chosen(turn, "b2", 1)
    assert "known" in games.wanted(webhook(2), 1)
    (turn,) = games.to_send((), 1)
    games.accepted(turn, 1)
    assert "known" in games.wanted(webhook(2), 1)
    assert games.wanted(webhook(4), 2) is None
    assert "known" in games.wanted(webhook(2), 3)
    assert next_due(games).ply == 4


def test_a_webhook_of_the_opponents_ply_is_ignored(games):
    """A webhook for the opponent's ply is ignored."""
    sent(games)
    assert "the opponent's" in games.wanted(webhook(3), 2)
    assert games.wanted(webhook(6), 3) is None  # two rounds at once


def test_a_thought_about_an_older_ply_is_dropped(games):
    """A search result for an older ply is dropped."""
    games.wanted(webhook(2), 1)
    old = next_due(games)
    games.wanted(webhook(4), 2)
    assert not games.is_due(old)
    games.chosen(old, "b2", 3)
    assert next_due(games).ply == 4


def test_a_game_that_makes_no_sense_changes_nothing(games, store):
    """A webhook with an invalid game is refused and changes nothing."""
    with pytest.raises(BadGame):
        games.wanted(MoveWanted("g", ("size-11",), ("x",)), 0)
    assert store.turns == {}


def test_sending_is_tried_again_at_growing_intervals_up_to_a_bound(games):
    """Sending is retried at growing intervals up to a maximum."""
    games.wanted(webhook(2), 0)
    games.chosen(next_due(games), "b2", 0)
    now, delays = 0.0, []
    for _ in range(12):
        (turn,) = games.to_send((), now)
        delays.append(games.not_sent(turn, now))
        assert games.to_send((), now) == []
        now += delays[-1]
    assert delays == [2, 4, 8, 16, 32] + [60] * 7


def test_a_word_that_is_refused_often_is_given_up_until_the_list_asks_again(games, store):
    """A word that is refused often is given up; another is chosen at the next list of games."""
    games.wanted(webhook(2), 0)
    games.chosen(next_due(games), "b2", 0)
    for tries in range(MOST_REFUSALS):
        now = 100.0 * tries
        (turn,) = games.to_send((), now)
        games.refused(turn, False, now)
    assert store.turns["g"].state is TurnState.REFUSED
    assert games.to_send((), 1e9) == []
    assert games.listed([listed()], 1000, 1000) == [listed()]
    assert games.fetched(listed(), webhook(2), 1000, 1001) is None
    assert next_due(games).banned == ("b2",)


def test_a_refusal_for_good_is_believed_at_once(games, store):
    """A permanent refusal stops the retries at once."""
    games.wanted(webhook(2), 0)
    games.chosen(next_due(games), "b2", 0)
    games.refused(*games.to_send((), 0), True, 0)
    assert store.turns["g"].state is TurnState.REFUSED


def test_missed_games_are_found_in_the_list(games):
    """Games from the list in which it is the bot's turn are searched."""
    missed = [listed("a"), listed("b", to_move=2), listed("c", to_move=2, us=2)]
    assert games.listed(missed, 5, 6) == [missed[0], missed[2]]
    assert games.fetched(missed[0], webhook(2), 6, 7) is None
    assert games.fetched(missed[2], webhook(3), 6, 7) is None
    assert {next_due(games).game} <= {"a", "c"}
    assert games.listed(missed, 8, 9) == []  # they are being played


def test_a_list_older_than_what_we_know_is_not_believed(games, store):
    """A list that was requested before the last change does not override it."""
    sent(games, now=10)
    assert games.listed([listed()], 9, 11) == []  # asked before the move was taken
    assert games.listed([], 9, 11) == []
    assert store.turns["g"].state is TurnState.SENT
    games.listed([], 12, 13)
    assert store.turns["g"].state is TurnState.OVER


def test_a_move_that_got_lost_behind_an_answer_is_sent_again(games):
    """If a confirmed move is missing at the site, it is sent again."""
    sent(games, now=10)
    assert games.listed([listed()], 20, 21) == [listed()]
    assert games.fetched(listed(), webhook(2), 20, 21) is None
    (turn,) = games.to_send((), 21)
    assert (turn.ply, turn.word) == (2, "b2")


def test_the_list_corrects_a_seat_that_a_webhook_got_wrong(games, store):
    """The list of games corrects a seat that was guessed from a webhook."""
    games.wanted(webhook(3), 1)  # as if we were seat 2
    assert store.turns["g"].seat == 2
    assert games.listed([listed(to_move=1, us=1)], 5, 6) == [listed()]
    assert games.fetched(listed(), webhook(4), 6, 7) is None
    assert (store.turns["g"].seat, store.turns["g"].ply) == (1, 4)
    assert "the opponent's" in games.wanted(webhook(5), 8)


def test_a_game_fetched_after_it_moved_on_is_left_alone(games):
    """A game that moved on before it was fetched is left alone."""
    games.listed([listed()], 5, 6)
    assert "no longer" in games.fetched(listed(), webhook(3), 6, 7)
    assert next_due(games) is None


def test_a_word_that_may_be_lost_is_looked_up_before_it_is_sent_again(games, store):
    """A word without a confirmation is looked up before it is sent again."""
    games.wanted(webhook(2), 0)
    games.chosen(next_due(games), "pass", 0)
    (turn,) = games.to_send((), 0)
    assert turn.tries == 0
    again = Games(SETTINGS, store)  # killed before it knew
    (turn,) = again.to_send((), 0)
    assert turn.tries > 0
    assert again.looked_up(turn, webhook(2), 1)
    assert not again.looked_up(turn, webhook(4), 1)
    assert again.to_send((), 9) == []
    assert next_due(again).ply == 4
    assert next_due(again).deadline == turn.deadline


def test_a_word_that_had_been_taken_leaves_the_turn_to_the_opponent(games, store):
    """A word that had been accepted after all is not sent again."""
    games.wanted(webhook(2), 0)
    games.chosen(next_due(games), "b2", 0)
    games.not_sent(*games.to_send((), 0), 0)
    (turn,) = games.to_send((), 99)
    assert not games.looked_up(turn, webhook(3), 99)
    assert store.turns["g"].state is TurnState.SENT


def test_a_game_that_is_over_is_not_played(games, store):
    """A finished game is not played, and is forgotten after a month."""
    over = MoveWanted("g", ("size-11",), (*WORDS[:2], "pass", "pass"))
    games.wanted(over, 0)
    assert next_due(games) is None
    assert store.turns["g"].state is TurnState.OVER
    games.listed([], 99e6, 99e6)
    assert store.turns == {}


def challenge(*variants):
    return Challenge(
        variants=variants,
        clock_start_hours=72,
        clock_increment_hours=24,
        clock_most_hours=240,
        challengers=("them",),
    )


POLICY = ChallengeSettings(
    sizes=(11, 13), lines=(3,), start_hours=24, increment_hours=6, most_hours=200, games=3,
    blocked=("rude",),
)  # fmt: skip
GOOD = Challenge(
    variants=("size-11",),
    clock_start_hours=72,
    clock_increment_hours=24,
    clock_most_hours=200,
    challengers=("a",),
)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, None),
        ({"variants": ("size-13", "line-3")}, None),
        ({"variants": ()}, "size 15"),
        ({"variants": ("size-11", "line-4")}, "lines of 4"),
        ({"variants": ("size-11", "torus")}, "torus"),
        ({"clock_start_hours": 23}, "23 h is too short"),
        ({"clock_increment_hours": 5}, "increment of 5 h"),
        ({"clock_most_hours": 201}, "201 h is too long"),
        ({"challengers": ("rude",)}, "blocked"),
        (
            {"game": "abande", "variants": ("size-5",)},
            "this bot does not play 'abande', only linage",
        ),
    ],
)
def test_challenges_are_refused_with_a_reason(changes, reason):
    """A challenge that does not fit is refused with the reason."""
    told = why_refused(attrs.evolve(GOOD, **changes), POLICY, 2)
    assert told is None if reason is None else reason in told


def test_only_players_who_are_named_are_played_if_any_are():
    """A list of allowed players excludes all others, and the number of games is limited."""
    friends = attrs.evolve(POLICY, players=("a",))
    assert why_refused(GOOD, friends, 0) is None
    assert "not in the setting" in why_refused(attrs.evolve(GOOD, challengers=("b",)), friends, 0)
    assert "names no challenger" in why_refused(attrs.evolve(GOOD, challengers=()), friends, 0)
    assert "3 games" in why_refused(GOOD, POLICY, 3)


def test_slots_are_kept_filled_and_freed(games):
    """An accepted challenge counts as a game until it begins or two days have passed."""
    assert games.challenged(challenge("size-11"), 0) is None
    assert games.challenged(challenge("size-13", "line-4"), 0) is None
    assert "2 games" in games.challenged(challenge("size-11"), 0)
    games.wanted(webhook(2), 1)  # one of them begins
    assert games.under_way(1) == 2
    games.listed([listed("h", to_move=2)], 0, 2)  # no, two: this one is not awaited
    assert games.under_way(2) == 3
    games.listed([], 5, 6)
    assert games.under_way(6) == 1  # the slot that is still kept
    assert games.under_way(6 + 3600 * 48) == 0


def test_all_is_as_it_was_after_a_restart(path):
    """Games, slots and nonces survive a restart."""
    store = BotStore(path)
    games = Games(SETTINGS, store)
    games.wanted(webhook(2, "a"), 0)
    games.chosen(next_due(games), "b2", 0)
    games.wanted(webhook(4, "b", None), 0)
    store.reserve(("size-11",), 99.0)
    assert store.use("n", 50.0)
    turns = dict(store.turns)
    store.close()
    again = BotStore(path)
    assert again.turns == turns
    assert again.slots(1) == 1
    assert not again.use("n", 50.0)
    again.forget(51)
    assert again.use("n", 99.0)
    again.close()


@pytest.mark.usefixtures("store")
def test_a_file_is_used_by_one_bot(path):
    """A second bot on the same file is refused."""
    with pytest.raises(SettingFault, match="another bot"):
        BotStore(path)


@pytest.mark.parametrize("content", [b"no database at all, but long enough to be looked at" * 30])
def test_a_file_that_is_something_else_is_named(tmp_path, content):
    """A file that is no state of a bot is refused with its path."""
    file = tmp_path / "x"
    file.write_bytes(content)
    with pytest.raises(SettingFault, match=str(file)):
        BotStore(file)
    with pytest.raises(SettingFault):
        BotStore(tmp_path)


events = st.lists(
    st.tuples(
        st.sampled_from(["webhook", "choose", "accept", "fail", "refuse", "list", "fetch"]),
        st.integers(0, 8),
    ),
    max_size=40,
)


@given(events=events)
def test_no_order_of_events_sends_two_words_for_one_ply(events, tmp_path_factory):
    """In no order of events are two different words sent for one ply."""
    store = BotStore(tmp_path_factory.mktemp("games") / "state")
    games = Games(SETTINGS, store)
    words: dict[int, set] = {}
    last = -1
    for now, (event, number) in enumerate(events):
        sending = games.to_send((), 1e9)
        if event == "webhook":
            games.wanted(webhook(number), now)
        elif event == "list":
            games.listed([listed()] if number else [], now, now)
        elif event == "fetch":
            games.fetched(listed(), webhook(number), now, now)
        elif event == "choose" and (turn := next_due(games)) is not None:
            games.chosen(turn, f"w{now}", now)
        elif sending and event == "accept":
            words.setdefault(sending[0].ply, set()).add(sending[0].word)
            games.accepted(sending[0], now)
        elif sending and event == "fail":
            games.not_sent(sending[0], now)
        elif sending and event == "refuse":
            games.refused(sending[0], bool(number), now)
        if (turn := store.turns.get("g")) is not None and turn.certain:
            unknown = not turn.words and turn.state in (TurnState.WAITING, TurnState.OVER)
            assert unknown or turn.ply % 2 + 1 == turn.seat
        last = max(last, now)
    assert all(len(each) == 1 for each in words.values())
    store.close()


def test_a_turn_is_kept_whole(store):
    """Every field of a turn is saved."""
    turn = Turn(
        game="g",
        seat=2,
        certain=True,
        variants=("size-11",),
        words=WORDS[:3],
        deadline=5.0,
        state=TurnState.CHOSEN,
        word="b2",
        tries=1,
        refusals=1,
        banned=("c3",),
    )
    store.keep(turn)
    store.keep(attrs.evolve(turn, tries=2))
    assert store.turns == {"g": attrs.evolve(turn, tries=2)}


@pytest.mark.skipif(sys.platform == "win32", reason="other users have no rights there")
@pytest.mark.parametrize("old", [False, True])
def test_nobody_else_reads_or_changes_the_state(path, old):
    """Only the owner can read the state files, even if an older file was open to others."""
    if old:
        path.parent.mkdir()
        path.touch()
        path.chmod(0o666)
    store = BotStore(path)
    store.reserve(["size-11"], 10.0)
    assert all(file.stat().st_mode & 0o077 == 0 for file in path.parent.iterdir())
    store.close()
