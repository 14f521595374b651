"""Addresses: where a server listens, and who can reach it."""

import ipaddress
import socket


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
