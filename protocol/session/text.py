"""Conversion of text from users and for consoles, in any encoding.

Files and protocols of this project are UTF-8.  Three things differ from that in practice: Windows
programs put a byte order mark before their text, old files name another character set, and a
console may be unable to show a letter.  This module handles all three, and number notations.
"""

import codecs
import io
import re
import unicodedata
from typing import Final, TextIO

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins as the mark of UTF-16 does
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_MARK: Final = "\ufeff"


def marked_encoding(data: bytes) -> str | None:
    """Return the encoding that a byte order mark at the beginning names; None without a mark.

    Decoding with it removes the mark.
    """
    return next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)


def decode(data: bytes) -> str:
    """Return text in UTF-8, or in the encoding that its byte order mark names, without the mark.

    Raises `UnicodeDecodeError`.
    """
    return data.decode(marked_encoding(data) or "utf-8")


def encode(text: str) -> bytes:
    r"""Return text in UTF-8; half a surrogate pair, which UTF-8 lacks, becomes `\udcff`."""
    return text.encode(errors="backslashreplace")


def without_mark(line: bytes) -> bytes:
    """Return a line of UTF-8 without the byte order mark that it may begin with.

    Only the first line of a stream should have one, but files that were joined have more.
    """
    return line.removeprefix(codecs.BOM_UTF8)


# Character sets

_ASCII: Final = b"()[];:,.=+-0123456789ABCXYZabcxyz"
_PREFIXES: Final = re.compile(r"^(?:x-|cs)+")
_CODE_PAGE: Final = re.compile(r"^(?:windows|ms|dos|ibm)-?(?=\d)")
_ISO_8859: Final = re.compile(r"^(?:iso-?)?8859-?(?=\d)")
_NAMES: Final = {  # registered or common, but unknown to Python
    "ansi": "cp1252",
    "cn-big5": "big5",
    "euc": "euc-jp",
    "euc-cn": "gb2312",
    "eucpkdfmtjapanese": "euc-jp",
    "extended-unix-code-packed-format-for-japanese": "euc-jp",
    "gb": "gb18030",
    "gb-2312": "gb2312",
    "gb-2312-80": "gb2312",
    "ibm943": "cp932",
    "iso-8859-8-i": "iso8859-8",
    "iso-ir-149": "euc-kr",
    "koi": "koi8-r",
    "koi8": "koi8-r",
    "koi8-ru": "koi8-u",
    "ks-c-5601-1989": "euc-kr",
    "ksc-5601": "euc-kr",
    "ksc56011987": "euc-kr",
    "mac": "mac-roman",
    "ms-cp932": "cp932",
    "unicode-1-1-utf-8": "utf-8",
    "windows-31j": "cp932",
    "windows31j": "cp932",
}
_NO_CHARSETS: Final = frozenset(  # Python codecs that users' texts are never written in
    {"charmap", "idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "unicode-escape"}
)


def codec_of(charset: str) -> str | None:
    """Return Python's name of a character set, by any IANA or Python name; None if unknown.

    A set that does not contain ASCII also counts as unknown: its name could not have been read.
    """
    usual = _PREFIXES.sub("", charset.strip().lower().replace("_", "-"))
    usual = _NAMES.get(usual, usual)
    usual = _ISO_8859.sub("iso8859-", _CODE_PAGE.sub("cp", usual))
    for name in (charset.strip(), usual):
        try:
            codec = codecs.lookup(name).name
            if codec not in _NO_CHARSETS and _ASCII.decode(name) == _ASCII.decode("ascii"):
                return codec
        except (LookupError, ValueError):
            pass  # no codec, or not a text codec
    return None


# Consoles

_SIMILAR: Final = str.maketrans(
    {
        "–": "-",
        "—": "-",
        "−": "-",
        "×": "x",
        "±": "+-",
        "½": ".5",
        "→": "->",
        "‘": "'",
        "’": "'",
        "“": '"',
        "”": '"',
    }
)
_REPLACEMENT: Final = "linage-bot-similar"


def replace_unknown(stream: TextIO | None) -> None:
    """Make a stream replace each letter missing from its encoding by a similar one, or by `?`.

    Without that, a dash printed to a console in code page 437 is an error.
    """
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors=_REPLACEMENT)


def _similar(error: UnicodeError) -> tuple[str, int]:
    """Replace the letters that cannot be encoded; an error handler of `codecs`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(map(_plain, letters)), error.end


def _plain(letter: str) -> str:
    """Return an ASCII replacement for a letter."""
    if "\udc80" <= letter <= "\udcff":  # a byte of a file's name that is not UTF-8
        return f"\\x{ord(letter) - 0xDC00:02x}"
    simple = letter.translate(_SIMILAR)
    simple = unicodedata.normalize("NFKD", simple)
    return simple.encode("ascii", "ignore").decode() or "?"


codecs.register_error(_REPLACEMENT, _similar)


# Numbers

_COMMA: Final = re.compile(r"([+-]?[0-9]*),([0-9]{1,2})")


def plain_number(word: str) -> str:
    """Return a number as Python reads it: with a decimal point for a comma, and `-` for a minus.

    `6,5` is 6.5; a comma before three digits, which may separate thousands, is kept.
    """
    word = word.strip().replace("−", "-")
    comma = _COMMA.fullmatch(word)
    return f"{comma[1]}.{comma[2]}" if comma else word
