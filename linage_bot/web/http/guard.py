"""Who may ask: the browser that was given the token, on a page that we served, by our own name.

Who was given only a table's pass, in a link to it, gets to that table and no further.

Other pages in the same browser can send requests here, too. A page under a name that was made to
point at this machine (DNS rebinding) is told apart by `Host`, one of another site by `Origin`, and
whoever else can reach the port by the token.
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
    """Decides by what a request says of itself; `port` is where we listen, `address` on which.

    `origin` is what a reverse proxy makes of it for browsers, such as https://board.example.org.
    """

    token: str
    address: str
    port: int
    origin: str | None = None

    @property
    def cookie_name(self) -> str:
        """Cookies are shared by all ports of a host, so the port is in the name."""
        return f"linage-bot-{self.port}"

    @property
    def cookie(self) -> str:
        """What sets the cookie: out of reach of scripts, not sent with other sites' requests."""
        return f"{self.cookie_name}={self.token}; {self._attributes}"

    @property
    def _attributes(self) -> str:
        encrypted = self.origin is not None and self.origin.startswith("https:")
        return f"{_ATTRIBUTES}; Secure" if encrypted else _ATTRIBUTES

    def pass_to(self, table: str) -> str:
        """What lets somebody in to one table who has no token."""
        words = f"pass to {table}".encode()
        return hmac.new(self.token.encode(), words, hashlib.sha256).hexdigest()[:40]

    def pass_cookie(self, table: str) -> str:
        """What sets the cookie of a pass; it is sent when a link in a letter is opened, too."""
        attributes = self._attributes.replace("SameSite=Strict", "SameSite=Lax")
        return f"{self.cookie_name}-{table}={self.pass_to(table)}; {attributes}"

    def tables(self, cookies: Mapping[str, str]) -> set[str]:
        """Those to which somebody has a pass."""
        start = f"{self.cookie_name}-"
        told = {
            name[len(start) :]: word for name, word in cookies.items() if name.startswith(start)
        }
        return {table for table, word in told.items() if self.is_pass(table, word)}

    def is_pass(self, table: str, word: str | None) -> bool:
        """Whether it is the pass to a table, compared in constant time."""
        ours = self.pass_to(table).encode()
        return word is not None and hmac.compare_digest(word.encode(), ours)

    def check_host(self, hosts: Sequence[str]) -> None:
        """Raises `HttpError` unless the request was sent to this server by its own name."""
        if len(hosts) != 1 or not self._is_ours(hosts[0].lower()):
            raise HttpError(421, "this server does not go by that name")

    def check_origin(
        self, host: str, origins: Sequence[str], fetch_sites: Sequence[str], *, posting: bool
    ) -> None:
        """Raises `HttpError` for what a page of another site sends.

        `fetch_sites` is Sec-Fetch-Site, of browsers that send it.
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
        """Raises `HttpError` without the token, in the cookie or in the address."""
        if not (self.is_token(cookie) or self.is_token(token)):
            raise HttpError(401, "open the address that linage-bot web has printed, with its token")

    def check_json(self, content_types: Sequence[str]) -> None:
        """Raises `HttpError` for a body that is not JSON: forms of other pages cannot send that."""
        kinds = [kind.partition(";")[0].strip().lower() for kind in content_types]
        if kinds != ["application/json"]:
            raise HttpError(415, "the body must be application/json")

    def is_token(self, word: str | None) -> bool:
        """Whether it is the token, compared in constant time."""
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
