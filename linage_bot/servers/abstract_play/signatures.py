"""Whether a webhook comes from the site: signature, age, and that it came only once."""

import base64
import binascii
import math
import re
from collections.abc import Callable
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MOST_AGE_SECONDS: Final = 300.0
_MILLISECONDS: Final = 1e11  # a larger number of seconds would be after the year 5000
_TIMESTAMP: Final = re.compile(rb"[0-9]{1,15}(\.[0-9]{1,9})?")
_LONGEST_NONCE: Final = 200


class Untrusted(Exception):
    """A webhook that is not to be believed."""


class Verifier:
    """Checks webhooks with the site's public key."""

    def __init__(self, key: Ed25519PublicKey, use: Callable[[str, float], bool]) -> None:
        """`use` remembers a nonce until a time, even after a restart; False if it knows it."""
        self._key = key
        self._use = use

    def check(
        self,
        timestamp: bytes | None,
        nonce: bytes | None,
        signature: bytes | None,
        body: bytes,
        now: float,
    ) -> None:
        """Let a webhook pass once, or raise `Untrusted`; `now` is in seconds since the epoch."""
        if timestamp is None or nonce is None or signature is None:
            raise Untrusted("a signature header is missing")
        if not _TIMESTAMP.fullmatch(timestamp):
            raise Untrusted("the timestamp is no number")
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
