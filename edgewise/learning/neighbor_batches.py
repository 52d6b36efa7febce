"""Mini-batches with sampled neighbors, epoch by epoch: a loader for graph neural networks.

Batch b of epoch e depends on the seed, b and e alone. The order of sources is a sort by hashes.
With ``prefetch``, one Python thread prepares the next batches while the caller works on one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from edgewise.base import random
from edgewise.base.checks import check_count, check_flag
from edgewise.base.random import check_seed
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.lookup import check_vertices
from edgewise.graph.transfer import host
from edgewise.learning.neighbor_sampling import NeighborSample, Sampler, make_sampler

__all__ = ["NeighborBatches", "neighbor_batches"]


@takes_graph
def neighbor_batches(
    graph: LocalGraphLike,
    sources: Any = None,
    *,
    batch_size: int = 1024,
    fanouts: Sequence[int | None] = (15, 10),
    shuffle: bool = True,
    drop_last: bool = False,
    prefetch: int = 0,
    replace: bool = False,
    mode: str = "in",
    weights: Any = None,
    times: Any = None,
    source_times: Any = None,
    method: str = "random",
    seed: int = 0,
) -> NeighborBatches:
    """Return the mini-batches of all sources, to iterate over once per epoch.

    Parameters
    ----------
    graph : Graph
        On one device.
    sources : int or str, or several, optional
        The vertices to learn from, such as a training set; all vertices by default.
    batch_size : int
        The number of sources per batch.
    shuffle : bool
        Whether each epoch has its own random order; else the order is that of ``sources``.
    drop_last : bool
        Whether to leave out the last batch if it is smaller.
    prefetch : int
        How many batches to prepare in advance while the caller works on one. The batches are the
        same.
    fanouts, replace, mode, weights, times, method
        As for `sample_neighbors`.
    source_times : number, or array over ``sources``, optional
        As for `sample_neighbors`.
    seed : int
        Seed of the order and of the draws.

    Returns
    -------
    NeighborBatches
        ``for batch in batches`` goes through one epoch; the next loop is the next epoch.
        ``batches.epoch(e)`` goes through any one, and ``len(batches)`` is the number of batches.

    Examples
    --------
    >>> from edgewise import generators
    >>> graph = generators.karate_club()
    >>> batches = neighbor_batches(graph, batch_size=16, fanouts=[4, 4])
    >>> len(batches), [len(batch.sources) for batch in batches]
    (3, [16, 16, 2])
    """
    sampler = make_sampler(graph, fanouts, replace, mode, weights, times, method)
    if sources is None:
        ids = graph.vertex_ids(np.int64)
    else:
        ids = graph.xp.asarray(check_vertices(graph, host(sources), "sources")).astype(np.int64)
    return NeighborBatches(
        sampler, ids, sampler.check_times(source_times, len(ids)),
        check_count(batch_size, "batch_size", 1), check_flag(shuffle, "shuffle"),
        check_flag(drop_last, "drop_last"), check_count(prefetch, "prefetch"), check_seed(seed),
    )  # fmt: skip


class NeighborBatches:
    """Mini-batches of sources with sampled neighbors; iterating goes through one epoch."""

    def __init__(
        self, sampler: Sampler, sources: Any, times: Any, batch_size: int, shuffle: bool,
        drop_last: bool, prefetch: int, seed: np.uint64,
    ):  # fmt: skip
        self._sampler, self._sources, self._times, self._seed = sampler, sources, times, seed
        self._size, self._shuffle, self._prefetch = batch_size, shuffle, prefetch
        whole, rest = divmod(len(sources), batch_size)
        self._count, self._epochs = whole + (rest > 0 and not drop_last), 0

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[NeighborSample]:
        self._epochs += 1
        return self.epoch(self._epochs - 1)

    def __repr__(self) -> str:
        return (
            f"NeighborBatches({self._count} batches of {self._size} sources, "
            f"fanouts={list(self._sampler.fanouts)})"
        )

    def epoch(self, number: int) -> Iterator[NeighborSample]:
        """Return an iterator over the batches of one epoch, counted from 0."""
        number = check_count(number, "number")
        xp, order = self._sampler.graph.xp, None
        if self._shuffle:
            drawn = random.bits(self._seed, xp.arange(len(self._sources)), 2 * number)
            order = xp.argsort(drawn, kind="stable") if xp is np else xp.argsort(drawn)
        return self._prefetched(number, order) if self._prefetch else self._plain(number, order)

    def _plain(self, number: int, order: Any) -> Iterator[NeighborSample]:
        slots = self._sampler.numbering()
        for batch in range(self._count):
            yield self._draw(number, order, batch, slots)

    def _prefetched(self, number: int, order: Any) -> Iterator[NeighborSample]:
        slots, ahead = self._sampler.numbering(), deque()  # type: ignore[var-annotated]
        with ThreadPoolExecutor(1, thread_name_prefix="edgewise-batches") as worker:
            try:
                for batch in range(self._count + self._prefetch):
                    if batch < self._count:
                        ahead.append(worker.submit(self._draw, number, order, batch, slots))
                    if batch >= self._prefetch and ahead:
                        yield ahead.popleft().result()
                while ahead:
                    yield ahead.popleft().result()
            finally:
                worker.shutdown(wait=True, cancel_futures=True)

    def _draw(self, number: int, order: Any, batch: int, slots: Any) -> NeighborSample:
        part: Any = slice(batch * self._size, (batch + 1) * self._size)
        part = part if order is None else order[part]
        limits = None if self._times is None else self._times[part]
        word = random.bits(self._seed, batch, 2 * number + 1)
        return self._sampler.draw(self._sources[part], limits, word, slots)
