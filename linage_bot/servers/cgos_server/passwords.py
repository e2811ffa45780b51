"""Passwords as they are stored: a salted scrypt hash that names its own parameters.

One hash takes some 16 MiB and a tenth of a second, on purpose: do not call these functions on the
reactor's thread.
"""

import base64
import hashlib
import hmac
import os
from typing import Final

_COST, _BLOCK, _PARALLEL = 1 << 14, 8, 1
_MEMORY_BYTES: Final = 1 << 26
_SALT_BYTES: Final = 16


def hashed(password: str) -> str:
    """Return the text to store for a password, different each time."""
    return _scrypt(password, os.urandom(_SALT_BYTES), _COST, _BLOCK, _PARALLEL)


def matches(password: str, stored: str) -> bool:
    """Return whether a password matches a stored text; False for one that `hashed` never made."""
    try:
        _, parameters, salt, _ = stored.split("$")
        cost, block, parallel = map(int, parameters.split(","))
        again = _scrypt(password, base64.b64decode(salt), cost, block, parallel)
    except ValueError:
        return False
    return hmac.compare_digest(again.encode(), stored.encode())


def _scrypt(password: str, salt: bytes, cost: int, block: int, parallel: int) -> str:
    key = hashlib.scrypt(
        password.encode(), salt=salt, n=cost, r=block, p=parallel, maxmem=_MEMORY_BYTES, dklen=32
    )
    texts = [base64.b64encode(raw).decode() for raw in (salt, key)]
    return "$".join(["scrypt", f"{cost},{block},{parallel}", *texts])
