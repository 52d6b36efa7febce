"""Integers that name the vertices of a graph on a grid, and the numbering of those that occur.

Rank k of p holds the labels of the vertices n k / p to n (k + 1) / p; labels without a gap are a
`Labels.range` instead, which every rank has and which takes no memory.

`number_occurring` is `edgewise.graph.occurring` for edges that are spread over ranks: each rank
has a range of ids, cut so that all have about as many (by samples); all ranks send it the ids
that they have, each once; it marks which are present (or sorts them, where they lie far apart); a
prefix sum over the ranks gives the first number of each; and the answers go back the same way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.distributed.comm import Communicator
from edgewise.graph.csr import index_dtype
from edgewise.graph.encoding import column
from edgewise.graph.labels import Labels

__all__ = [
    "GridLabels",
    "distinct",
    "number_occurring",
    "share_of",
    "spread_labels",
    "whole_labels",
]

_SAMPLES = 64
_SPREAD = 4  # a table may have so many places for each id in it


class GridLabels:
    """One rank's part of the labels of ``count`` vertices; its methods are collective.

    Parameters
    ----------
    world : Communicator
    values : array of int
        The labels of this rank's range of vertices (`share_of`).
    count : int
    """

    range_start = None

    def __init__(self, world: Communicator, values: np.ndarray, count: int):
        self.world, self.values, self.count = world, values, count
        self.low = share_of(world, count)[0]
        self._order = np.argsort(values, kind="stable")

    @property
    def dtype(self) -> np.dtype:
        return self.values.dtype

    def vertex(self, label: Any) -> Any:
        """The vertex of one label, or of each in a list or array; ValueError if there is none."""
        single = not (isinstance(label, list) or np.ndim(label))
        wanted = column([label] if single else label, "label")
        found = np.full(len(wanted), -1, np.int64)
        if wanted.dtype.kind in "iu" and len(self.values):
            at = np.searchsorted(self.values, wanted, sorter=self._order)
            places = self._order[at.clip(None, len(self.values) - 1)]
            found = np.where(self.values[places] == wanted, places + self.low, -1)
        found = self.world.allreduce(found, "max")
        if (found < 0).any():
            missing = wanted[np.argmax(found < 0)]
            missing = missing.item() if isinstance(missing, np.generic) else missing
            raise ValueError(f"label must be one of the graph's labels, got {missing!r}")
        return int(found[0]) if single else found

    def label(self, ids: Any) -> Any:
        """The label of one vertex, or of each of a few; all ranks ask for the same."""
        wanted = np.atleast_1d(np.asarray(ids, np.int64))
        if len(wanted) and not 0 <= wanted.min() <= wanted.max() < self.count:
            raise ValueError(f"ids must be vertex ids from 0 to {self.count - 1}, got {ids!r}")
        inside = (wanted >= self.low) & (wanted < self.low + len(self.values))
        parts = np.zeros(len(wanted), self.dtype)
        parts[inside] = self.values[wanted[inside] - self.low]
        found = self.world.allreduce(parts, "sum")
        return found if np.ndim(ids) else found[0].item()

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"GridLabels({self.count:,} in all, {len(self.values):,} on this rank)"


def share_of(world: Communicator, count: int) -> tuple[int, int]:
    """The range of vertices whose labels this rank has."""
    return count * world.rank // world.size, count * (world.rank + 1) // world.size


def spread_labels(world: Communicator, values: np.ndarray, count: int) -> Labels | GridLabels:
    """Labels from each rank's share of them; a range if they go up by one each."""
    start: Any = None
    if len(values):
        even = bool((np.diff(values) == 1).all())
        start = int(values[0]) - share_of(world, count)[0] if even else "uneven"
    starts = {one for one in world.gather_objects(start) if one is not None}
    if len(starts) == 1 and "uneven" not in starts and max(starts) + count <= 2**63:
        return Labels.range(max(starts), count)
    return GridLabels(world, values, count)


def whole_labels(labels: Labels | GridLabels | None, root: int = 0) -> Labels | None:
    """All labels on one rank; None on the others, unless they have them anyway. Collective."""
    if not isinstance(labels, GridLabels):
        return labels
    world, values = labels.world, labels.values
    counts = [len(values) if rank == root else 0 for rank in range(world.size)]
    found, _ = world.alltoallv(np.ascontiguousarray(values), counts)
    return Labels(found) if world.rank == root else None


def number_occurring(
    world: Communicator, *columns: np.ndarray
) -> tuple[list[np.ndarray], int, Labels | GridLabels | None]:
    """Every integer that occurs on any rank as a vertex, in ascending order. Collective.

    Returns the columns as vertices, the number of vertices, and their labels; none if the integers
    are 0 to n - 1.

    >>> from edgewise.distributed.rank_threads import run_threads
    >>> def program(comm):
    ...     (ids,), n, labels = number_occurring(comm, np.array([7 * comm.rank, 30]))
    ...     return ids.tolist(), n, labels.label([0, 1, 2])
    >>> run_threads(program, 2)
    [([0, 2], 3, array([ 0,  7, 30])), ([1, 2], 3, array([ 0,  7, 30]))]
    """
    filled = [one for one in columns if len(one)]
    low = min(world.counts(min((int(one.min()) for one in filled), default=2**63 - 1)))
    high = max(world.counts(max((int(one.max()) for one in filled), default=-1)))
    if high < low:
        return [one.astype(np.int32) for one in columns], 0, None
    each, places = distinct(columns)
    with world.phase("ingest"):
        cuts = np.searchsorted(each, _splitters(world, each))
        counts = np.diff([0, *cuts, len(each)]).tolist()
        asked, sizes = world.alltoallv(each, counts)
        mine, (numbers,) = distinct([asked])
        before = world.counts(len(mine))
        first, n = sum(before[: world.rank]), sum(before)
        answers, _ = world.alltoallv(numbers.astype(np.int64) + first, sizes)
        answers = answers.astype(index_dtype(n))
        found = [answers[one] for one in places]
        if n == high - low + 1:
            return found, n, Labels.range(low, n) if low else None
        ends = np.array([n * k // world.size for k in range(world.size + 1)])
        parts = np.diff((ends - first).clip(0, len(mine))).tolist()
        values, _ = world.alltoallv(mine, parts)
    return found, n, GridLabels(world, values, n)


def _splitters(world: Communicator, each: np.ndarray) -> np.ndarray:
    """Where the ranges of ids of the ranks 1, 2, ... start: about as many ids in each."""
    few = each[np.linspace(0, len(each) - 1, _SAMPLES).astype(np.int64)[: len(each)]]
    samples = np.sort(world.allgatherv(np.ascontiguousarray(few))[0])
    return samples[len(samples) * np.arange(1, world.size) // world.size]


def distinct(columns: Any) -> tuple[np.ndarray, list[np.ndarray]]:
    """The integers in some columns, each once, in ascending order, and each column as places."""
    total = sum(len(one) for one in columns)
    if total == 0:
        return np.zeros(0, np.int64), [np.zeros(0, np.int64) for _ in columns]
    low = min(int(one.min()) for one in columns if len(one))
    span = max(int(one.max()) for one in columns if len(one)) - low + 1
    if span > max(_SPREAD * total, 1024):
        labels, places = Labels.encode(*columns)
        return np.ascontiguousarray(labels.values, np.int64), places
    present = np.zeros(span, bool)
    for one in columns:
        present[one - low] = True
    table = np.cumsum(present, dtype=index_dtype(span)) - 1
    return np.flatnonzero(present) + low, [table[one - low] for one in columns]
