"""Listening where the settings say."""

from __future__ import annotations

import logging
from typing import Any

from OpenSSL.crypto import Error as TlsError
from twisted.internet.endpoints import serverFromString
from twisted.internet.error import CannotListenError
from twisted.internet.interfaces import IProtocolFactory

from linage_bot.servers.settings import SettingFault

_log = logging.getLogger(__name__)


async def listen(reactor: Any, key: str, description: str, factory: IProtocolFactory) -> Any:
    """Listen at a Twisted endpoint, told under `key`; the port. Raises `SettingFault`."""
    try:
        port: Any = await serverFromString(reactor, description).listen(factory)
    except CannotListenError as error:
        raise SettingFault(key, str(error)) from None
    except (TypeError, ValueError, LookupError, OverflowError, OSError, TlsError) as error:
        raise SettingFault(key, f"{description!r} is not an endpoint: {error}") from None
    address = port.getHost()
    # A socket of the file system has a name and no number.
    where = getattr(address, "host", address), getattr(address, "port", "-")
    _log.info("listening on %s port %s", *where)
    return port
