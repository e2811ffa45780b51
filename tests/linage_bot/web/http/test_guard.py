"""The guard admits requests by host name, origin and token."""

import attrs
import pytest

from linage_bot.web.http.guard import Guard
from linage_bot.web.table.errors import HttpError

GUARD = Guard("s3cret-token", "127.0.0.1", 8413)


@attrs.frozen
class Asking:
    """The headers and method of a request that the guard checks."""

    method: str
    hosts: list[str]
    origins: list[str]
    content_types: list[str]
    fetch_sites: list[str]
    cookie: str | None
    token: str | None


GOOD = Asking(
    method="POST",
    hosts=["127.0.0.1:8413"],
    origins=["http://127.0.0.1:8413"],
    content_types=["application/json"],
    fetch_sites=["same-origin"],
    cookie="s3cret-token",
    token=None,
)


def check(guard: Guard, asking: Asking) -> None:
    guard.check_host(asking.hosts)
    check_origin(guard, asking)
    guard.check_token(asking.cookie, asking.token)
    guard.check_json(asking.content_types)


def check_origin(guard: Guard, asking: Asking) -> None:
    posting = asking.method == "POST"
    guard.check_origin(asking.hosts[0], asking.origins, asking.fetch_sites, posting=posting)


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"hosts": ["localhost:8413"], "origins": ["http://localhost:8413"]},
        {"hosts": ["LOCALHOST:8413"], "origins": ["http://localhost:8413"]},
        {"hosts": ["[::1]:8413"], "origins": ["http://[::1]:8413"]},
        {"cookie": None, "token": "s3cret-token"},
        {"fetch_sites": []},
        {"content_types": ["application/json; charset=utf-8"]},
    ],
)
def test_our_own_page_is_let_in(change: dict) -> None:
    """The page is admitted under every name of this machine."""
    check(GUARD, attrs.evolve(GOOD, **change))


@pytest.mark.parametrize(
    ("status", "change"),
    [
        (421, {"hosts": []}),
        (421, {"hosts": ["127.0.0.1:8413", "evil.example"]}),
        (421, {"hosts": ["evil.example:8413"]}),
        (421, {"hosts": ["evil.example"]}),
        (421, {"hosts": ["127.0.0.1"]}),
        (421, {"hosts": ["127.0.0.1:80"]}),
        (421, {"hosts": ["192.168.1.5:8413"]}),
        (421, {"hosts": ["localhost.evil.example:8413"]}),
        (421, {"hosts": ["127.0.0.1:8413@evil.example"]}),
        (421, {"hosts": ["\u0661\u0662\u0667.0.0.1:8413"]}),
        (403, {"origins": []}),
        (403, {"origins": ["null"]}),
        (403, {"origins": ["http://evil.example"]}),
        (403, {"origins": ["https://127.0.0.1:8413"]}),
        (403, {"origins": ["http://127.0.0.1:8414"]}),
        (403, {"origins": ["http://localhost:8413"]}),
        (403, {"origins": ["http://127.0.0.1:8413.evil.example"]}),
        (403, {"origins": ["http://127.0.0.1:8413", "http://evil.example"]}),
        (403, {"method": "GET", "origins": ["http://evil.example"]}),
        (403, {"method": "GET", "origins": [], "fetch_sites": ["cross-site"]}),
        (403, {"fetch_sites": ["same-site"]}),
        (401, {"cookie": None}),
        (401, {"cookie": ""}),
        (401, {"cookie": "s3cret-toke"}),
        (401, {"cookie": "s3cret-token "}),
        (401, {"cookie": "wrong", "token": "\u2603"}),
        (415, {"content_types": []}),
        (415, {"content_types": ["text/plain"]}),
        (415, {"content_types": ["application/x-www-form-urlencoded"]}),
        (415, {"content_types": ["text/plain", "application/json"]}),
    ],
)
def test_everybody_else_is_told_why_not(status: int, change: dict) -> None:
    """Other requests are refused with the fitting HTTP status."""
    with pytest.raises(HttpError) as refused:
        check(GUARD, attrs.evolve(GOOD, **change))
    assert refused.value.status == status


def test_a_page_may_be_asked_for_without_origin() -> None:
    """A page loads without an Origin header, as when a browser follows a link."""
    asking = attrs.evolve(GOOD, method="GET", origins=[], fetch_sites=["none"])
    check_origin(GUARD, asking)


@pytest.mark.parametrize(
    ("address", "host", "ours"),
    [
        ("192.168.1.5", "192.168.1.5:8413", True),
        ("192.168.1.5", "192.168.1.6:8413", False),
        ("192.168.1.5", "nas.local:8413", False),
        ("0.0.0.0", "192.168.1.6:8413", True),
        ("0.0.0.0", "evil.example:8413", False),
        ("::", "[fe80::1]:8413", True),
    ],
)
def test_elsewhere_it_goes_by_its_address_and_by_no_name(
    address: str, host: str, ours: bool
) -> None:
    """A server on a network address accepts that address but no host name (DNS rebinding)."""
    guard = attrs.evolve(GUARD, address=address)
    if ours:
        guard.check_host([host])
    else:
        with pytest.raises(HttpError):
            guard.check_host([host])


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites() -> None:
    """The cookie is HttpOnly and SameSite, and its name contains the port."""
    assert GUARD.cookie.startswith("linage-bot-8413=s3cret-token;")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(GUARD.cookie.split("; "))


def test_a_pass_lets_in_to_one_table() -> None:
    """A pass opens one table, survives a restart and cannot serve as the token."""
    word = GUARD.pass_to("table")
    assert GUARD.is_pass("table", word)
    assert not any(GUARD.is_pass("table", each) for each in (None, "", "ü", GUARD.pass_to("other")))
    assert word == Guard("s3cret-token", "::1", 80).pass_to("table")
    assert word != Guard("other-token", "127.0.0.1", 8413).pass_to("table")
    assert not GUARD.is_token(word)
    name, _, told = GUARD.pass_cookie("table").partition(";")[0].partition("=")
    cookies = {name: told, "linage-bot-8413-other": told, "linage-bot-8413": word, "x": "y"}
    assert GUARD.tables(cookies) == {"table"}


PROXIED = attrs.evolve(GUARD, origin="https://board.example.org")


def test_behind_a_proxy_it_goes_by_the_name_that_browsers_know() -> None:
    """Behind a proxy, requests may use the public or the local name, and no other."""
    host = "board.example.org"
    for name in (host, host.upper(), "127.0.0.1:8413"):
        PROXIED.check_host([name])
    PROXIED.check_origin(host, [f"https://{host}"], ["same-origin"], posting=True)
    for wrong in ("example.org", f"{host}:8443", f"x{host}"):
        with pytest.raises(HttpError):
            PROXIED.check_host([wrong])
    for origin in (f"https://{host}:8443", "https://evil.example", "null"):
        with pytest.raises(HttpError):
            PROXIED.check_origin(host, [origin], [], posting=True)
    with pytest.raises(HttpError):  # an origin under one name is refused under the other
        PROXIED.check_origin("127.0.0.1:8413", [f"https://{host}"], [], posting=True)
    with pytest.raises(HttpError):
        GUARD.check_host([host])


def test_what_is_encrypted_keeps_its_cookies_to_itself() -> None:
    """Behind an HTTPS proxy cookies are marked Secure."""
    assert PROXIED.cookie.endswith("; Secure")
    assert PROXIED.pass_cookie("table").endswith("; Secure")
    assert "Secure" not in GUARD.cookie


@pytest.mark.parametrize(
    ("address", "origin", "local", "expected"),
    [
        ("127.0.0.1", None, "192.168.1.7", None),
        ("::1", None, None, None),
        ("127.0.0.1", "https://board.example.org", None, "https://board.example.org"),
        ("192.168.1.7", None, None, "http://192.168.1.7:8413"),
        ("fd00::7", None, "192.168.1.7", "http://[fd00::7]:8413"),
        ("0.0.0.0", None, "192.168.1.7", "http://192.168.1.7:8413"),
        ("::", None, None, None),
    ],
)
def test_links_for_others_begin_with_an_address_that_they_can_reach(
    address: str, origin: str | None, local: str | None, expected: str | None
) -> None:
    """The proxy's address comes first, then the server's own, or that in the local network."""
    assert Guard("token", address, 8413, origin, local).address_for_others == expected
