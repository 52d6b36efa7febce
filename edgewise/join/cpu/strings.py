"""Strings as ranges of one buffer, and how much of a list of them a thread takes at a time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inlined
from edgewise.base.cpu.team import grab

__all__ = ["Texts", "take"]


class Texts(NamedTuple):
    """Strings as ranges of a buffer: text i is ``buffer[begins[i]:ends[i]]``."""

    buffer: np.ndarray  #: uint8, valid UTF-8 in every range
    begins: np.ndarray  #: int64
    ends: np.ndarray  #: int64

    def frozen(self) -> Texts:
        """The same, read-only: one type for kernels, whoever made the arrays."""
        views = [np.ascontiguousarray(array).view() for array in self]
        for view in views:
            view.flags.writeable = False
        return Texts(*views)

    def text(self, i: int) -> str:
        """One of the strings; end marks (bytes 255) are shown as dollar signs."""
        return self.buffer[self.begins[i] : self.ends[i]].tobytes().replace(b"\xff", b"$").decode()


@inlined
def take(control, team, count):
    """The next of ``count`` texts or rows for a thread, as ``(low, high)``; empty: none is left.

    They are few where all are few, for these may be long.
    """
    return grab(control, 0, min(np.int64(256), np.int64(count) // (16 * team) + 1), count)
