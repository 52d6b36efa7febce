"""How much memory the host has, and how much of it is free."""

from __future__ import annotations

import ctypes
import os

__all__ = ["free_memory", "total_memory"]


def free_memory() -> int:
    """The bytes of memory that are free, or would be if caches were dropped.

    All of the memory where the system does not tell (macOS).
    """
    try:
        with open("/proc/meminfo", "rb") as file:
            for line in file:
                if line.startswith(b"MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return total_memory() if hasattr(os, "sysconf") else _windows_memory().free


def total_memory() -> int:
    """The bytes of memory of this machine."""
    if hasattr(os, "sysconf"):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return _windows_memory().total


class _WindowsMemory(ctypes.Structure):
    """MEMORYSTATUSEX of the Windows API."""

    _fields_ = (
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        ("total", ctypes.c_uint64),
        ("free", ctypes.c_uint64),
        ("unused", ctypes.c_uint64 * 5),
    )


def _windows_memory() -> _WindowsMemory:
    found = _WindowsMemory(length=ctypes.sizeof(_WindowsMemory))
    if not ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(found)):  # type: ignore[attr-defined]
        raise OSError("Windows does not tell how much memory there is")
    return found
