"""Refuses every connection from a test that would leave this machine."""

import ipaddress
import sys
from typing import Any

LOCAL_NAMES = {"", "localhost", "testserver", None}


class OutsideConnection(RuntimeError):
    """A test tried to reach another machine."""


def forbid_outside_connections() -> None:
    """For the rest of this process; Python has no way to take an audit hook back."""
    sys.addaudithook(_refuse)


def is_local(host: Any) -> bool:
    """True for this machine's names and addresses. `host`: str, bytes or None."""
    name = host.decode() if isinstance(host, bytes) else host
    if name in LOCAL_NAMES:
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.sendto") and isinstance(arguments[1], tuple):
        host = arguments[1][0]
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = arguments[0]
    else:
        return
    if not is_local(host):
        raise OutsideConnection(f"tests stay on this machine, but one asked for {host!r}")
