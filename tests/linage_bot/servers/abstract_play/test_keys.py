"""The site's key is read as it is published, and as OpenSSH writes it; a damaged one is named."""

import json
import re
import shutil
import subprocess

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from linage_bot.servers.abstract_play.keys import read_key
from linage_bot.servers.abstract_play.settings import BotSettings
from linage_bot.settings.reading import load
from tests.linage_bot.servers.abstract_play.test_settings import EXAMPLE

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32))).public_key()
RAW = KEY.public_bytes(Encoding.Raw, PublicFormat.Raw)
LINE = KEY.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
BODY = LINE.split()[1]
BEGIN, END = "---- BEGIN SSH2 PUBLIC KEY ----", "---- END SSH2 PUBLIC KEY ----"


def block(*lines: str) -> str:
    return "\n".join((BEGIN, *lines, END))


GOOD = {
    "line": LINE,
    "line with a comment": LINE + " of the site\n",
    "block": block(BODY),
    "block in lines": block(BODY[:40], BODY[40:]),
    "block with a comment": block('Comment: "256-bit ED25519, of: the site"', BODY),
    "block with long headers": block("Subject: me", "x-note: a \\", "  b: \\", "c", BODY),
    "block from Windows": "\n" + block("Comment: x", BODY).replace("\n", "\r\n") + "\r\n",
}
BAD = [
    "", "ssh-ed25519", "ssh-rsa AAAA", "ssh-ed25519 !!!!", LINE[:-4], LINE + "AAAA", "\u2603",
    BEGIN, block(), block("Comment: x"), block(BODY[:-4]), block("ssh-ed25519 " + BODY),
    BEGIN + "\n" + BODY, "ssh-ed25519 AAAAB3NzaC1yc2EAAAADAQABAAAAAQ==",
]  # fmt: skip


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_both_ways_to_write_a_key_mean_the_same(text):
    """One line of OpenSSH, or a block with headers and line ends of any system."""
    assert read_key(text).public_bytes(Encoding.Raw, PublicFormat.Raw) == RAW


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is missing")
def test_a_block_that_ssh_keygen_writes_is_read(tmp_path):
    """By the program itself, with the comment that it adds."""
    file = tmp_path / "key.pub"
    file.write_text(LINE + " somebody@example.org\n")
    done = subprocess.run(
        ["ssh-keygen", "-e", "-f", str(file)], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(BEGIN)
    assert read_key(done.stdout).public_bytes(Encoding.Raw, PublicFormat.Raw) == RAW


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_key_is_named(text):
    """Cut short, of another kind, or a block without its end."""
    with pytest.raises(ValueError, match=r"key|line"):
        read_key(text)


@pytest.mark.parametrize(
    "value", [f'"""\n{GOOD["block with a comment"]}\n"""', json.dumps(GOOD["block"])]
)
def test_a_settings_file_takes_the_block_as_it_is(tmp_path, value):
    """Pasted over several lines, or as one string with its newlines escaped."""
    file = tmp_path / "bot.toml"
    file.write_text(re.sub('""".*"""', lambda _: value, EXAMPLE.read_text(), flags=re.DOTALL))
    key = read_key(load(file, BotSettings).site.public_key)
    assert key.public_bytes(Encoding.Raw, PublicFormat.Raw) == RAW


def test_the_example_has_the_key_that_the_site_publishes():
    """Who starts from the example need not look it up."""
    published = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINBTbzcpb7MaQM3TIFzsS8YmPqqT2y+/fJgevp20lzLm"
    key = read_key(load(EXAMPLE, BotSettings).site.public_key)
    assert key.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode() == published
