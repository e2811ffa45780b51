"""Files with several games, or with a bracket too few or too many: nothing is lost unsaid."""

import pytest

from linage_bot.records.reading import from_sgf, read_sgf, split_sgf, study_from_sgf
from linage_bot.records.record import BadRecord

FIRST = "(;SZ[5]RU[linage]PB[\\] (;B[x\\]];B[aa](;W[bb])(;W[cc]))"
SECOND = "(;SZ[7]RU[leblin]PB[b];B[aa];W[bb])"
THIRD = "(;SZ[3]RU[gardar])"


def readings(data):
    """Return the record and warnings of each reader of one game."""
    found = []
    for read in (from_sgf, study_from_sgf):
        warnings = []
        record = read(data, warn=warnings.append)
        found.append((getattr(record, "record", record), warnings))
    return found


@pytest.mark.parametrize("between", ["", "\n", "\nanother game (;-)\n", " )) "])
def test_of_several_games_the_first_is_read_and_said_to_be(between):
    """Readers of one game warn of the others; `split_sgf` returns all of them."""
    data = between.join(["mail", FIRST, SECOND, THIRD, ""]).encode()
    for record, warnings in readings(data):
        assert record == from_sgf(FIRST)
        assert warnings == ["SGF: 3 games; only the first is read"]
    assert split_sgf(data) == [FIRST, SECOND, THIRD]
    with pytest.warns(UserWarning, match="3 games; only the first is read"):
        from_sgf(data)


def test_the_library_names_the_file(tmp_path):
    """The warning names the file."""
    file = tmp_path / "two.sgf"
    file.write_text(SECOND + THIRD)
    with pytest.warns(UserWarning, match=r"two\.sgf: SGF: 2 games"):
        assert read_sgf(file) == from_sgf(SECOND)


@pytest.mark.parametrize("missing", [1, 2])
@pytest.mark.parametrize("padding", ["", "\r\n", " \n\x1a"])
def test_missing_brackets_at_the_end_are_closed_and_told(missing, padding):
    """A file of an interrupted writer is read with a warning."""
    whole = "(;SZ[5]RU[linage];B[aa](;W[bb];B[cc]))"
    for record, warnings in readings((whole[:-missing] + padding).encode()):
        assert record == from_sgf(whole)
        assert warnings == ["SGF: the last ) is missing; the game is read to the end of the file"]


@pytest.mark.parametrize("length", range(10, 50))
def test_a_file_cut_off_anywhere_gives_no_move_that_was_not_made(length):
    """A truncated file is refused, or read up to its end with a warning."""
    whole = "(;SZ[5]RU[linage]KM[0.5];B[aa](;W[bb];B[cc]))"
    moves, warnings = from_sgf(whole).moves, []
    try:
        record = from_sgf(whole[:length], warn=warnings.append)
    except BadRecord as error:
        assert str(error).startswith(("SGF: ", "RU"))  # noqa: PT017 - either may be
    else:
        assert record.moves == moves[: len(record.moves)]
        assert warnings or whole[length:].strip(")") == ""


def test_moves_behind_a_bracket_too_many_are_not_lost_unsaid():
    """Whether another game follows or not."""
    for behind in ("", SECOND):
        for record, warnings in readings(f"(;SZ[5]RU[linage];B[aa]);W[bb])\n{behind}".encode()):
            assert len(record.moves) == 1
            assert "SGF: a ) closes the game too early" in warnings[0]


def test_a_later_game_that_is_broken_does_not_spoil_the_first():
    """A broken later game does not affect the first one."""
    for record, warnings in readings(f"{SECOND}(;SZ[5]RU[linage]C[never closed".encode()):
        assert record == from_sgf(SECOND)
        assert warnings == ["SGF: 2 games; only the first is read"]


def test_text_is_decoded_already():
    """A decoded text ignores its `CA`, which describes the original file."""
    for record, warnings in readings("(;CA[Shift_JIS]SZ[5]RU[linage]PB[表ソ能];B[aa])"):
        assert (record.players[0], warnings) == ("表ソ能", [])
    (text,) = split_sgf("(;CA[Shift_JIS]SZ[5]RU[linage]PB[表ソ能])".encode("shift_jis"))
    assert from_sgf(text).players[0] == "表ソ能"
