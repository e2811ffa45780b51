"""Access checks: the browser must have the token, from our own page under our own name.

A browser with only a table's pass, from a link to it, gets access to that table alone.

Other pages in the same browser can send requests here, too. A page under a name that was pointed at
this machine (DNS rebinding) is detected by `Host`, one of another site by `Origin`, and any other
client that can reach the port by the missing token.
"""

import contextlib
import hashlib
import hmac
import ipaddress
from collections.abc import Mapping, Sequence

import attrs

from linage_bot.web.table.errors import HttpError

_COOKIE_SECONDS = 30 * 24 * 3600
_ATTRIBUTES = f"Path=/; HttpOnly; SameSite=Strict; Max-Age={_COOKIE_SECONDS}"


@attrs.frozen
class Guard:
    """The access rules; `port` and `address` are those on which the server listens.

    `origin` is their public form behind a reverse proxy, such as https://board.example.org.
    """

    token: str
    address: str
    port: int
    origin: str | None = None
    local_address: str | None = None  # this machine's in its network; None if it is not known

    @property
    def address_for_others(self) -> str | None:
        """The start of the addresses that other machines open; None if they cannot reach this one.

        If the server listens on all interfaces, the address is the one in the local network.
        """
        if self.origin is not None:
            return self.origin
        everywhere = ipaddress.ip_address(self.address).is_unspecified
        address = self.local_address if everywhere else self.address
        if address is None or ipaddress.ip_address(address).is_loopback:
            return None
        return f"http://{f'[{address}]' if ':' in address else address}:{self.port}"

    @property
    def cookie_name(self) -> str:
        """The cookie's name, with the port, because all ports of a host share cookies."""
        return f"linage-bot-{self.port}"

    @property
    def cookie(self) -> str:
        """The Set-Cookie value of the token: hidden from scripts and from other sites' requests."""
        return f"{self.cookie_name}={self.token}; {self._attributes}"

    @property
    def _attributes(self) -> str:
        encrypted = self.origin is not None and self.origin.startswith("https:")
        return f"{_ATTRIBUTES}; Secure" if encrypted else _ATTRIBUTES

    def pass_to(self, table: str) -> str:
        """Return the pass that gives access to one table without the token."""
        words = f"pass to {table}".encode()
        return hmac.new(self.token.encode(), words, hashlib.sha256).hexdigest()[:40]

    def pass_cookie(self, table: str) -> str:
        """Return the Set-Cookie value of a pass, which is also sent for links in e-mails."""
        attributes = self._attributes.replace("SameSite=Strict", "SameSite=Lax")
        return f"{self.cookie_name}-{table}={self.pass_to(table)}; {attributes}"

    def tables(self, cookies: Mapping[str, str]) -> set[str]:
        """Return the tables for which the cookies hold a valid pass."""
        start = f"{self.cookie_name}-"
        words = {
            name[len(start) :]: word for name, word in cookies.items() if name.startswith(start)
        }
        return {table for table, word in words.items() if self.is_pass(table, word)}

    def is_pass(self, table: str, word: str | None) -> bool:
        """Return whether a word is the pass to a table, compared in constant time."""
        ours = self.pass_to(table).encode()
        return word is not None and hmac.compare_digest(word.encode(), ours)

    def check_host(self, hosts: Sequence[str]) -> None:
        """Raise `HttpError` unless the request was sent to this server by its own name."""
        if len(hosts) != 1 or not self._is_ours(hosts[0].lower()):
            raise HttpError(421, "this server does not go by that name")

    def check_origin(
        self, host: str, origins: Sequence[str], fetch_sites: Sequence[str], *, posting: bool
    ) -> None:
        """Raise `HttpError` for a request from a page of another site.

        `fetch_sites` are the values of Sec-Fetch-Site, empty if the browser does not send it.
        """
        if origins:
            scheme, separator, origin = origins[0].lower().partition("://")
            ours = scheme == "http" and separator and origin == host.lower()
            proxied = self._is_proxys(host) and origins[0] == self.origin
            if len(origins) > 1 or not (ours or proxied):
                raise HttpError(403, "requests from other pages are refused")
        elif posting:
            raise HttpError(403, "a request that changes something needs an Origin")
        if fetch_sites and fetch_sites[0] not in ("same-origin", "none"):
            raise HttpError(403, "requests from other pages are refused")

    def check_token(self, cookie: str | None, token: str | None) -> None:
        """Raise `HttpError` unless the token is in the cookie or in the address."""
        if not (self.is_token(cookie) or self.is_token(token)):
            raise HttpError(401, "this board is private: open the full link that was printed")

    def check_json(self, content_types: Sequence[str]) -> None:
        """Raise `HttpError` if the body is not JSON, which other sites' forms cannot send."""
        kinds = [kind.partition(";")[0].strip().lower() for kind in content_types]
        if kinds != ["application/json"]:
            raise HttpError(415, "the body must be application/json")

    def is_token(self, word: str | None) -> bool:
        """Return whether a word is the token, compared in constant time."""
        return word is not None and hmac.compare_digest(word.encode(), self.token.encode())

    def _is_proxys(self, host: str) -> bool:
        return self.origin is not None and host.lower() == self.origin.partition("://")[2]

    def _is_ours(self, host: str) -> bool:
        if self._is_proxys(host):
            return True
        name, _, port = host.rpartition(":")
        if port != str(self.port):
            return self.port == 80 and self._is_name_of_ours(host)
        return self._is_name_of_ours(name)

    def _is_name_of_ours(self, name: str) -> bool:
        if name in ("localhost", "127.0.0.1", "[::1]"):
            return True
        with contextlib.suppress(ValueError):
            address = ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
            listening = ipaddress.ip_address(self.address)
            # No rebinding without a name: with all interfaces open, any address may be ours.
            return listening.is_unspecified or address == listening
        return False
