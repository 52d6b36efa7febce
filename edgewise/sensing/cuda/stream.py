"""Batches of packets through GPUs: the next ones come over the bus while some are analyzed.

Each GPU has a stream for copies and one for work, and buffers for the batches that are under way.
What is in memory that the bus reads directly (page-locked, as `cupyx.empty_pinned` gives it) is
copied from there; anything else goes through such memory, which is used again and again. The parts
of a batch come to stand side by side on the device. Only who sent to whom is copied: 8 bytes a
packet, 16 with ids of 64 bits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.cuda.device import device_number, simulated
from edgewise.graph.transfer import on
from edgewise.sensing.packets import Packets

__all__ = ["stream"]


def stream(
    batches: Iterable[Any],
    device: str | list[str],
    analyze: Callable[..., Any],
    *,
    in_flight: int = 2,
) -> Iterator[Any]:
    """What a function gives for each of some batches in host memory, in their order.

    Parameters
    ----------
    batches : iterable of Packets, or of lists of them, or of pairs of either and anything
        In host memory; a list is of parts of one batch. The next ones are asked for before results
        of these are given.
    device : str or list of str
        ``"cuda"``, ``"cuda:1"``, or several, which take batches in turn.
    analyze : function
        Called with the sources and destinations of packets on the device that is current then, as
        is its stream, and with what they are paired with, if they are. What it gives must not refer
        to these arrays, since they are used again. It need not wait for the device, and better does
        not; its results are given when the device has done what they take.
    in_flight : int
        How many batches are analyzed at a time on each device; one more is on its way.
    """
    in_flight = check_count(in_flight, "in_flight", 1)
    names = [device] if isinstance(device, str) else device
    numbers = [device_number(name) for name in names]
    if simulated():
        for batch in batches:
            parts, more = _parts(batch)
            columns = (np.concatenate(_column(parts, name)) for name in _BROUGHT)
            yield analyze(Packets(*columns), *more)
        return
    turns = len(numbers)
    slots = [_Slot(numbers[i % turns]) for i in range(turns * (in_flight + 2))]
    coming: deque[_Slot] = deque()
    begun: deque[_Slot] = deque()
    try:
        for turn, batch in enumerate(batches):
            slot = slots[turn % len(slots)]
            slot.bring(batch)
            coming.append(slot)
            if len(coming) > turns:
                begun.append(coming.popleft())
                begun[-1].work(analyze)
            if len(begun) > turns * (in_flight - 1):
                yield begun.popleft().take()
                _settle(numbers)
        for slot in coming:
            slot.work(analyze)
        for slot in (*begun, *coming):
            yield slot.take()
            _settle(numbers)
    finally:
        for slot in slots:
            slot.wait()


class _Slot:
    """Buffers for one batch on a device, and what becomes of it."""

    def __init__(self, number: int):
        import cupy

        self._xp, self._number = cupy, number
        self._copies, self._works = _streams(number)
        self._there: dict[Any, Any] = {}  # buffers on the device, by column
        self._here: dict[Any, Any] = {}  # and page-locked ones in host memory
        self._given: tuple[Any, ...] = ()  # to the function
        self._read: Any = None  # by the copies; it must stay
        with on(number):
            self._event = cupy.cuda.Event(disable_timing=True)
        self._result: Any = None

    def bring(self, batch: Any) -> None:
        """Begin to copy a batch to the device."""
        parts, more = self._read = _parts(batch)
        columns = {name: _column(parts, name) for name in _BROUGHT}
        kind = np.result_type(*(one.dtype for several in columns.values() for one in several))
        with on(self._number), self._copies:
            copies = (self._copied(name, several, kind) for name, several in columns.items())
            self._given = Packets(*copies), *more
            self._event.record(self._copies)

    def _copied(self, name: str, columns: list[np.ndarray], kind: Any) -> Any:
        """A column in parts, which begins to come to the device."""
        size = sum(map(len, columns))
        there, low = _grown(self._there, name, size, kind, self._xp.empty), 0
        for column in columns:
            high = low + len(column)
            if not _locked(column, kind):
                import cupyx

                here = _grown(self._here, name, size, kind, cupyx.empty_pinned)[low:high]
                here[:] = column
                column = here
            if len(column):
                there[low:high].set(column, stream=self._copies)
            low = high
        return there

    def work(self, analyze: Callable[..., Any]) -> None:
        """Analyze the batch when it has come."""
        with on(self._number), self._works:
            self._works.wait_event(self._event)
            self._result = analyze(*self._given)
            self._event.record(self._works)

    def take(self) -> Any:
        """The result, when it is there."""
        self._event.synchronize()
        result, self._result, self._given, self._read = self._result, None, (), None
        return result

    def wait(self) -> None:
        """Until nothing uses the buffers any more."""
        for one in (self._copies, self._works):
            one.synchronize()


#: The columns that are copied.
_BROUGHT = ("source", "destination")


def _parts(batch: Any) -> tuple[list[Packets], tuple[Any, ...]]:
    """The parts of a batch, and what it is paired with."""
    packets, *more = batch if type(batch) is tuple else (batch,)
    return [packets] if isinstance(packets, Packets) else packets, tuple(more)


def _column(parts: list[Packets], name: str) -> list[np.ndarray]:
    return [getattr(part, name) for part in parts] or [np.empty(0, np.uint32)]


def _grown(buffers: dict[Any, Any], name: str, size: int, kind: Any, make: Callable) -> Any:
    """A buffer for a column, from what there is if that is enough."""
    key = name, kind
    if key not in buffers or len(buffers[key]) < size:
        buffers[key] = make(size, kind)
    return buffers[key][:size]


def _locked(column: np.ndarray, kind: Any) -> bool:
    """Does an array of this type stand in a row in memory that the bus reads directly?"""
    import cupy

    if len(column) == 0:
        return True
    if column.dtype != kind or not column.flags.c_contiguous:
        return False
    try:
        about = cupy.cuda.runtime.pointerGetAttributes(column.ctypes.data)
    except cupy.cuda.runtime.CUDARuntimeError:
        return False
    return about.type == _HOST


_HOST = 1  # cudaMemoryTypeHost


def _settle(numbers: list[int]) -> None:
    """Wait for what was done with a result: its memory may be used again from here on."""
    import cupy

    for number in numbers:
        with on(number):
            cupy.cuda.get_current_stream().synchronize()


@cache
def _streams(number: int) -> tuple[Any, Any]:
    """The same two every time: CuPy keeps the memory that each has used for itself."""
    import cupy

    with on(number):
        return tuple(cupy.cuda.Stream(non_blocking=True) for _ in range(2))  # type: ignore
