"""Webhook signatures: genuine, recent and used once, with keys in any common format."""

import base64
import json
import re
import shutil
import subprocess

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from linage_bot.servers.abstract_play.settings import BotSettings
from linage_bot.servers.abstract_play.signatures import Untrusted, Verifier, read_key
from linage_bot.settings.reading import load
from tests.linage_bot.servers.abstract_play.test_settings import EXAMPLE

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = KEY.public_key()
RAW = PUBLIC.public_bytes(Encoding.Raw, PublicFormat.Raw)
LINE = PUBLIC.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
CODE = LINE.split()[1]
BEGIN, END = "---- BEGIN SSH2 PUBLIC KEY ----", "---- END SSH2 PUBLIC KEY ----"
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
    """Times in seconds or milliseconds are accepted if they are less than five minutes off."""
    check(verifier, stamp)


@pytest.mark.parametrize(
    "stamp",
    [b"1799999699", b"1800000301000", b"0", b"", b"-1", b"nan", b"1e9", b"18000000000000000"],
)
def test_old_and_odd_times_are_refused(verifier, stamp):
    """Old, future or malformed times are refused."""
    with pytest.raises(Untrusted):
        check(verifier, stamp)


def test_a_nonce_is_good_once_and_only_valid_ones_are_used_up(verifier):
    """A nonce is accepted once, and an invalid signature does not use it up."""
    with pytest.raises(Untrusted, match="signature"):
        check(verifier, signed=bytes(64))
    check(verifier)
    with pytest.raises(Untrusted, match="before"):
        check(verifier)
    check(verifier, nonce=b"other")


@pytest.mark.parametrize("signed", [b"", bytes(63), bytes(64), bytes(65)])
def test_what_is_no_signature_is_refused(verifier, signed):
    """A malformed signature is refused."""
    with pytest.raises(Untrusted):
        check(verifier, signed=signed)


@pytest.mark.parametrize("missing", range(3))
def test_a_missing_header_is_refused(verifier, missing):
    """A missing time, nonce or signature is refused."""
    headers = [b"1800000000", b"n", b"AAAA"]
    headers[missing] = None
    with pytest.raises(Untrusted, match="missing"):
        verifier.check(*headers, BODY, NOW)


@pytest.mark.parametrize("nonce", [b"", b"x" * 201])
def test_nonces_have_a_sensible_length(verifier, nonce):
    """An empty or very long nonce is refused."""
    with pytest.raises(Untrusted, match="nonce"):
        check(verifier, nonce=nonce)


def block(*lines: str) -> str:
    return "\n".join((BEGIN, *lines, END))


GOOD = {
    "line": LINE,
    "line with a comment": LINE + " of the site\n",
    "block": block(CODE),
    "block in lines": block(CODE[:40], CODE[40:]),
    "block with a comment": block('Comment: "256-bit ED25519, of: the site"', CODE),
    "block with long headers": block("Subject: me", "x-note: a \\", "  b: \\", "c", CODE),
    "block from Windows": "\n" + block("Comment: x", CODE).replace("\n", "\r\n") + "\r\n",
}
BAD = [
    "", "ssh-ed25519", "ssh-rsa AAAA", "ssh-ed25519 !!!!", LINE[:-4], LINE + "AAAA", "\u2603",
    BEGIN, block(), block("Comment: x"), block(CODE[:-4]), block("ssh-ed25519 " + CODE),
    BEGIN + "\n" + CODE, "ssh-ed25519 AAAAB3NzaC1yc2EAAAADAQABAAAAAQ==",
]  # fmt: skip


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_both_ways_to_write_a_key_mean_the_same(text):
    """A key in OpenSSH's one-line format or as an SSH2 block is the same key."""
    assert read_key(text).public_bytes(Encoding.Raw, PublicFormat.Raw) == RAW


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is missing")
def test_a_block_that_ssh_keygen_writes_is_read(tmp_path):
    """A block written by `ssh-keygen` is read, with its comment."""
    file = tmp_path / "key.pub"
    file.write_text(LINE + " somebody@example.org\n")
    done = subprocess.run(
        ["ssh-keygen", "-e", "-f", str(file)], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(BEGIN)
    assert read_key(done.stdout).public_bytes(Encoding.Raw, PublicFormat.Raw) == RAW


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_key_is_named(text):
    """A malformed key is refused with a reason."""
    with pytest.raises(ValueError, match=r"key|line"):
        read_key(text)


@pytest.mark.parametrize(
    "value", [f'"""\n{GOOD["block with a comment"]}\n"""', json.dumps(GOOD["block"])]
)
def test_a_settings_file_takes_the_block_as_it_is(tmp_path, value):
    """A settings file may contain the key block over several lines or escaped."""
    file = tmp_path / "bot.toml"
    file.write_text(re.sub('""".*"""', lambda _: value, EXAMPLE.read_text(), flags=re.DOTALL))
    key = read_key(load(file, BotSettings).site.public_key)
    assert key.public_bytes(Encoding.Raw, PublicFormat.Raw) == RAW


def test_the_example_has_the_key_that_the_site_publishes():
    """The example contains the site's published key."""
    published = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINBTbzcpb7MaQM3TIFzsS8YmPqqT2y+/fJgevp20lzLm"
    key = read_key(load(EXAMPLE, BotSettings).site.public_key)
    assert key.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode() == published
