"""The rules in words, for one game and its options, with every term explained."""

import re

import pytest

from linage_bot.rules import GAMES
from linage_bot.rules.game import Game
from linage_bot.rules.options import format_option

each_game = pytest.mark.parametrize("id_", GAMES)


def set_otherwise(id_: str) -> list[tuple[str, Game]]:
    """The game once for each value of each option, the others as they are by default."""
    found = []
    for name, option in GAMES[id_].options().items():
        if isinstance(option.default, bool):
            values = ["on", "off"]
        else:
            values = list(option.choices) or [str(option.minimum), "4", "5"]
        found += [
            (name, GAMES[id_].configure(options={name: value}))
            for value in values
            if value != format_option(option.default)
        ]
    return found


def told(id_: str) -> list[str]:
    """The rules of the game in every such form."""
    games = [GAMES[id_].configure(), *(game for _, game in set_otherwise(id_))]
    return ["\n".join(game.rules()) for game in games]


@each_game
def test_every_option_changes_what_is_told(id_: str) -> None:
    """No two settings of an option read alike."""
    texts = told(id_)
    assert len(set(texts)) == len(texts)


@each_game
def test_players_are_called_as_everywhere(id_: str) -> None:
    """Both are named, and neither is called First or Second unless that is the name."""
    players = GAMES[id_].players
    for text in told(id_):
        assert all(name in text for name in players)
        for word in {"First", "Second", "Black", "White", "Vertical", "Horizontal"} - {*players}:
            assert word not in text


@each_game
def test_words_are_explained_where_they_are_first_used(id_: str) -> None:
    """The game's own terms have asterisks exactly once, at their first use."""
    texts = [text.lower() for text in told(id_)]
    words = {word for text in texts for word in re.findall(r"\*(\w+?)s?\*", text)}
    assert words
    for text in texts:
        for word in words:
            used = re.search(rf"\b{word}s?\b", text)
            if used is not None:  # it depends on the options
                assert text[used.start() - 1] == "*", (word, text)


@pytest.mark.parametrize(
    ("id_", "options", "words"),
    [
        ("linage", {"line": "4"}, "four empty points side by side"),
        ("linage", {}, "place a stone in a free region"),
        ("linage", {"edition": "2016"}, "any region that your opponent does not own"),
        ("linage", {"button": "on"}, "takes the *button*, which is worth half a point"),
        ("linage-two-color", {"count_regions": "on"}, "and the points of these regions"),
        ("linage-parity", {"n": "2"}, "every region has at least 3 points"),
        ("linage-parity", {"condition": "line"}, "every region contains a *line*"),
        ("linage-parity", {"passing": "off"}, "There is no passing"),
        ("gardar", {}, "A group with holes has a *loop*"),
    ],
)
def test_what_an_option_does_is_told(id_: str, options: dict[str, str], words: str) -> None:
    """The rules describe the option's current value."""
    assert words in "\n".join(GAMES[id_].configure(options=options).rules())


def test_komi_is_told_as_it_is() -> None:
    """A negative one too."""
    assert "Horizontal adds *komi*" in GAMES["linage"].configure(komi=6.5).rules()[-1]
    assert "6.5 in this game" in GAMES["linage"].configure(komi=6.5).rules()[-1]
    assert "White adds *komi*" in GAMES["gardar"].configure(komi=-3).rules()[-1]
    assert "−3 in this game" in GAMES["gardar"].configure(komi=-3).rules()[-1]


def test_what_a_game_without_scores_counts_is_told() -> None:
    """Leblin counts stones and territory, Parity regions; other games show their scores."""
    leblin = GAMES["leblin"].configure("3").start().play(0).play(8)
    tally = leblin.tally()
    assert tally is not None
    assert tally.counts == ("1 + 0", "1 + 0")
    parity = GAMES["linage-parity"].configure("3").start().tally()
    assert parity is not None
    assert parity.words == "1 region: odd, so First is ahead."
    assert GAMES["linage"].configure("3").start().tally() is None
