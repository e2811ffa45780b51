"""Who may ask: the browser that was given the token, on a page that we served, by our own name.

Other pages in the same browser can send requests here, too. A page under a name that was made to
point at this machine (DNS rebinding) is told apart by `Host`, one of another site by `Origin`, and
whoever else can reach the port by the token.
"""

import contextlib
import hmac
import ipaddress
from collections.abc import Sequence

import attrs

from linage_bot.web.errors import Refused

_COOKIE_SECONDS = 30 * 24 * 3600


@attrs.frozen
class Guard:
    """Decides by what a request says of itself; `port` is where we listen, `address` on which."""

    token: str
    address: str
    port: int

    @property
    def cookie_name(self) -> str:
        """Cookies are shared by all ports of a host, so the port is in the name."""
        return f"linage-bot-{self.port}"

    @property
    def cookie(self) -> str:
        """What sets the cookie: out of reach of scripts, not sent with other sites' requests."""
        return (
            f"{self.cookie_name}={self.token}; Path=/; HttpOnly; SameSite=Strict;"
            f" Max-Age={_COOKIE_SECONDS}"
        )

    def check_host(self, hosts: Sequence[str]) -> None:
        """Raises `Refused` unless the request was sent to this server by its own name."""
        if len(hosts) != 1 or not self._is_ours(hosts[0].lower()):
            raise Refused(421, "this server does not go by that name")

    def check_origin(
        self, host: str, origins: Sequence[str], fetch_sites: Sequence[str], *, posting: bool
    ) -> None:
        """Raises `Refused` for what a page of another site sends.

        `fetch_sites` is Sec-Fetch-Site, of browsers that send it.
        """
        if origins:
            scheme, separator, origin = origins[0].lower().partition("://")
            ours = len(origins) == 1 and scheme == "http" and separator
            if not ours or origin != host.lower():
                raise Refused(403, "requests from other pages are refused")
        elif posting:
            raise Refused(403, "a request that changes something needs an Origin")
        if fetch_sites and fetch_sites[0] not in ("same-origin", "none"):
            raise Refused(403, "requests from other pages are refused")

    def check_token(self, cookie: str | None, token: str | None) -> None:
        """Raises `Refused` without the token, in the cookie or in the address."""
        if not (self.is_token(cookie) or self.is_token(token)):
            raise Refused(401, "open the address that linage-bot web has printed, with its token")

    def check_json(self, content_types: Sequence[str]) -> None:
        """Raises `Refused` for a body that is not JSON: forms of other pages cannot send that."""
        kinds = [kind.partition(";")[0].strip().lower() for kind in content_types]
        if kinds != ["application/json"]:
            raise Refused(415, "the body must be application/json")

    def is_token(self, word: str | None) -> bool:
        """Whether it is the token, compared in constant time."""
        return word is not None and hmac.compare_digest(word.encode(), self.token.encode())

    def _is_ours(self, host: str) -> bool:
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
