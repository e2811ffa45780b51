"""SGF files to trees of properties, with a bound on what they may cost."""

import codecs
import itertools
import re

from sgfmill import sgf_grammar

from linage_bot.records.record import BadRecord

LONGEST_SGF = 4 << 20  # bytes: a long game with a page of analysis on every move
_MOST_PARTS = 500_000  # of which a parser makes objects: thousands of variations

_START = re.compile(rb"\(\s*;")
_PART = re.compile(rb"\[[^\\\]]*(?:\\.[^\\\]]*)*(?:\]|\\?\Z)|[;()]|[A-Za-z]{1,64}", re.DOTALL)
_CHARSET = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_.:-]{1,40})\s*\]")
# Only what occurs in old records: some of Python's other codecs run code or do not yield text.
_CHARSETS = re.compile(
    r"utf-?8|iso-?8859-?\d{1,2}|latin-?1|(us-)?ascii|(windows|cp)-?(125\d|936|949|950)"
    r"|koi8-[ru]|shift_?jis|euc-?(jp|kr)|gb2312|gbk|gb18030|big5"
)


def parsed(source: bytes | str) -> sgf_grammar.Coarse_game_tree:
    """The first game in a file, in UTF-8; raises `BadRecord` for what is too long or no SGF."""
    # Text from JSON can hold half a letter.
    data = source.encode("utf-8", "replace") if isinstance(source, str) else source
    if len(data) > LONGEST_SGF:
        raise BadRecord("SGF", f"longer than {LONGEST_SGF >> 20} MiB")
    if isinstance(source, bytes):
        data = _as_utf8(source)
    if _parts(data) > _MOST_PARTS:
        raise BadRecord("SGF", f"more than {_MOST_PARTS} nodes, properties and values")
    try:
        return sgf_grammar.parse_sgf_game(data)
    except ValueError as error:
        raise BadRecord("SGF", str(error)) from None


def _parts(data: bytes) -> int:
    """How many values, names and delimiters a parser would find, counted to one too many."""
    start = _START.search(data)
    found = _PART.finditer(data, start.start()) if start else iter(())
    return sum(1 for _ in itertools.islice(found, _MOST_PARTS + 1))


def _as_utf8(data: bytes) -> bytes:
    """The file in UTF-8, whatever its byte order mark or `CA` says it is in.

    The whole file is converted before it is parsed: in Shift-JIS and GBK a bracket or backslash
    can be half a character. Without a `CA` that we know, UTF-8 and then Latin-1 are tried.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace").encode("utf-8")
    if data.startswith(codecs.BOM_UTF8):
        return data.decode("utf-8", "replace").encode("utf-8")
    declared = _CHARSET.search(data[:4096])
    charset = declared[1].decode("ascii").lower() if declared else ""
    if _CHARSETS.fullmatch(charset):
        try:
            return data.decode(charset, "replace").encode("utf-8")
        except LookupError:
            pass  # a number that no ISO 8859 has
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1").encode("utf-8")
    return data
