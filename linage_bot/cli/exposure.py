"""Servers that other machines can reach: only for those who say that they mean it."""

import ipaddress
import logging

from linage_bot.cli.options import UserError

_log = logging.getLogger(__name__)


def check_exposure(address: str, expose: bool, what_they_can: str) -> None:
    """Warn of an address that other machines can reach; raises `UserError` without `--expose`.

    What is no number of the internet counts as reachable.
    """
    try:
        if ipaddress.ip_address(address).is_loopback:
            return
    except ValueError:
        pass
    if not expose:
        raise UserError(f"--listen: others can reach {address}; if you mean it, add --expose")
    _log.warning("warning: others can reach this server, unencrypted; %s", what_they_can)
