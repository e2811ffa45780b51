"""Readers of a request's headers, query and cookies."""

from typing import Any

from linage_bot.web.http.fields import read_secret


def header(request: Any, name: bytes) -> list[str]:
    """Return all values of a header."""
    values = request.requestHeaders.getRawHeaders(name, [])
    return [value.decode("latin-1") for value in values]  # Latin-1 decodes every byte


def accepts_gzip(request: Any) -> bool:
    """Return whether the client takes a response that is compressed by gzip."""
    offers = ",".join(header(request, b"accept-encoding")).lower().replace(" ", "").split(",")
    qualities = dict(offer.partition(";q=")[::2] for offer in offers)
    return qualities.get("gzip", "0").rstrip("0.") != "" or "gzip" in offers


def page(request: Any) -> str:
    """Return the name by which a page identifies its requests; empty if it sends none."""
    return "".join(header(request, b"board-page")[:1])[:40]


def secret(request: Any, *, must: bool = False) -> str:
    """Return the seat's secret from the request's header, or an empty string.

    Raise `HttpError` if it is malformed, or if it is missing although it must be there.
    """
    found = header(request, b"board-seat")
    return read_secret("Board-Seat", found[0] if found else "") if found or must else ""


def argument(request: Any, name: bytes) -> str | None:
    """Return an argument in the address, such as the token or a guest's pass; None if missing."""
    found: list[bytes] = request.args.get(name, [])
    return _text(found[0]) if found else None


def cookies(request: Any) -> dict[str, str]:
    """Return all cookies by their names."""
    return {_text(name): _text(word) for name, word in request.received_cookies.items()}


def _text(word: bytes) -> str:
    return word.decode("utf-8", "replace")
