"""How much memory of the host is free."""

from __future__ import annotations

import os

__all__ = ["free_memory"]


def free_memory() -> int:
    """The bytes of memory that are free, or would be if caches were dropped."""
    try:
        with open("/proc/meminfo", "rb") as file:
            for line in file:
                if line.startswith(b"MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
