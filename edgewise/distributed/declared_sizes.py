"""Whether the graph in a file can fit on a grid, before its rows are read.

The number of rows comes from a header or from the footers of Parquet files; of other text it is
estimated from samples, with lines as long as the longest of them are in the mean. Vertices count if
a header or the caller declares them, so the estimate is rather too small than too large. Numbers in
a header that the file is too short for are left to its reader to refuse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.distributed.estimating import check_free, estimate

if TYPE_CHECKING:
    from edgewise.distributed.text_files import File

__all__ = ["check_rows", "declared_rows", "fewest_rows"]

_SAMPLES, _SAMPLE = 64, 1 << 12
_SHORTEST = 4  # bytes of a row: two ids and the bytes after them


def check_rows(
    file: File, rows: int, *, arcs: int, num_vertices: int | None, weights: Any = None,
    edge_columns: int = 0,
) -> None:  # fmt: skip
    """Raise MemoryError on all ranks if so many rows cannot fit, or warn if they may not.

    ``arcs`` is 1 or 2, the arcs that a row stands for. Collective.
    """
    n = num_vertices or 0
    need = estimate(
        n if n <= max(1 << 22, 1000 * rows) else 0, arcs * rows, grid=file.grid.shape,
        weights=weights, edge_columns=edge_columns, algorithm=file.algorithm,
    )  # fmt: skip
    check_free(file.grid.world, need)


def declared_rows(data: Any, declared: int) -> int:
    """The rows that a header declares, as far as the text is long enough for them.

    >>> declared_rows(np.frombuffer(b"1 2\\n2 3\\n", np.uint8), 10**9)
    3
    """
    return min(declared, len(data) // _SHORTEST + 1)


def fewest_rows(data: Any, start: int = 0) -> int:
    """The least number of rows that the text from a byte on may have, by samples.

    >>> fewest_rows(np.frombuffer(b"12 3\\n" * 10, np.uint8), start=5)
    9
    """
    size = len(data) - start
    if size <= _SAMPLES * _SAMPLE:
        return int(np.count_nonzero(data[start:] == 10))
    lows = np.linspace(start, len(data) - _SAMPLE, _SAMPLES).astype(np.int64).tolist()
    fewest = min(int(np.count_nonzero(data[low : low + _SAMPLE] == 10)) for low in lows)
    return size * fewest // _SAMPLE
