"""Batches of rows for CPU threads: parts of the host's arrays; see `edgewise.operators.batches`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from edgewise.base.compiling import clock
from edgewise.operators.batches import PHASES, Batch, Source, split

__all__ = ["batches"]


class HostBatches:
    """The vertices of a range; nothing is brought anywhere."""

    xp = np

    def __init__(self, source: Source, low: int, high: int, count: int):
        self._source, self.starts = source, split(source.indptr, low, high, count)
        self.times = dict.fromkeys(PHASES, 0.0)

    def here(self) -> AbstractContextManager:
        return nullcontext()

    def bring(self, wanted: list[int]) -> Iterator[Batch]:
        indptr, indices, weights = vars(self._source).values()
        for k in wanted:
            a, b = self.starts[k], self.starts[k + 1]
            low, high = int(indptr[a]), int(indptr[b])
            worth = None if weights is None else weights[low:high]
            begin = clock()
            yield Batch(np, "cpu", a, indptr[a : b + 1] - low, indices[low:high], worth)
            self.times["work"] += clock() - begin

    def whole(self) -> None:
        return None  # they are worked on as they were asked for

    def close(self) -> None:
        pass


def batches(name: str, source: Source, low: int, high: int, count: Any, beside: int) -> HostBatches:
    """The batches of these vertices."""
    return HostBatches(source, low, high, 1 if count == "auto" else count)
