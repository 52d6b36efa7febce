"""Forks that wait for what a child could not finish: modules half loaded, code half compiled.

A child of ``fork`` has one thread, the one that forked; a lock that another thread held stays held
for ever. So before a fork we wait until no thread loads a module of ours or of what we compile
with, and take the locks that are named to `hold`. If loading takes longer than a minute, the fork
goes on as it would have without us.
"""

from __future__ import annotations

import _imp
import logging  # noqa: F401  (watches forks too: it must do so before the first one waits)
import os
import threading
import time
from importlib import _bootstrap  # type: ignore[attr-defined]
from typing import Any

__all__ = ["hold"]

_PACKAGES = ("edgewise", "numba", "llvmlite", "numpy", "scipy", "pyarrow", "cupy")
_PATIENCE = 60.0  # seconds
_LOCKS = "_module_locks"  # Python's own, by the module's name
_locks: list[Any] = []
_held: list[Any] = []


def hold(lock: Any) -> None:
    """Let every fork hold this lock: in the child it is free again.

    Whoever holds one of several such locks must not wait for one that was named before it.
    """
    _locks.append(lock)


def _before() -> None:
    end = time.monotonic() + _PATIENCE
    while True:
        for lock in _locks:
            lock.acquire()
            _held.append(lock)
        _imp.acquire_lock()  # from now on no other thread begins to load a module
        if not _loading() or time.monotonic() >= end:
            return
        _after()  # what is being loaded may need the locks
        time.sleep(0.001)


def _after() -> None:
    _imp.release_lock()
    while _held:
        _held.pop().release()


def _loading() -> bool:
    """Is another thread loading one of these packages?

    Python has a lock for each module that is being loaded, and for as long as that takes.
    """
    me = threading.get_ident()
    for name, reference in list(getattr(_bootstrap, _LOCKS).items()):
        lock = reference() if name.partition(".")[0] in _PACKAGES else None
        if lock is not None and lock.owner != me:
            return True
    return False


if hasattr(os, "register_at_fork") and hasattr(_bootstrap, _LOCKS):
    os.register_at_fork(before=_before, after_in_parent=_after, after_in_child=_after)
