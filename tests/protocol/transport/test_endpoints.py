"""Endpoint strings: every way to get one wrong is named, and what Twisted takes is taken."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.endpoints import clientFromString, serverFromString
from twisted.internet.testing import MemoryReactor

from protocol.transport.endpoints import BadEndpoint, check_client, check_server

SERVERS = {
    "": "begin with one of tcp, tcp6, ssl, unix, systemd",
    "5001": "begin with one of",
    "localhost:5001": "begin with one of",
    "nosuch:1": "begin with one of",
    "TCP:1": "begin with one of",
    "stdio:": "begin with one of",
    "haproxy:": "begin with one of",
    "=": "begin with one of",
    "tcp": "the port is missing",
    "tcp:": "the port is missing",
    "tcp:interface=::1": "'1' is one word too many",
    "tcp:x": "port 'x' is not a number from 0 to 65535",
    "tcp:-1": "port '-1' is not a number",
    "tcp:65536": "port '65536' is not a number",
    "tcp: 1": "port ' 1' is not a number",
    "tcp:\N{ARABIC-INDIC DIGIT THREE}": "is not a number",
    "tcp:" + "9" * 5000: "is not a number",
    "tcp:localhost:5001": "port 'localhost' is not a number",
    "haproxy:tcp:x": "port 'x' is not a number",
    "tcp:1:127.0.0.1": r"'127.0.0.1' is one word too many; write a colon within a word as \:",
    "tcp:1:port=2": "port is given twice",
    "tcp:1:iface=x": "there is no option 'iface'; the options are interface, backlog",
    "tcp:1:backlog=x": "backlog 'x' is not a number",
    "tcp:1\\": "there is nothing after a backslash",
    "tcp:1:interface=x\\": "there is nothing after a backslash",
    "ssl:443": "the privateKey is missing",
    "unix": "the address is missing",
    "unix:/x:mode=9": "mode '9' is not a number such as 660",
    "unix:/x:lockfile=no": "lockfile 'no' is neither 0 nor 1",
}
CLIENTS = {
    "tcp:example.org": "the port is missing",
    "tcp:example.org:0": "port '0' is not a number from 1 to 65535",
    "example.org:6867": "begin with one of tcp, tls, ssl, unix",
    "tls::6867": "the host is missing",
    "tcp:example.org:6867:timeout=soon": "timeout 'soon' is not a number",
    "tcp:a..b:6867": "'a..b' cannot be the name of a machine",
    "tls:" + "x" * 64 + ".org:6867": "cannot be the name of a machine",
    "tcp:example.org:6867:key=x": "there is no option 'key'",
}
GOOD_SERVERS = [
    "tcp:0", "tcp:port=5001", "tcp:5001:interface=127.0.0.1:backlog=9", "tcp:5001:interface=",
    r"tcp6:5001:interface=\:\:1", "unix:/run/x:mode=660:lockfile=0", "haproxy:tcp:5001",
]  # fmt: skip
GOOD_CLIENTS = ["tcp:example.org:6867", "tls:example.org:6867", r"tcp:\:\:1:6867", "unix:/run/x",
                "tcp:host=example.org:port=6867:timeout=9"]  # fmt: skip


@pytest.mark.parametrize(("text", "reason"), SERVERS.items(), ids=lambda text: text[:40])
def test_what_nobody_can_listen_on_is_named(text, reason):
    """The error quotes the endpoint, names the fault, and shows a correct endpoint."""
    with pytest.raises(BadEndpoint, match=re.escape(reason)) as caught:
        check_server(text)
    assert str(caught.value).startswith(f"{text!r} is not an endpoint such as tcp:5001: ")


@pytest.mark.parametrize(("text", "reason"), CLIENTS.items(), ids=lambda text: text[:40])
def test_what_nobody_can_connect_to_is_named(text, reason):
    """Down to names that no machine can have."""
    with pytest.raises(BadEndpoint, match=re.escape(reason)):
        check_client(text)


@pytest.mark.parametrize("text", GOOD_SERVERS)
def test_what_can_be_listened_on_passes_and_twisted_takes_it(text):
    """Endpoints that Twisted accepts pass the check."""
    check_server(text)
    serverFromString(MemoryReactor(), text)


@pytest.mark.parametrize("text", GOOD_CLIENTS)
def test_what_can_be_connected_to_passes_and_twisted_takes_it(text):
    """Over TCP, TLS and files, by IPv6, and with words by name."""
    check_client(text)
    clientFromString(MemoryReactor(), text)


PARTS = ["tcp", "unix", "haproxy", ":", "\\", "=", "1", "x", "port", "interface", "mode", "backlog"]


@given(st.lists(st.sampled_from(PARTS), max_size=9).map("".join))
def test_whatever_passes_twisted_takes(text):
    """Any text: no user is left with a traceback of Twisted's."""
    for check, make in (check_server, serverFromString), (check_client, clientFromString):
        try:
            check(text)
        except BadEndpoint:
            continue
        make(MemoryReactor(), text)
