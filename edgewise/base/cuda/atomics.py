"""``edgewise.atomic`` on CUDA, and the reads and barriers that kernels share.

A kernel's view of memory is relaxed: `load` and `store` here always go to the L2 cache, which all
multiprocessors share, and the atomic updates happen there.
"""

from __future__ import annotations

from typing import Any

from edgewise.base.cuda.device import simulated

__all__ = ["add", "bit_and", "bit_or", "cas", "exch", "fence", "grid_barrier", "load",
           "max", "min", "store"]  # fmt: skip

if simulated():
    from threading import Lock

    from edgewise.base import atomic as _plain
    from edgewise.base.cuda.language import cuda

    _lock = Lock()

    def _locked(function: Any) -> Any:
        def call(*args: Any) -> Any:
            with _lock:
                return function(*args)

        return call

    add, min, max = _locked(_plain.add), _locked(_plain.min), _locked(_plain.max)
    exch, cas = _locked(_plain.exch), _locked(_plain.cas)
    bit_or, bit_and = _locked(_plain.bit_or), _locked(_plain.bit_and)

    def load(array, index):
        """Read an element."""
        return array[index]

    def store(array, index, value):
        """Write an element."""
        array[index] = value

    def fence():
        """Nothing to wait for: threads take turns."""

    def grid_barrier(control, blocks):
        """A barrier of the one block there is."""
        cuda.syncthreads()

else:
    from edgewise.base.cuda.instructions import (
        add,
        bit_and,
        bit_or,
        cas,
        exch,
        fence,
        grid_barrier,
        load,
        max,
        min,
        store,
    )
