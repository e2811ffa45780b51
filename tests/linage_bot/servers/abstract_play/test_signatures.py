"""Webhooks: only the site's own, only fresh ones, each once."""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from linage_bot.servers.abstract_play.signatures import Untrusted, Verifier

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
NOW = 1_800_000_000.0
BODY = b'{"verb": "move"}'


def check(verifier, stamp=b"1800000000000", nonce=b"n", body=BODY, signed=None):
    signature = KEY.sign(stamp + b"." + nonce + b"." + body) if signed is None else signed
    verifier.check(stamp, nonce, base64.b64encode(signature), body, NOW)


@pytest.fixture
def verifier():
    known = set()

    def use(nonce, until):
        assert until >= NOW + 300
        new = nonce not in known
        known.add(nonce)
        return new

    return Verifier(KEY.public_key(), use)


@pytest.mark.parametrize("stamp", [b"1800000000000", b"1800000000", b"1799999701", b"1800000299"])
def test_seconds_and_milliseconds_are_understood(verifier, stamp):
    """And a clock that is off by almost five minutes, early or late."""
    check(verifier, stamp)


@pytest.mark.parametrize(
    "stamp",
    [b"1799999699", b"1800000301000", b"0", b"", b"-1", b"nan", b"1e9", b"18000000000000000"],
)
def test_old_and_odd_times_are_refused(verifier, stamp):
    """A webhook somebody caught cannot be sent again after five minutes."""
    with pytest.raises(Untrusted):
        check(verifier, stamp)


def test_a_nonce_is_good_once_and_only_valid_ones_are_used_up(verifier):
    """A forger cannot spend the nonce of the site's next webhook."""
    with pytest.raises(Untrusted, match="signature"):
        check(verifier, signed=bytes(64))
    check(verifier)
    with pytest.raises(Untrusted, match="before"):
        check(verifier)
    check(verifier, nonce=b"other")


@pytest.mark.parametrize("signed", [b"", bytes(63), bytes(64), bytes(65)])
def test_what_is_no_signature_is_refused(verifier, signed):
    """Of the right length or of any other."""
    with pytest.raises(Untrusted):
        check(verifier, signed=signed)


@pytest.mark.parametrize("missing", range(3))
def test_a_missing_header_is_refused(verifier, missing):
    """The time, the nonce or the signature."""
    headers = [b"1800000000", b"n", b"AAAA"]
    headers[missing] = None
    with pytest.raises(Untrusted, match="missing"):
        verifier.check(*headers, BODY, NOW)


@pytest.mark.parametrize("nonce", [b"", b"x" * 201])
def test_nonces_have_a_sensible_length(verifier, nonce):
    """They are kept for a while, so an empty or a huge one is not taken."""
    with pytest.raises(Untrusted, match="nonce"):
        check(verifier, nonce=nonce)
