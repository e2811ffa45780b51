"""One-line errors for endpoints that Twisted or the system cannot use."""

import contextlib
import os
from collections.abc import Iterator
from typing import Any

from twisted.internet.error import CannotListenError

from protocol.transport.endpoints import BadEndpoint
from protocol.transport.installing import missing_package

_TLS_FAULTS: tuple[type[Exception], ...] = ()
with contextlib.suppress(ImportError):  # without the extra `servers` there is no TLS
    from OpenSSL import crypto

    _TLS_FAULTS = (crypto.Error,)


@contextlib.contextmanager
def clear_faults(description: str) -> Iterator[None]:
    """Raise `BadEndpoint` for any error while an endpoint is created and starts to listen."""
    if not _TLS_FAULTS and description.removeprefix("haproxy:").startswith(("ssl:", "tls:")):
        reason = missing_package("TLS", "pyOpenSSL", "linage-bot[servers]")
        raise BadEndpoint(f"{description!r}: {reason}")
    try:
        yield
    except BadEndpoint:
        raise
    except CannotListenError as error:
        raise BadEndpoint(f"{description!r}: {reason_of(error)}") from None
    except OSError as error:
        name = error.filename2 or error.filename
        where = f"{os.fsdecode(name)}: " if isinstance(name, str | bytes) else ""
        raise BadEndpoint(f"{description!r}: {where}{error.strerror}") from None
    except _TLS_FAULTS:
        reason = "these files contain no key with its certificate in PEM format"
        raise BadEndpoint(f"{description!r}: {reason}") from None
    except LookupError:
        raise BadEndpoint(f"{description!r}: systemd provides no such socket") from None
    except (TypeError, ValueError, AttributeError) as error:
        raise BadEndpoint(f"{description!r} is not an endpoint that can be used") from error


def reason_of(error: CannotListenError) -> str:
    """Return the system's reason why a port is unavailable: in use, forbidden, not local."""
    return getattr(error.socketError, "strerror", None) or str(error.socketError)


def place(port: Any) -> str:
    """Return a listening port's host and number, or the path of a socket of the file system."""
    address = port.getHost()
    if hasattr(address, "port"):
        return f"{address.host} port {address.port}"
    return os.fsdecode(address.name)
