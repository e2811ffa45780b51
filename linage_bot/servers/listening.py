"""Listening at the endpoints that the settings name."""

import logging
from typing import Any

from twisted.internet.endpoints import serverFromString
from twisted.internet.interfaces import IProtocolFactory

from linage_bot.settings.checks import SettingFault
from protocol.transport.endpoints import BadEndpoint, check_server
from protocol.transport.listening import clear_faults, place

_log = logging.getLogger(__name__)


async def listen(reactor: Any, key: str, description: str, factory: IProtocolFactory) -> Any:
    """Listen at the Twisted endpoint of setting `key`; return the port. Raise `SettingFault`."""
    try:
        with clear_faults(description):
            check_server(description)
            port: Any = await serverFromString(reactor, description).listen(factory)
    except BadEndpoint as error:
        raise SettingFault(key, str(error)) from None
    _log.info("listening on %s", place(port))
    return port
