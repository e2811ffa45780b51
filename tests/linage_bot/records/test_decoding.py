"""The character sets of SGF files: a second byte of a letter is neither a bracket nor an escape."""

import pytest

from linage_bot.records.reading import from_sgf, study_from_sgf
from linage_bot.records.writing import to_sgf
from linage_bot.rules import GAMES

FIVE = GAMES["linage"].configure("5")


def read(data):
    """Return a file's record and its warnings."""
    warnings = []
    return from_sgf(data, warn=warnings.append), warnings


@pytest.mark.parametrize(
    ("charset", "encoding", "name"),
    [
        ("Shift_JIS", "shift_jis", "表ソ能"),
        ("SJIS", "shift_jis", "表ソ能"),
        ("x-sjis", "shift_jis", "表ソ能"),
        ("Windows-31J", "cp932", "表ソ①"),
        ("csWindows31J", "cp932", "表ソ①"),
        ("CP932", "cp932", "表ソ①"),
        ("MS932", "cp932", "表ソ①"),
        ("Shift_JIS", "cp932", "表ソ①"),  # as Windows calls its own
        ("Big5", "big5", "功許蓋"),
        ("Big5", "cp950", "功碁恒"),
        ("cn-big5", "big5", "功許蓋"),
        ("Big5-HKSCS", "big5hkscs", "功許㐵"),
        ("windows-950", "cp950", "功許蓋"),
        ("GBK", "gbk", "誠昞"),
        ("x-gbk", "gbk", "誠昞"),
        ("CP936", "gbk", "誠昞"),
        ("windows-936", "gbk", "誠昞"),
        ("GB2312", "gbk", "誠昞"),
        ("GB_2312-80", "gb2312", "围棋"),
        ("gb18030", "gb18030", "誠昞"),
        ("EUC-JP", "euc_jp", "表ソ能"),
        ("Extended_UNIX_Code_Packed_Format_for_Japanese", "euc_jp", "表ソ能"),
        ("ISO-2022-JP", "iso2022_jp", "表ソ能"),
        ("EUC-KR", "cp949", "똠방각하"),
        ("ks_c_5601-1987", "euc_kr", "바둑"),
        ("windows-1251", "cp1251", "Гоша"),
        ("KOI8-R", "koi8_r", "Гоша"),
        ("ISO_8859-1:1987", "latin-1", "Bolaños"),
        ("8859_2", "iso8859_2", "Łódź"),
        ("mac", "mac_roman", "Bolaños"),
        ("IBM437", "cp437", "Bolaños"),
        ("windows-874", "cp874", "โกะ"),
        ("us-ascii", "utf-8", "Bolaños"),
        ("ASCII", "ascii", "Ann"),
        ("UTF-8", "utf-8", "表ソ能"),
        (" utf8 ", "utf-8", "表ソ能"),
    ],
)
def test_a_file_is_read_in_the_character_set_it_names(charset, encoding, name):
    """Any of its names works, at any place of `CA`; all moves are kept, and UTF-8 is written."""
    for head in (f"CA[{charset}]PB[{name}]", f"PB[{name}]C[{name * 3000}]CA[{charset}]"):
        sgf = f"(;{head}SZ[5]RU[linage]PW[x\\]y];B[aa]C[{name}];W[bb])"
        record, warnings = read(sgf.encode(encoding))
        assert (record.players, len(record.moves)) == ((name, "x]y"), 2)
        assert (record.comments[1], warnings) == (name, [])
        assert study_from_sgf(to_sgf(record).encode()).record == record


def test_a_yen_sign_in_place_of_the_backslash_is_an_escape():
    """A yen sign in place of a backslash is an escape, as for programs that read bytes."""
    assert b"\\".decode("shift_jis_2004") == "¥"
    record, warnings = read(rb"(;CA[Shift_JIS-2004]SZ[5]RU[linage]PB[x\]y];B[aa])")
    assert (record.players[0], warnings) == ("x]y", [])


@pytest.mark.parametrize(
    ("charset", "encoding", "said"),
    [
        ("CA[no-such]", "utf-8", ["CA[no-such]: unknown; read as UTF-8"]),
        ("CA[no-such]", "latin-1", ["CA[no-such]: unknown; read as ISO-8859-1"]),
        ("CA[表]", "utf-8", ["CA[表]: unknown; read as UTF-8"]),
        ("CA[UTF-16]", "utf-8", ["CA[UTF-16]: unknown; read as UTF-8"]),  # it is not, plainly
        ("CA[EBCDIC-CP-BE]", "utf-8", ["CA[EBCDIC-CP-BE]: unknown; read as UTF-8"]),
        ("CA[idna]", "utf-8", ["CA[idna]: unknown; read as UTF-8"]),
        ("CA[unicode_escape]", "utf-8", ["CA[unicode_escape]: unknown; read as UTF-8"]),
        ("CA[zlib]", "utf-8", ["CA[zlib]: unknown; read as UTF-8"]),
        ("", "latin-1", ["CA: missing; read as ISO-8859-1"]),
        ("", "utf-8", []),
        ("CA[]", "utf-8", []),
    ],
)
def test_a_character_set_that_nobody_knows_is_told(charset, encoding, said):
    """The file is read nevertheless, as UTF-8 if possible, with a warning."""
    record, warnings = read(f"(;{charset}SZ[5]RU[linage]PB[Bolaños];B[aa])".encode(encoding))
    assert (record.players[0], len(record.moves), warnings) == ("Bolaños", 1, said)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-16-be", "utf-16-le"])
def test_a_byte_order_mark_says_more_than_the_file(encoding):
    """A byte order mark overrides `CA`, which converters do not update."""
    text = "(;CA[Shift_JIS]SZ[5]RU[linage]PB[表ソ能];B[aa])"
    mark = "\ufeff" if encoding.endswith("e") else ""
    record, warnings = read(f"{mark}{text}".encode(encoding))
    assert (record.players[0], warnings) == ("表ソ能", [])


@pytest.mark.parametrize(
    "data", [b"(;CA[UTF-8]PB[Bola\xf1os]", b"\xef\xbb\xbf(;PB[Bola\xf1os]", b"(;CA[GBK]PB[Bol\xff]"]
)
def test_bytes_that_are_no_letters_are_told_and_shown_as_such(data):
    """Undecodable bytes are reported and replaced, without other losses."""
    record, warnings = read(data + b"SZ[5]RU[linage];B[aa])")
    assert "\ufffd" in record.players[0]
    assert len(record.moves) == 1
    (line,) = warnings
    assert line.endswith(": some bytes are not characters of this set; they become \ufffd")


def test_a_comment_about_character_sets_is_no_character_set():
    """A `CA` in it has an escaped bracket behind it; other properties end in these letters, too."""
    text = "(;C[try CA[Big5\\]]XCA[Big5]SZ[5]RU[linage]PB[表ソ能];B[aa])"
    record, warnings = read(text.encode())
    assert (record.players[0], warnings) == ("表ソ能", [])
