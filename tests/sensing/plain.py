"""The slow and obvious way to windows, sums and quantities: NumPy, one window at a time."""

from __future__ import annotations

import numpy as np

from edgewise.sensing.links import Links
from edgewise.sensing.quantities import BINS, Distributions, Quantities


def build(source, destination, bounds):
    """What an engine's ``build`` gives."""
    ones = np.ones(len(source), np.int64)
    links, starts = summed(Links(source, destination, ones), bounds, np.arange(len(bounds)))
    return links, starts, *measure(links, starts)


def summed(links, bounds, groups):
    """What an engine's ``summed`` gives."""
    bounds = np.asarray(bounds)[groups]
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


def measure(links, bounds):
    """What an engine's ``measure`` gives."""
    found = np.zeros((len(Quantities._fields), len(bounds) - 1), np.int64)
    counts = np.zeros((len(Distributions._fields), len(bounds) - 1, BINS), np.int64)
    for w in range(len(bounds) - 1):
        source, destination, packets = (a[bounds[w] : bounds[w + 1]] for a in links)
        if len(packets) == 0:
            continue
        sent, fan_out = groups_of(source, packets)
        got, fan_in = groups_of(destination, packets)
        found[:, w] = (
            *(packets.sum(), len(packets), packets.max()),
            *(len(sent), sent.max(), fan_out.max()),
            *(len(got), got.max(), fan_in.max()),
        )
        for i, values in enumerate((sent, fan_out, packets, fan_in, got)):
            for value in values.tolist():
                counts[i, w, (value - 1).bit_length()] += 1
    return Quantities(*found), Distributions(*counts)


def groups_of(ids, packets):
    """The packets and the links of each id."""
    _, at, links = np.unique(ids, return_inverse=True, return_counts=True)
    sums = np.zeros(len(links), np.int64)
    np.add.at(sums, at, packets)
    return sums, links


def assert_same(found, wanted):
    """Two records, or arrays, with equal content and types."""
    if isinstance(wanted, tuple):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            assert_same(one, other)
    else:
        assert np.asarray(found).dtype == np.asarray(wanted).dtype
        np.testing.assert_array_equal(found, wanted)
