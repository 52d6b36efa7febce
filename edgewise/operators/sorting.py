"""`stable_order`: positions in the order of their keys, on CPU threads or on a GPU.

>>> import numpy as np
>>> stable_order(np.array([7, 2, 7, 0])).tolist()
[3, 1, 0, 2]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.parallel import sort

__all__ = ["stable_order"]

#: So many small numbers are not worth all threads.
_FEW = 1 << 22


def stable_order(keys: Any) -> Any:
    """The positions of whole numbers as these ascend; equal ones stay in their order.

    The array is not changed, and may live in host memory or on a GPU.
    """
    if not isinstance(keys, np.ndarray):
        return keys.argsort(kind="stable")
    if 0 < len(keys) <= _FEW and keys.min() >= 0 and keys.max() < 2**16:
        return keys.astype(np.uint16).argsort(kind="stable")  # by radix, too
    wide = keys.astype(np.uint64 if keys.dtype == np.uint64 else np.int64)
    positions = np.arange(len(keys))
    sort(wide, positions)
    return positions
