"""The character set of an SGF file, which `CA` in the file itself names.

A file is decoded before it is parsed: in Shift_JIS, GBK and Big5 the second byte of a letter can be
a bracket or a backslash.
"""

import re
from collections.abc import Callable
from typing import Final

from protocol.session.text import codec_of, marked_encoding

Warn = Callable[[str], object]
"""A callback for a line about an oddity of a file, which is read nevertheless."""

# In a comment a `]` would follow a backslash.
_CHARSET: Final = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([^\[\]\\]{1,80}?)\s*\]")
_SUPERSETS: Final = {  # the sets that programs use under these names
    "big5": ("cp950", "big5hkscs"),
    "euc_jp": ("euc_jis_2004",),
    "euc_kr": ("cp949",),
    "gb2312": ("gb18030",),
    "gbk": ("gb18030",),
    "shift_jis": ("cp932",),
}
_BACKSLASH: Final = b"\\"


def to_utf8(data: bytes, warn: Warn) -> bytes:
    """Return a file in UTF-8, decoded from the character set of its byte order mark or its `CA`.

    Without either, or with a `CA` that is unknown, UTF-8 is tried and then ISO 8859-1, the set that
    FF[4] means. Warns of a set that is unknown, and of bytes that are no letters of it.
    """
    where, encodings = _declared(data)
    for encoding in encodings:
        try:
            return _decoded(data, encoding, "strict")
        except UnicodeDecodeError:
            pass  # try the next
    if encodings:
        warn(f"{where}: some bytes are not characters of this set; they become \ufffd")
        return _decoded(data, encodings[-1], "replace")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        warn(f"{where or 'CA'}: {'unknown' if where else 'missing'}; read as ISO-8859-1")
        return data.decode("latin-1").encode()
    if where:
        warn(f"{where}: unknown; read as UTF-8")
    return data


def _declared(data: bytes) -> tuple[str, list[str]]:
    """Return the declaration of a file's character set, and the encodings to be tried, if known.

    ASCII counts as none: a file that is all ASCII needs none, any other is in a larger set.
    """
    if (marked := marked_encoding(data)) is not None:
        return "byte order mark", [marked]
    if (found := _CHARSET.search(data)) is None:
        return "", []
    name = found[1].decode("utf-8", "replace")
    codec = codec_of(name)
    if codec == "ascii":
        return "", []
    where = f"CA[{''.join(letter if letter.isprintable() else ' ' for letter in name)}]"
    return where, [] if codec is None else [codec, *_SUPERSETS.get(codec, ())]


def _decoded(data: bytes, encoding: str, errors: str) -> bytes:
    text = data.decode(encoding, errors)
    if not encoding.startswith(("utf-16", "utf-32")):
        # The byte of a backslash is a currency sign in some sets, but still an escape.
        text = text.replace(_BACKSLASH.decode(encoding), "\\")
    return text.encode("utf-8", "replace")  # half a surrogate pair can be written in UTF-16
