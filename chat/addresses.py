"""Which address a request or a socket comes from, and the name under which it is counted.

An address is somebody's data: what is kept of it is a digest with the site's own key, so that
nobody reads it out of the store and nobody can try all addresses against it.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from typing import Any

from django.utils.crypto import salted_hmac

NETWORK = 64  # bits of an IPv6 address that name a household; the rest one machine picks at will
MOST = 4_000  # characters of a header that are read
PORT = re.compile(r"^(?:\[([0-9a-fA-F:.]{2,45})\](?::\d{1,5})?|(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$")


def address_of(scope: Mapping[str, Any], proxies: int) -> str:
    """The person's address in an ASGI scope: an IPv4 address, or an IPv6 network of 64 bits.

    `proxies` stand in front and each added the address it heard from, so the one that counts is
    that many from the right; what stands before it anybody can write. Without a proxy, or with
    fewer entries than proxies, it is the address of the connection. Empty if that has none.
    """
    entries = _forwarded(scope) if proxies else []
    if len(entries) >= proxies > 0 and (found := _network(entries[-proxies])):
        return found
    client = scope.get("client") or ("",)
    return _network(str(client[0]))


def address_key(address: str) -> str:
    """The name under which an address is counted; empty for none."""
    if not address:
        return ""
    digest = salted_hmac("plumbline.addresses", address, algorithm="sha256").hexdigest()
    return f"address:{digest[:32]}"


def _forwarded(scope: Mapping[str, Any]) -> list[str]:
    """All entries of `X-Forwarded-For`, the nearest last; the header may come in several lines."""
    lines = [value for name, value in scope.get("headers", ()) if name == b"x-forwarded-for"]
    joined = b",".join(lines).decode("latin-1")[-MOST:]
    return [entry.strip() for entry in joined.split(",") if entry.strip()]


def _network(given: str) -> str:
    """The address without a port; empty for what is none."""
    if fits := PORT.match(given):
        given = fits[1] or fits[2]
    try:
        found = ipaddress.ip_address(given)
    except ValueError:
        return ""
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(found), NETWORK), strict=False))
