"""Addresses: where a server listens, and who can reach it."""

import ipaddress
import re
import socket
from typing import Final

_WITH_PORT: Final = re.compile(
    r"unix:.+|(?:\w+:(?://[^/]*/)?)?(?:\[[^\[\]\s]+\]|[^:\[\]\s]+):\d{1,5}"
)


def has_port(address: str) -> bool:
    """Whether an address names a port or a path: the library would guess the port of TLS."""
    return _WITH_PORT.fullmatch(address) is not None


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach the address."""
    host = address.rpartition(":")[0].strip("[]")
    if host == "localhost" or address.startswith("unix:"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_answered(address: str) -> bool:
    """Whether a server is there behind a Unix socket; the library would take its place unasked."""
    path = address.removeprefix("unix:").removeprefix("//")
    if path == address:
        return False
    with socket.socket(socket.AF_UNIX) as link:
        try:
            link.connect(path)
        except OSError:
            return False
    return True
