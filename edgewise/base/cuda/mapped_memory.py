"""What a kernel tells the host: a few numbers in host memory, which it writes to over the bus.

A copy from the device costs a call of the driver and a wait, which is most of what a small call
takes; here there is the wait alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cuda.device import current_device
from edgewise.base.cuda.launches import lasting

__all__ = ["Report"]


class Report:
    """So many numbers of a type; kernels write to ``words``, and read nothing there."""

    __slots__ = ("_seen", "_stream", "words")

    def __init__(self, xp: Any, count: int, dtype: Any = np.int64):
        if not hasattr(xp, "cuda"):  # the simulator has arrays in host memory alone
            self.words = self._seen = np.zeros(count, dtype)
            self._stream = None
            return
        size = count * np.dtype(dtype).itemsize
        memory = xp.cuda.alloc_pinned_memory(size)  # every GPU has it at the same address
        self._seen = np.frombuffer(memory, dtype, count)
        held = xp.cuda.UnownedMemory(memory.ptr, size, memory, current_device())
        self.words = lasting(xp.ndarray(count, dtype, xp.cuda.MemoryPointer(held, 0)))
        self._stream = xp.cuda.get_current_stream

    def read(self) -> list[Any]:
        """The numbers, as Python has them, when all work on the current stream is done."""
        if self._stream is not None:
            self._stream().synchronize()
        return self._seen.tolist()
