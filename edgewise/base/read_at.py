"""Reads of a part of a file, from several threads at once."""

from __future__ import annotations

import os
import threading

__all__ = ["read_at"]

_moving = threading.Lock()


def read_at(descriptor: int, part: memoryview, start: int) -> int:
    """Fill ``part`` with the bytes of a file from ``start`` on; how many there were, 0 at its end.

    Where the system has no such call (Windows), threads read one after another.
    """
    if hasattr(os, "preadv"):
        return os.preadv(descriptor, [part], start)
    with _moving:
        os.lseek(descriptor, start, os.SEEK_SET)
        found = os.read(descriptor, len(part))
    part[: len(found)] = found
    return len(found)
