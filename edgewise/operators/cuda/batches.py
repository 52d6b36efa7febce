"""A range of vertices on one GPU, its edges brought from host memory batch by batch.

Two buffers on two streams take turns: while the edges of one batch arrive, the vertices of the
other look through theirs. A batch that nobody must look through is not brought at all, and one that
is still in its buffer not again. See `edgewise.operators.batches`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.compiling import clock
from edgewise.base.cuda.device import check_memory, device_number, free_memory, simulated
from edgewise.base.cuda.kernels import kernel
from edgewise.base.cuda.language import cuda
from edgewise.base.observe import observed
from edgewise.graph.device import on
from edgewise.operators.adjacency import Adjacency
from edgewise.operators.batches import split
from edgewise.operators.cuda.pair import bitmap
from edgewise.operators.cuda.plan import plan_rows
from edgewise.operators.cuda.pointing import (
    CUT,
    LOOKING,
    PAIRED,
    SEEN,
    THREADS,
    UNKNOWN,
    WORDS,
    sizes_at,
    stages,
)
from edgewise.operators.cuda.ranking import Shape
from edgewise.operators.cuda.rounds import OFFSETS
from edgewise.operators.cuda.state import nothing

__all__ = ["part"]

#: The grid of a step; rows beyond it are taken in turns.
_BLOCKS = 1 if simulated() else 1056
#: The share of the free memory that ``batches="auto"`` fills.
_FILL = 0.9


class Batch(NamedTuple):
    """Vertices whose rows are brought together, and their lists (see `pointing`)."""

    first: int  # arc
    last: int
    lists: tuple[Any, Any, Any]
    begins: tuple[int, ...]
    sizes: Any  # of the front's four parts
    counters: Any


class CudaPart:
    """The vertices ``low..high`` on one GPU."""

    def __init__(self, rows: Adjacency, mates: Any, number: int, low: int, high: int, batches: Any):
        from edgewise.base.cuda.device import array_module

        self.low, self.high, self._number, self._host = low, high, number, rows
        self.times = dict.fromkeys(("transfer", "pointing", "matching", "synchronization"), 0.0)
        self._pinned: list[int] = []
        self._marks: list[tuple[Any, Any, Any]] = []
        with on(number):
            self._xp = xp = array_module()
            n, ids = len(mates), rows.indices.dtype
            self._each = ids.itemsize + (0 if rows.weights is None else rows.weights.itemsize)
            if batches == "auto":
                batches = _fitting(rows, low, high, self._each)
            ranges = split(rows.indptr, low, high, batches)
            arcs = [int(rows.indptr[b]) - int(rows.indptr[a]) for a, b in ranges]
            room = max(arcs, default=0)
            buffers = min(2, len(ranges))
            check_memory(_vertex_bytes(n, high - low) + buffers * room * self._each, "pair")
            self._indptr = xp.asarray(rows.indptr)
            self._mates, self._points = xp.asarray(mates), xp.full(n, UNKNOWN, mates.dtype)
            self._fresh = not bool((mates >= 0).any())
            self._taken = bitmap(xp, self._mates >= 0)
            self._batches = [self._batch(a, b) for a, b in ranges if a < b]
            kind = np.int32 if rows.weights is None else rows.weights.dtype
            size = 1 if rows.weights is None else room
            self._buffers = [(xp.empty(room, ids), xp.empty(size, kind)) for _ in range(buffers)]
            self._held: list[int | None] = [None] * buffers
            self._streams = _streams(buffers)
            weights = nothing() if rows.weights is None else rows.weights
            self._steps = step_kernels(Shape.of(rows.indices, weights, rows.weights is not None))
            self._pin()

    def _batch(self, a: int, b: int) -> Batch:
        xp = self._xp
        plan = plan_rows(xp, self._indptr, xp.arange(a, b), CUT, ordered=True)
        lists = (plan.ids, xp.empty_like(plan.ids), xp.empty_like(plan.ids))
        sizes = xp.asarray(np.array([count for _, count in plan.spans], np.int64))
        begins = tuple(begin for begin, _ in plan.spans)
        first, last = int(self._host.indptr[a]), int(self._host.indptr[b])
        return Batch(first, last, lists, begins, sizes, xp.zeros(WORDS, np.int64))

    def look(self) -> tuple[int, int]:
        with on(self._number):
            for batch in self._batches:
                batch.counters[:] = 0
                self._steps[0](_BLOCKS, THREADS, batch.lists, batch.begins, batch.sizes,
                               self._points, self._taken, batch.counters)  # fmt: skip
            counts = [_host(batch.counters) for batch in self._batches]
            turns = [k for k, count in enumerate(counts) if count[LOOKING : LOOKING + 4].any()]
            for turn, k in enumerate(turns):
                self._look_through(k, turn % len(self._buffers))
            for stream in self._streams:
                stream.synchronize()
            self._tell_times()
            counts = [_host(batch.counters) for batch in self._batches]
            self._fresh = False
        alive = sum(int(count[:4].sum()) for count in counts)
        return alive, sum(int(count[SEEN]) for count in counts)

    def _look_through(self, k: int, place: int) -> None:
        """Bring the edges of a batch, and let its vertices look through them."""
        batch, (indices, weights) = self._batches[k], self._buffers[place]
        if k in self._held:
            place = self._held.index(k)
            indices, weights = self._buffers[place]
        stream = self._streams[place]
        with stream:
            start = self._mark(stream)
            if self._held[place] != k:
                self._bring(self._host.indices, indices, batch, stream)
                if self._host.weights is not None:
                    self._bring(self._host.weights, weights, batch, stream)
                self._held[place] = k
            there = self._mark(stream)
            rows = (self._indptr, indices, weights, np.uint64(batch.first))
            self._steps[1](_BLOCKS, THREADS, rows, batch.lists, batch.begins, self._points,
                           self._taken, self._fresh, batch.counters)  # fmt: skip
            self._marks.append((start, there, self._mark(stream)))

    def _bring(self, source: Any, buffer: Any, batch: Batch, stream: Any) -> None:
        piece = source[batch.first : batch.last]
        if simulated():
            buffer[: len(piece)] = piece
        else:  # after the stream's last kernel, which reads the buffer still
            buffer[: len(piece)].set(piece, stream=stream)

    def _mark(self, stream: Any) -> Any:
        """A point in the stream's time, if somebody wants to know."""
        if simulated() or not observed():
            return None
        import cupy

        event = cupy.cuda.Event()
        event.record(stream)
        return event

    def _tell_times(self) -> None:
        """Add up what the streams were busy with."""
        for start, there, end in self._marks:
            if start is not None:
                from cupy.cuda import get_elapsed_time

                self.times["transfer"] += get_elapsed_time(start, there) / 1e3
                self.times["pointing"] += get_elapsed_time(there, end) / 1e3
        self._marks = []

    def pointers(self) -> Any:
        return self._points[self.low : self.high]

    def hear(self, low: int, high: int, pointers: Any) -> None:
        with on(self._number):
            self._points[low:high] = self._xp.asarray(pointers)

    def settle(self) -> int:
        with on(self._number):
            begin = clock()
            for k, batch in enumerate(self._batches):
                front, following, lookers = batch.lists
                self._steps[2](_BLOCKS, THREADS, following, batch.begins, self._mates,
                               self._points, self._taken, batch.counters)  # fmt: skip
                batch.sizes[:] = batch.counters[:4]
                self._batches[k] = batch._replace(lists=(following, front, lookers))
            paired = sum(int(_host(batch.counters)[PAIRED]) for batch in self._batches)
            self.times["matching"] += clock() - begin
        return paired

    def taken(self) -> Any:
        return self._taken

    def mark(self, taken: Any) -> None:
        with on(self._number):
            self._taken |= self._xp.asarray(taken)

    def mates(self) -> np.ndarray:
        with on(self._number):
            return _host(self._mates[self.low : self.high])

    def _pin(self) -> None:
        """Let the GPU read the host's arrays directly; what cannot be pinned is copied slower."""
        if simulated() or len(self._batches) == 0:
            return
        import cupy

        for array in (self._host.indices, self._host.weights):
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
        self._pinned, self._buffers, self._batches = [], [], []


def part(rows: Adjacency, mates: Any, name: str, low: int, high: int, batches: Any) -> CudaPart:
    """The part for these vertices on the device of this name."""
    return CudaPart(rows, mates, device_number(name), low, high, batches)


def _vertex_bytes(n: int, own: int) -> int:
    """Of the arrays over vertices: offsets, mates, pointers, bits; three lists of the own vertices,
    and what sorting these takes."""
    return n * (8 + 4 + 4 + 1) + own * (3 * 4 + 40)


def _fitting(rows: Adjacency, low: int, high: int, each: int) -> int:
    """The least number of batches of which two, or the one, fit the device's memory."""
    arcs = int(rows.indptr[high]) - int(rows.indptr[low])
    free = free_memory() * _FILL - _vertex_bytes(len(rows.indptr) - 1, high - low)
    if free <= 0:
        return 1  # the check that follows says what is missing
    if arcs * each <= free:
        return 1
    return max(2, -(-2 * arcs * each // int(free)))


def _host(array: Any) -> np.ndarray:
    return array.get() if hasattr(array, "get") else array.copy()


class _NoStream:
    """The simulator has none."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: Any) -> None:
        pass

    def synchronize(self) -> None:
        pass


def _streams(count: int) -> list[Any]:
    if simulated():
        return [_NoStream()] * count
    import cupy

    cupy.cuda.get_current_stream().synchronize()  # what was begun there is used on the others
    return [cupy.cuda.Stream(non_blocking=True) for _ in range(count)]


@cache
def step_kernels(shape: Shape) -> tuple[Any, Any, Any]:
    """The three steps of a round as kernels of their own."""
    sort_all, look_all, settle_all = stages(shape)
    ids, kind = shape.ids.type, shape.weights.type

    @kernel
    def sort(lists, begins, sizes, pointers, taken, counters):
        offsets = cuda.shared.array(OFFSETS, np.int32)
        sums = cuda.shared.array(32, np.int32)
        place = cuda.shared.array(1, np.int64)
        room = (offsets, sums, place)
        sort_all(room, lists, begins, sizes_at(sizes, 0), pointers, taken, counters, 0,
                 cuda.gridDim.x)  # fmt: skip

    @kernel
    def look(rows, lists, begins, pointers, taken, fresh, counters):
        offsets = cuda.shared.array(OFFSETS, np.int32)
        sums = cuda.shared.array(32, np.int32)
        place = cuda.shared.array(1, np.int64)
        best = cuda.shared.array(THREADS, kind)
        chosen = cuda.shared.array(THREADS, ids)
        room = (offsets, sums, place, best, chosen)
        look_all(room, lists[2], lists[1], begins, sizes_at(counters, LOOKING), rows, pointers,
                 taken, fresh, counters, 0, cuda.gridDim.x)  # fmt: skip

    @kernel
    def settle(following, begins, mates, pointers, taken, counters):
        offsets = cuda.shared.array(OFFSETS, np.int32)
        sums = cuda.shared.array(32, np.int32)
        place = cuda.shared.array(1, np.int64)
        room = (offsets, sums, place)
        settle_all(room, following, begins, sizes_at(counters, 0), mates, pointers, taken,
                   counters, 0)  # fmt: skip

    return sort, look, settle
