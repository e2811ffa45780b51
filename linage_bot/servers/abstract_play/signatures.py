"""Verification of webhooks: the site's key, the signature, its age, and that it comes only once.

The key is a line as OpenSSH writes it, or the SSH2 block (RFC 4716) that the site publishes.
"""

import base64
import binascii
import math
import re
from collections.abc import Callable
from typing import Final

import attrs
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_ssh_public_key

MOST_AGE_SECONDS: Final = 300.0
_MILLISECONDS: Final = 1e11  # a larger number of seconds would be after the year 5000
_TIMESTAMP: Final = re.compile(rb"[0-9]{1,15}(\.[0-9]{1,9})?")
_LONGEST_NONCE: Final = 200
_KIND: Final = "ssh-ed25519"
_BEGIN, _END = "---- BEGIN SSH2 PUBLIC KEY ----", "---- END SSH2 PUBLIC KEY ----"
_LINE: Final = re.compile(rf"{_KIND} (\S+).*")
_BLOCK: Final = re.compile(rf"{_BEGIN}\n(?:[^:\n]+:(?:.*\\\n)*.*\n)*([^:]*){_END}")
"""The SSH2 block, with headers, `Comment: "…"`, that a backslash at the end of a line continues."""


def read_key(text: str) -> Ed25519PublicKey:
    """Return the key in `ssh-ed25519 AAAA… comment` or in an SSH2 block; raise `ValueError`."""
    text = text.strip().replace("\r\n", "\n")
    found = _LINE.fullmatch(text) or _BLOCK.fullmatch(text)
    if found is None:
        raise ValueError(f"expected a line that begins with {_KIND}, or a block {_BEGIN} … {_END}")
    try:
        key = load_ssh_public_key(f"{_KIND} {''.join(found[1].split())}".encode())
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError("not an Ed25519 key, or it is damaged; copy the site's key again")
    return key


class Untrusted(Exception):
    """A webhook that fails verification."""


@attrs.frozen
class Verifier:
    """A verifier of webhooks with the site's public key.

    `use(nonce, until)` stores a nonce until a time, even over a restart; False if it is known.
    """

    _key: Ed25519PublicKey
    _use: Callable[[str, float], bool]

    def check(
        self,
        timestamp: bytes | None,
        nonce: bytes | None,
        signature: bytes | None,
        body: bytes,
        now: float,
    ) -> None:
        """Accept a webhook once, or raise `Untrusted`; `now` is in seconds since the epoch."""
        if timestamp is None or nonce is None or signature is None:
            raise Untrusted("a signature header is missing")
        if not _TIMESTAMP.fullmatch(timestamp):
            raise Untrusted("the timestamp is not a number")
        if not 0 < len(nonce) <= _LONGEST_NONCE:
            raise Untrusted("the nonce is empty or too long")
        try:
            signed = base64.b64decode(signature, validate=True)
            self._key.verify(signed, timestamp + b"." + nonce + b"." + body)
        except (binascii.Error, ValueError, InvalidSignature):
            raise Untrusted("the signature is wrong") from None
        seconds = float(timestamp)
        if seconds > _MILLISECONDS:
            seconds /= 1000
        age = now - seconds
        if not math.fabs(age) <= MOST_AGE_SECONDS:
            raise Untrusted(f"signed {age:.0f} s ago")
        if not self._use(nonce.hex(), seconds + 2 * MOST_AGE_SECONDS):
            raise Untrusted("the nonce was used before")
