"""Do an operator's work arrays fit on the GPU? Asked before the first is made."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cuda.device import check_memory

__all__ = ["check_work"]

#: Less than so many bytes are not asked about: that takes as long as a small call.
LARGE = 1 << 26


def check_work(what: str, *arrays: tuple[int, Any]) -> None:
    """MemoryError that says what is needed and what is free, if arrays do not fit.

    ``arrays`` are pairs of a length and an element type.
    """
    needed = sum(int(count) * np.dtype(kind).itemsize for count, kind in arrays)
    if needed >= LARGE:
        check_memory(needed, what)
