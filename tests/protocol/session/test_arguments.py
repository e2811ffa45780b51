"""Words read as values."""

import pytest

from protocol.session.arguments import (
    Colour,
    parse_bool,
    parse_colour,
    parse_float,
    parse_int,
    parse_vertex,
)
from protocol.session.errors import CommandFailed


@pytest.mark.parametrize(
    ("word", "move"),
    [("A1", "A1"), ("h8", "H8"), ("J9", "J9"), ("z25", "Z25"), ("pass", "pass"),
     ("PASS", "pass"), ("Resign", "resign")],
)  # fmt: skip
def test_vertices_are_read_in_any_case(word, move):
    """The column I is left out, and `pass` and `resign` are moves as well."""
    assert parse_vertex(word) == move


@pytest.mark.parametrize(
    "word",
    ["", "A", "1", "I5", "Z99", "A0", "A26", "A01", "AA1", "A1 ", "A-1", "A+1", "A1.0", "A１",
     "Ａ1", "\u212a1", "a²", "pas", "passs", "A" * 10_000],
)  # fmt: skip
def test_what_is_no_vertex_is_refused_with_the_words_clients_match(word):
    """Letters that only look alike included; the message is short however long the word."""
    with pytest.raises(CommandFailed, match=r"^invalid color or coordinate: ") as caught:
        parse_vertex(word)
    assert len(caught.value.message) < 150


def test_colours_have_short_and_full_names():
    """Colours are read in any case; partial names and similar letters are refused."""
    assert parse_colour("b") is parse_colour("BLACK") is Colour.BLACK
    assert parse_colour("W") is parse_colour("white") is Colour.WHITE
    for word in ("", "x", "blac", "ｂ"):
        with pytest.raises(CommandFailed, match=r"^invalid color or coordinate: "):
            parse_colour(word)


@pytest.mark.parametrize(("word", "number"), [("0", 0), ("-7", -7), ("+7", 7), ("007", 7)])
def test_integers_are_read(word, number):
    """Integers may have signs and leading zeros."""
    assert parse_int(word) == number


@pytest.mark.parametrize("word", ["", "-", "1.0", "1_0", "0x1", "٣", "²", "--1", " 1", "9" * 5000])
def test_what_is_no_integer_is_a_syntax_error(word):
    """Python's own `int` takes some of these; 5000 digits give a short message."""
    with pytest.raises(CommandFailed, match=r"^syntax error: ") as caught:
        parse_int(word)
    assert len(caught.value.message) < 150


@pytest.mark.parametrize(("word", "number"), [("6.5", 6.5), ("-3", -3), ("1e2", 100), (".5", 0.5)])
def test_numbers_are_read(word, number):
    """Numbers may have an exponent, or no digit before the point."""
    assert parse_float(word) == number


@pytest.mark.parametrize("word", ["", "nan", "inf", "-Infinity", "1e999", "1_0", "e", "１", "1 2"])
def test_what_is_no_finite_number_is_a_syntax_error(word):
    """A komi or a time that is `nan` or endless would spoil every comparison."""
    with pytest.raises(CommandFailed, match=r"^syntax error: "):
        parse_float(word)


def test_truth_is_read():
    """Four words for each, in any case, and no other."""
    assert [parse_bool(word) for word in ("true", "Yes", "ON", "1")] == [True] * 4
    assert [parse_bool(word) for word in ("false", "No", "off", "0")] == [False] * 4
    for word in ("", "2", "maybe"):
        with pytest.raises(CommandFailed, match=r"^syntax error: "):
            parse_bool(word)
