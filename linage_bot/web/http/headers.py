"""What the head of a request says: its words, which page asks, and with which secrets."""

from typing import Any

from linage_bot.web.http.requests import read_secret


def header(request: Any, name: bytes) -> list[str]:
    """All values of a header."""
    values = request.requestHeaders.getRawHeaders(name, [])
    return [value.decode("latin-1") for value in values]  # every byte is something


def page(request: Any) -> str:
    """By which name a page tells its requests from those of others; empty if it does not."""
    return "".join(header(request, b"board-page")[:1])[:40]


def secret(request: Any, *, must: bool = False) -> str:
    """That of the seat that a page has at the table, or asks for; empty if there may be none.

    Raises `HttpError` for one that cannot be, and where there must be one.
    """
    found = header(request, b"board-seat")
    return read_secret("Board-Seat", found[0] if found else "") if found or must else ""


def argument(request: Any, name: bytes) -> str | None:
    """A word in the address: the token, or the pass of a guest."""
    found: list[bytes] = request.args.get(name, [])
    return _text(found[0]) if found else None


def cookies(request: Any) -> dict[str, str]:
    """All cookies by their names."""
    return {_text(name): _text(word) for name, word in request.received_cookies.items()}


def _text(word: bytes) -> str:
    return word.decode("utf-8", "replace")
