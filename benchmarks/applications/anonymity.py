"""Adaptive anonymity: suppressed cells and time, beside groups (plain k-anonymity).

Records are drawn around centers, 50 columns of up to 8 values, a tenth of the cells at random. A
tenth of the records wants k = 10, the others 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.applications.part import Part, timed

__all__ = ["ANONYMITY", "records"]


def records(n: int, d: int, seed: int = 0) -> dict[str, np.ndarray]:
    """A table of n records around n / 50 centers."""
    rng = np.random.default_rng(seed)
    centers = rng.integers(0, 8, (max(n // 50, 1), d), dtype=np.int8)
    cells = centers[rng.integers(0, len(centers), n)]
    wrong = rng.random((n, d), dtype=np.float32) < 0.1
    cells[wrong] = rng.integers(0, 8, int(wrong.sum()), dtype=np.int8)
    return {f"c{i}": cells[:, i] for i in range(d)}


def rows(quick: bool) -> Iterator[tuple]:
    import pyarrow as pa

    from edgewise.apps import anonymize

    for n in (300,) if quick else (20_000, 500_000):
        data = pa.table(records(n, 50))
        wish = np.where(np.random.default_rng(1).random(n) < 0.1, 10, 4)
        anonymize(data.slice(0, 300), wish[:300], max_iter=2)  # compiles
        for way, k, method in (
            ("cover, own k", wish, "cover"),
            ("groups, own k", wish, "groups"),
            ("groups, k = 10 for all", 10, "groups"),
        ):
            spent, found = timed(partial(anonymize, data, k, method=method))
            yield way, n, spent, 100 * found.fraction


ANONYMITY = Part(
    "Anonymous tables",
    "50 columns; a tenth of the records wants k = 10, the others 4. Groups of equal rows are plain "
    "k-anonymity.",
    {"way": "word", "records": "count", "time": "time", "suppressed cells, %": "percent"},
    rows,
)
