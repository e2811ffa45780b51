"""Passwords as they are stored: a salted scrypt hash that names its own parameters.

One hash takes some 16 MiB and a tenth of a second, on purpose: call these off the reactor's thread.
"""

import base64
import hashlib
import hmac
import os
from typing import Final

_KIND: Final = "scrypt"
_COST, _BLOCK, _PARALLEL = 1 << 14, 8, 1
_MEMORY_BYTES: Final = 1 << 26
_SALT_BYTES: Final = 16


def hashed(password: str) -> str:
    """The text to store for a password; another one each time."""
    salt = os.urandom(_SALT_BYTES)
    key = _scrypt(password, salt, _COST, _BLOCK, _PARALLEL)
    return "$".join([_KIND, f"{_COST},{_BLOCK},{_PARALLEL}", _text(salt), _text(key)])


def matches(password: str, stored: str) -> bool:
    """Whether a password is the one that was stored; False for what `hashed` never made."""
    try:
        kind, parameters, salt, key = stored.split("$")
        cost, block, parallel = map(int, parameters.split(","))
        made = _scrypt(password, base64.b64decode(salt), cost, block, parallel)
        return kind == _KIND and hmac.compare_digest(made, base64.b64decode(key))
    except ValueError:
        return False


def _scrypt(password: str, salt: bytes, cost: int, block: int, parallel: int) -> bytes:
    return hashlib.scrypt(
        password.encode(), salt=salt, n=cost, r=block, p=parallel, maxmem=_MEMORY_BYTES, dklen=32
    )


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
