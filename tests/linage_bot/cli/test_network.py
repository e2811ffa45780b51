"""The address of this machine in its local network."""

import socket

from linage_bot.cli.network import local_address


def test_an_address_is_one_of_this_machine() -> None:
    """If there is a network, a server can listen on the address that is found."""
    address = local_address()
    if address is None:  # the machine has no network: nothing may be claimed
        return
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as server:
        server.bind((address, 0))
