"""Windows of packets on the CPU: see `edgewise.sensing.matrix.engine`."""

from __future__ import annotations

import numpy as np

from edgewise.sensing.links import Links
from edgewise.sensing.quantities import BINS, Distributions, Quantities, bins

__all__ = ["build", "measure", "summed"]


def build(
    source: np.ndarray, destination: np.ndarray, bounds: np.ndarray
) -> tuple[Links, np.ndarray, Quantities, Distributions]:
    """The links of every window, where each one's begin, and what is counted of each."""
    ones = np.ones(len(source), np.int64)
    links, starts = _summed(Links(source, destination, ones), bounds)
    return links, starts, *measure(links, starts)


def summed(links: Links, bounds: np.ndarray, groups: np.ndarray) -> tuple[Links, np.ndarray]:
    """The sums of matrices that follow each other, and where each one's links begin."""
    return _summed(links, bounds[groups])


def measure(links: Links, bounds: np.ndarray) -> tuple[Quantities, Distributions]:
    """What is counted of each of some matrices."""
    quantities = np.zeros((len(Quantities._fields), len(bounds) - 1), np.int64)
    counts = np.zeros((len(Distributions._fields), len(bounds) - 1, BINS), np.int64)
    for w in range(len(bounds) - 1):
        source, destination, packets = (a[bounds[w] : bounds[w + 1]] for a in links)
        if len(packets) == 0:
            continue
        sent, fan_out = _groups(source, packets)
        got, fan_in = _groups(destination, packets)
        found = (
            *(packets.sum(), len(packets), packets.max()),
            *(len(sent), sent.max(), fan_out.max()),
            *(len(got), got.max(), fan_in.max()),
        )
        quantities[:, w] = found
        for i, values in enumerate((sent, fan_out, packets, fan_in, got)):
            counts[i, w] = np.bincount(bins(values), minlength=BINS)
    return Quantities(*quantities), Distributions(*counts)


def _summed(links: Links, bounds: np.ndarray) -> tuple[Links, np.ndarray]:
    """Links sorted inside each window, equal ones summed, and where windows begin."""
    window = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    order = np.lexsort((links.destination, links.source, window))
    source, destination, packets, window = (a[order] for a in (*links, window))
    new = np.ones(len(source), bool)
    new[1:] = (source[1:] != source[:-1]) | (destination[1:] != destination[:-1])
    new[1:] |= window[1:] != window[:-1]
    first = np.flatnonzero(new)
    sums = np.add.reduceat(packets, first) if len(first) else packets
    starts = np.searchsorted(window[first], np.arange(len(bounds)))
    return Links(source[first], destination[first], sums), starts


def _groups(ids: np.ndarray, packets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The packets and the links of each id."""
    _, at, links = np.unique(ids, return_inverse=True, return_counts=True)
    sums = np.zeros(len(links), np.int64)
    np.add.at(sums, at, packets)
    return sums, links
