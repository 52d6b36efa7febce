"""The stages by Edgewise, through its public functions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.sensing.given import WINDOW, Given

__all__: list[str] = []

_KEY = bytes(range(32))


def generate(given: Given) -> Callable[[], Any]:
    from edgewise.sensing import Chain, write_records

    path = given.folder / "again.packets"
    return lambda: write_records(Chain(given.batches(), "generate"), path)


def records(given: Given) -> Callable[[], Any]:
    from edgewise.sensing import iter_records

    return lambda: _through(iter_records(given.records))


def pcap(given: Given) -> Callable[[], Any]:
    from edgewise.sensing import iter_packets

    return lambda: _through(iter_packets(given.pcap))


def permutation(given: Given) -> Callable[[], Any]:
    from edgewise.sensing import Key, permutation

    return lambda: _anonymized(given, permutation(Key(_KEY)))


def crypto_pan(given: Given) -> Callable[[], Any]:
    from edgewise.sensing import Key, crypto_pan

    return lambda: _anonymized(given, crypto_pan(Key(_KEY)))


def windows(given: Given) -> Callable[[], Any]:
    from edgewise.sensing import build_windows

    packets = given.packets
    return lambda: build_windows(packets, WINDOW)


def sum(given: Given) -> Callable[[], Any]:
    from edgewise.sensing import build_windows

    made = build_windows(given.packets, WINDOW)
    return made.total


def total(given: Given) -> Callable[[], Any]:
    from edgewise.sensing import TrafficMatrix, build_windows

    links = build_windows(given.packets, WINDOW).total().links

    def run() -> Any:
        matrix = TrafficMatrix(*links)  # a new one, which has counted nothing yet
        return matrix.quantities(), matrix.distributions()

    return run


def analysis(given: Given) -> Callable[[], Any]:
    from edgewise.sensing import build_windows

    packets = given.packets

    def run() -> Any:
        windows = build_windows(packets, WINDOW)
        matrix = windows.total()
        return _answer(windows.quantities, windows.distributions, matrix)

    return run


def apart(given: Given) -> Callable[[], Any]:
    return analysis(given.apart)


def batches_1(given: Given) -> Callable[[], Any]:
    return _in_batches(given, 1)


def batches_5(given: Given) -> Callable[[], Any]:
    return _in_batches(given, 5)


def batches_10(given: Given) -> Callable[[], Any]:
    return _in_batches(given, 10)


def whole(given: Given) -> Callable[[], Any]:
    from edgewise.sensing import sense

    return lambda: _sensed(sense(given.records, window=WINDOW))


def _in_batches(given: Given, count: int) -> Callable[[], Any]:
    """The analysis of packets in memory that go through the pipeline in so many batches."""
    from edgewise.sensing import sense

    packets = given.packets
    return lambda: _sensed(sense(packets, window=WINDOW, num_batches=count))


def _sensed(found: Any) -> Any:
    return _answer(found.windows.quantities, found.windows.distributions, found.total)


def _answer(quantities: Any, distributions: Any, total: Any) -> Any:
    """What all libraries must agree on: a row per window, and one for the sum."""
    counts = [*zip(*quantities, strict=True), total.quantities()]
    shapes = [*zip(*distributions, strict=True), total.distributions()]
    return np.array(counts, np.int64), np.array(shapes, np.int64)


def _through(batches: Any) -> None:
    """Go through all batches and keep none."""
    deque(batches, maxlen=0)


def _anonymized(given: Given, anonymizer: Any) -> None:
    """Batches of the size in which packets come from a reader."""
    size, packets = 1 << 20, given.packets
    _through(anonymizer(packets.cut(low, low + size)) for low in range(0, given.count, size))
