"""The address of this machine in its local network."""

import socket

_ELSEWHERE = {  # addresses reserved for documentation: any that is not this machine's will do
    socket.AF_INET: "192.0.2.1",
    socket.AF_INET6: "2001:db8::1",
}
_DISCARD_PORT = 9


def local_address() -> str | None:
    """Return the address from which this machine would reach others; None without a network.

    Nothing is sent: a UDP socket only chooses its own address when it gets a peer.
    """
    for family, elsewhere in _ELSEWHERE.items():
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as chooser:
                chooser.connect((elsewhere, _DISCARD_PORT))
                return str(chooser.getsockname()[0])
        except OSError:
            continue
    return None
