"""Waiting for processes to end."""

import os
import select


def ended(pid: int) -> bool:
    """Whether a process has ended; one that is just being killed is waited for."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], 5)[0])
    finally:
        os.close(descriptor)
