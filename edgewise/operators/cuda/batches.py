"""Batches of rows brought from host memory to one GPU; see `edgewise.operators.batches`.

Two buffers on two streams take turns: while the arcs of one batch arrive, the rows of the other are
worked on. A batch that is still in its buffer is not brought again, and comes first. Two batches
have a buffer each, side by side, and so can be seen as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

from edgewise.base.cuda.device import (
    array_module,
    check_memory,
    device_number,
    free_memory,
    simulated,
)
from edgewise.base.observe import observed
from edgewise.base.offsets import offsets
from edgewise.graph.transfer import on
from edgewise.operators.batches import PHASES, Batch, Source, split

__all__ = ["batches"]

#: The share of the free memory that ``"auto"`` fills.
_FILL = 0.9


class CudaBatches:
    """The vertices of a range on one GPU."""

    def __init__(self, number: int, source: Source, low: int, high: int, count: Any, beside: int):
        self._number, self._source = number, source
        self.times = dict.fromkeys(PHASES, 0.0)
        self._pinned: list[int] = []
        self._marks: list[tuple[str, Any, Any]] = []
        with self.here():
            self.xp = xp = array_module()
            indptr, indices, weights = vars(source).values()
            each = indices.itemsize + (0 if weights is None else weights.itemsize)
            beside += 8 * len(indptr)
            if count == "auto":
                count = _fitting(int(indptr[high]) - int(indptr[low]), each, beside)
            self.starts = split(indptr, low, high, count)
            sizes = [int(indptr[b]) - int(indptr[a]) for a, b in self._ranges()]
            self._all_fit = len(sizes) <= 2
            capacities = sizes if self._all_fit else [max(sizes)] * 2
            check_memory(beside + sum(capacities) * each, "locally_dominant")
            self._indptr = xp.asarray(indptr)
            self._arrays: list[Any] = [
                None if one is None else xp.empty(sum(capacities), one.dtype)
                for one in (indices, weights)
            ]
            cuts = offsets(capacities).tolist()
            self._buffers: list[Any] = [
                tuple(None if one is None else one[a:b] for one in self._arrays)
                for a, b in zip(cuts, cuts[1:], strict=False)
            ]
            self._held: list[int | None] = [None] * len(capacities)
            self._made: dict[int, Batch] = {}  # as long as they are held
            self._streams = _streams(number)[: len(capacities)]
            self._pin()

    def _ranges(self) -> list[tuple[int, int]]:
        return list(zip(self.starts, self.starts[1:], strict=False))

    def here(self) -> AbstractContextManager:
        return on(self._number)

    def bring(self, wanted: list[int]) -> Iterator[Batch]:
        wanted = sorted(wanted, key=lambda k: k not in self._held)
        coming = self._fetch(wanted[0], -1) if wanted else -1
        for turn, k in enumerate(wanted):
            place = coming
            if turn + 1 < len(wanted):
                coming = self._fetch(wanted[turn + 1], place)
            stream = self._streams[place]
            with stream:
                start = self._mark(stream)
                yield self._batch(k, place)
                self._note("work", start, stream)
        for stream in self._streams:
            stream.synchronize()
        self._add_times()

    def whole(self) -> Batch | None:
        if not self._all_fit:
            return None
        for k in range(len(self._held)):
            self._fetch(k, -1)
        for stream in self._streams:
            stream.synchronize()
        low, high = self.starts[0], self.starts[-1]
        first = int(self._source.indptr[low])
        indptr = self._indptr[low : high + 1]
        return self._rows(low, indptr - first if first else indptr, *self._arrays)

    def _fetch(self, k: int, busy: int) -> int:
        """Begin to bring a batch to a buffer that is not busy, unless it is in one; which one."""
        if k in self._held:
            return self._held.index(k)
        places = [place for place in range(len(self._held)) if place != busy]
        place = k if self._all_fit else min(places, key=lambda one: self._held[one] is not None)
        self._made.pop(place, None)
        stream, (low, high) = self._streams[place], self._arcs(k)
        with stream:
            start = self._mark(stream)
            for source, buffer in zip(
                (self._source.indices, self._source.weights), self._buffers[place], strict=True
            ):
                if source is None:
                    continue
                if simulated():
                    buffer[: high - low] = source[low:high]
                else:  # after the stream's last kernel, which reads the buffer still
                    buffer[: high - low].set(source[low:high], stream=stream)
            self._note("transfer", start, stream)
        self._held[place] = k
        return place

    def _arcs(self, k: int) -> tuple[int, int]:
        indptr = self._source.indptr
        return int(indptr[self.starts[k]]), int(indptr[self.starts[k + 1]])

    def _batch(self, k: int, place: int) -> Batch:
        """A batch that is in its buffer, with what operators have kept with it."""
        if place not in self._made:
            (a, b), (low, high) = self._ranges()[k], self._arcs(k)
            arrays = (None if one is None else one[: high - low] for one in self._buffers[place])
            self._made[place] = self._rows(a, self._indptr[a : b + 1] - low, *arrays)
        return self._made[place]

    def _rows(self, first: int, indptr: Any, indices: Any, weights: Any) -> Batch:
        return Batch(self.xp, f"cuda:{self._number}", first, indptr, indices, weights)

    def _mark(self, stream: Any) -> Any:
        """A point in the stream's time, if somebody wants to know."""
        if simulated() or not observed():
            return None
        import cupy

        event = cupy.cuda.Event()
        event.record(stream)
        return event

    def _note(self, phase: str, start: Any, stream: Any) -> None:
        if start is not None:
            self._marks.append((phase, start, self._mark(stream)))

    def _add_times(self) -> None:
        for phase, start, end in self._marks:
            from cupy.cuda import get_elapsed_time

            self.times[phase] += get_elapsed_time(start, end) / 1e3
        self._marks = []

    def _pin(self) -> None:
        """Let the GPU read the host's arrays directly; what cannot be pinned is copied slower."""
        if simulated():
            return
        import cupy

        for array in (self._source.indices, self._source.weights):
            if array is None or array.nbytes == 0:
                continue
            address = array.__array_interface__["data"][0]
            try:
                cupy.cuda.runtime.hostRegister(address, array.nbytes, 0)
                self._pinned.append(address)
            except cupy.cuda.runtime.CUDARuntimeError:
                pass

    def close(self) -> None:
        if self._pinned:
            import cupy

            for address in self._pinned:
                cupy.cuda.runtime.hostUnregister(address)
        self._pinned, self._arrays, self._buffers, self._made = [], [], [], {}


def batches(name: str, source: Source, low: int, high: int, count: Any, beside: int) -> CudaBatches:
    """The batches of these vertices on the device of this name."""
    return CudaBatches(device_number(name), source, low, high, count, beside)


def _fitting(arcs: int, each: int, beside: int) -> int:
    """The least number of batches of which two, or the one, fit the device's memory."""
    free = free_memory() * _FILL - beside
    if free <= 0:
        return 1  # the check that follows says what is missing
    if arcs * each <= free:
        return 1
    return max(2, -(-2 * arcs * each // int(free)))


def _streams(number: int) -> list[Any]:
    """Two streams of the device; what was begun on the current one is used on them."""
    if simulated():  # it has none
        return [_NoStream()] * 2
    import cupy

    cupy.cuda.get_current_stream().synchronize()
    return _kept_streams(number)


@cache
def _kept_streams(number: int) -> list[Any]:
    """The same ones every time: CuPy keeps the memory that each has used for itself."""
    import cupy

    return [cupy.cuda.Stream(non_blocking=True) for _ in range(2)]


class _NoStream(nullcontext):
    def synchronize(self) -> None:
        pass
