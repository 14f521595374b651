"""Addresses: where a server listens, and who can reach it."""

import ipaddress


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach the address."""
    host = address.rpartition(":")[0].strip("[]")
    if host == "localhost" or address.startswith("unix:"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
