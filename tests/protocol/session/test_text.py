"""Text from users in any encoding, text to consoles that lack letters, numbers as people write."""

import codecs
import io

import pytest

from protocol.cgos.words import LineDecoder
from protocol.gtp.codec import Command, CommandDecoder, ReplyDecoder
from protocol.session.lines import LineSplitter
from protocol.session.text import codec_of, decode, encode, plain_number, replace_unknown
from protocol.session.work import Reply
from protocol.ugi.messages import UgiRequestDecoder
from tests.protocol.kata.analysts import Talk, action

MARK = codecs.BOM_UTF8


def fed(decoder, data: bytes, cut: int):
    """Return a decoder's events for bytes that arrive in pieces."""
    pieces = [data[start : start + cut] for start in range(0, len(data), cut)]
    return [event for piece in pieces for event in decoder.receive_data(piece)]


@pytest.mark.parametrize("cut", [1, 2, 1000])
@pytest.mark.parametrize(
    ("make", "lines"),
    [
        (CommandDecoder, b"name\n7 play b D4\n"),
        (ReplyDecoder, b"= \n\n=7 D4\n\n"),
        (UgiRequestDecoder, b"ugi\nisready\n"),
        (LineDecoder, b"info hello\nerror why\n"),
        (lambda: LineSplitter(100), b'{"id": "a"}\n{}\n'),
    ],
)
def test_a_byte_order_mark_before_a_line_is_no_part_of_it(make, lines, cut):
    """A byte order mark at the start or amid joined files is ignored."""
    first, second = lines.split(b"\n", 1)
    without = fed(make(), lines, 1000)
    for data in (MARK + lines, MARK + first + b"\n" + MARK + second):
        assert fed(make(), data, cut) == without


def test_commands_behind_a_mark_are_obeyed():
    """A byte order mark is skipped in GTP and JSON input, and in replies."""
    assert CommandDecoder().receive_data(MARK + b"7 name\n") == [Command("name", (), 7)]
    assert ReplyDecoder().receive_data(MARK + b"=7 x\n\n")[-1] == Reply(True, "x", 7)
    talk = Talk()
    assert "version" in talk.hear(MARK + action("a", "query_version"))[0]


def test_a_mark_within_a_line_stays():
    """A byte order mark within a line is an ordinary, invisible letter."""
    (command,) = CommandDecoder().receive_data(b"echo a" + MARK + b"b\n")
    assert command == Command("echo", ("a\ufeffb",))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_text_is_decoded_by_its_mark(encoding):
    """Text is decoded by its byte order mark, or else as UTF-8."""
    assert decode("komi = 6.5 # ½".encode(encoding)) == "komi = 6.5 # ½"
    assert decode(codecs.BOM_UTF16_BE + "ä".encode("utf-16-be")) == "ä"


def test_text_in_another_encoding_is_refused():
    """Text in another encoding is refused; its encoding is not guessed."""
    with pytest.raises(UnicodeDecodeError):
        decode("ä".encode("latin-1"))
    with pytest.raises(UnicodeDecodeError):
        decode(codecs.BOM_UTF16_LE + b"a")


def test_every_text_can_be_written():
    """A file's name that is no UTF-8, too."""
    assert encode("ä \udcff").decode() == r"ä \udcff"


@pytest.mark.parametrize(
    ("names", "codec"),
    [
        (
            "CP932 cp932 MS932 Windows-31J csWindows31J windows-932 x-ms-cp932 IBM943 MS_Kanji",
            "cp932",
        ),
        ("Shift_JIS shift-jis SJIS x-sjis csShiftJIS", "shift_jis"),
        ("Big5 BIG5 csBig5 cn-big5 x-x-big5", "big5"),
        ("GBK x-gbk csGBK CP936 windows-936 MS936", "gbk"),
        ("GB2312 GB_2312-80 csISO58GB231280 x-euc-cn EUC-CN", "gb2312"),
        ("GB18030 csGB18030 gb", "gb18030"),
        ("EUC-JP x-euc-jp csEUCPkdFmtJapanese", "euc_jp"),
        ("EUC-KR KS_C_5601-1987 csKSC56011987 KSC_5601 iso-ir-149", "euc_kr"),
        ("ISO-8859-1 latin1 L1 8859_1 ISO_8859-1:1987 csISOLatin1", "iso8859-1"),
        ("windows-1252 CP1252 x-cp1252 ANSI", "cp1252"),
        ("UTF-8 utf8 UTF8 unicode-1-1-utf-8", "utf-8"),
        ("US-ASCII ANSI_X3.4-1968 646", "ascii"),
        ("KOI8-R csKOI8R koi8", "koi8-r"),
    ],
)
def test_a_character_set_goes_by_many_names(names, codec):
    """Character sets have the names of IANA, Python and browsers, in any case."""
    assert {codec_of(name) for name in names.split()} == {codec}


@pytest.mark.parametrize(
    "name",
    [
        *("no-such", "", "ä", "a\0b", "x" * 80, "UTF-16", "cp037", "zlib", "rot13", "idna"),
        *("punycode", "unicode_escape", "raw_unicode_escape", "undefined", "charmap", "aliases"),
    ],
)
def test_what_no_text_is_written_in_is_no_character_set(name):
    """Codecs that are not text, or lack ASCII, are refused as character sets."""
    assert codec_of(name) is None


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("utf-8", b"a \xe2\x80\x93 \xc2\xbd \xc2\xb1 \xe8\xa1\xa8 \\xff\xe2\x80\xa6"),
        ("cp437", b"a - \xab \xf1 ? \\xff..."),
        ("cp1252", b"a \x96 \xbd \xb1 ? \\xff\x85"),
        ("ascii", b"a - .5 +- ? \\xff..."),
    ],
)
def test_a_console_shows_what_it_can(encoding, shown):
    """A similar letter where it lacks one, or a question mark; and bytes of a file's name."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    replace_unknown(stream)
    stream.write("a – ½ ± 表 \udcff…")
    stream.flush()
    assert raw.getvalue() == shown


def test_a_stream_that_is_none_is_left_alone():
    """A closed stream, or a caller's own, is not changed."""
    replace_unknown(None)
    replace_unknown(io.StringIO())


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("6.5", "6.5"),
        ("6,5", "6.5"),
        ("-7,25", "-7.25"),
        ("+0,5", "+0.5"),
        (",5", ".5"),
        ("−0.5", "-0.5"),
        ("1,000", "1,000"),
        ("1,2,3", "1,2,3"),
        ("six", "six"),
    ],
)
def test_a_number_has_a_decimal_comma_or_point(written, number):
    """A comma that may separate thousands is not guessed at."""
    assert plain_number(written) == number
