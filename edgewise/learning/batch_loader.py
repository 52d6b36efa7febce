"""Mini-batches epoch by epoch: the loader that neighbor sampling and layer sampling share.

Batch b of epoch e depends on the seed, b and e alone. The order of sources is a sort by hashes.
With ``prefetch``, one Python thread prepares the next batches while the caller works on one.

PyTorch's ``DataLoader`` takes batches as one of its iterable data sets. They are registered as such
when they are made, if PyTorch has been imported; nothing here imports it. Worker i of w makes
batches i, i + w, and so on, on one thread each. Workers that start anew for each loop cannot count
epochs, so that the seed that PyTorch gives to the loop tells them which one it is.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

import numpy as np

from edgewise.base import random
from edgewise.base.checks import check_count, check_flag
from edgewise.base.random import check_seed
from edgewise.base.threads import threads
from edgewise.graph.lookup import check_vertices
from edgewise.graph.transfer import host

__all__ = ["Batches", "make_batches"]

_TORCH = "torch.utils.data"


def make_batches(
    sampler: Any, sources: Any, source_times: Any, batch_size: Any, shuffle: Any, drop_last: Any,
    prefetch: Any, seed: Any,
) -> Batches:  # fmt: skip
    """The batches of a sampler, once the arguments are checked."""
    graph = sampler.graph
    if sources is None:
        ids = graph.vertex_ids(np.int64)
    else:
        ids = graph.xp.asarray(check_vertices(graph, host(sources), "sources")).astype(np.int64)
    times = None if source_times is None else sampler.check_times(source_times, len(ids))
    if _TORCH in sys.modules:
        sys.modules[_TORCH].IterableDataset.register(Batches)
    return Batches(
        sampler, ids, times, check_count(batch_size, "batch_size", 1),
        check_flag(shuffle, "shuffle"), check_flag(drop_last, "drop_last"),
        check_count(prefetch, "prefetch"), check_seed(seed),
    )  # fmt: skip


class Batches:
    """Mini-batches of sources with sampled edges; iterating goes through one epoch."""

    def __init__(
        self, sampler: Any, sources: Any, times: Any, batch_size: int, shuffle: bool,
        drop_last: bool, prefetch: int, seed: np.uint64,
    ):  # fmt: skip
        self._sampler, self._sources, self._times, self._seed = sampler, sources, times, seed
        self._size, self._shuffle, self._prefetch = batch_size, shuffle, prefetch
        whole, rest = divmod(len(sources), batch_size)
        self._count, self._epochs = whole + (rest > 0 and not drop_last), 0

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Any]:
        self._epochs += 1
        me, team, first = _worker()
        return self._epoch(first + self._epochs - 1, range(me, self._count, team), team > 1)

    def __getitem__(self, index: Any) -> Any:
        raise TypeError(
            "batches are iterated over, not indexed; PyTorch's DataLoader takes them with "
            "batch_size=None if PyTorch is imported before they are made"
        )

    def __repr__(self) -> str:
        return f"Batches({self._count} batches of {self._size} sources, {self._sampler!r})"

    def epoch(self, number: int) -> Iterator[Any]:
        """Return an iterator over the batches of one epoch, counted from 0."""
        return self._epoch(check_count(number, "number"), range(self._count), False)

    def _epoch(self, number: int, numbers: Iterable[int], alone: bool) -> Iterator[Any]:
        xp, order = self._sampler.graph.xp, None
        if self._shuffle:
            drawn = random.bits(self._seed, xp.arange(len(self._sources)), 2 * number)
            order = xp.argsort(drawn, kind="stable") if xp is np else xp.argsort(drawn)
        slots = self._sampler.numbering()

        def draw(batch: int) -> Any:
            with threads(1) if alone else nullcontext():
                return self._draw(number, order, batch, slots)

        return _ahead(draw, numbers, self._prefetch) if self._prefetch else map(draw, numbers)

    def _draw(self, number: int, order: Any, batch: int, slots: Any) -> Any:
        part: Any = slice(batch * self._size, (batch + 1) * self._size)
        part = part if order is None else order[part]
        limits = None if self._times is None else self._times[part]
        word = random.bits(self._seed, batch, 2 * number + 1)
        return self._sampler.draw(self._sources[part], limits, word, slots)


def _ahead(draw: Any, numbers: Iterable[int], count: int) -> Iterator[Any]:
    """The batches in order; a thread draws up to ``count`` of them in advance."""
    ahead: deque[Any] = deque()
    with ThreadPoolExecutor(1, thread_name_prefix="edgewise-batches") as worker:
        try:
            for batch in numbers:
                ahead.append(worker.submit(draw, batch))
                if len(ahead) > count:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()
        finally:
            worker.shutdown(wait=True, cancel_futures=True)


def _worker() -> tuple[int, int, int]:
    """Which worker of how many of a DataLoader this process is, and the first epoch's number."""
    data = sys.modules.get(_TORCH)
    info = None if data is None else data.get_worker_info()
    if info is None:
        return 0, 1, 0
    return info.id, info.num_workers, (info.seed - info.id) % 2**40
