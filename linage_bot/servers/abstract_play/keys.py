"""The site's public key: a line as OpenSSH writes it, or the SSH2 block (RFC 4716) it publishes."""

import re
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_ssh_public_key

_KIND: Final = "ssh-ed25519"
_BEGIN, _END = "---- BEGIN SSH2 PUBLIC KEY ----", "---- END SSH2 PUBLIC KEY ----"
_HEADER: Final = re.compile(r"^[^:\n]+:(?:.*\\\n)*.*\n", re.MULTILINE)
"""`Comment: "…"`; a backslash at the end of a line continues it. Base64 has no colon."""


def read_key(text: str) -> Ed25519PublicKey:
    """The key in `ssh-ed25519 AAAA… comment` or in an SSH2 block; raises `ValueError`."""
    text = text.strip().replace("\r\n", "\n")
    if text.startswith(_BEGIN):
        if not text.endswith(_END):
            raise ValueError(f"the key does not end with {_END}")
        body = _HEADER.sub("", text.removeprefix(_BEGIN).removesuffix(_END).lstrip())
        text = f"{_KIND} {''.join(body.split())}"
    elif not text.startswith(f"{_KIND} "):
        raise ValueError(f"expected a line that begins with {_KIND}, or a block {_BEGIN}")
    try:
        key = load_ssh_public_key(text.encode())
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError("this is not an Ed25519 key, or a damaged one")
    return key
