"""Ids of 64 bits as ranks of 32, so that two of them fit one word and one set of kernels does.

Ranks are in the order of the ids: what is sorted by ranks is sorted by ids.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cpu.sort import sort
from edgewise.sensing.links import Links

__all__ = ["narrow", "ordered", "widen"]

_32 = np.uint64(32)


def narrow(
    source: np.ndarray, destination: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Two columns as ids or ranks of 32 bits, and the ids that have the ranks (None: they are ids).

    >>> source, destination, ids = narrow(np.uint64([2**63, 7]), np.uint64([7, 2**40]))
    >>> source.tolist(), destination.tolist(), ids.tolist() == [7, 2**40, 2**63]
    ([2, 0], [0, 1], True)
    """
    if source.dtype == np.uint32:
        return source, destination, None
    both = np.concatenate((source, destination))
    if int(both.max(initial=0)) < 1 << 32:
        return source.astype(np.uint32), destination.astype(np.uint32), None
    order = np.arange(len(both), dtype=np.uint32 if len(both) < 1 << 32 else np.uint64)
    sort(both, order)
    new = np.ones(len(both), np.bool_)
    np.not_equal(both[1:], both[:-1], out=new[1:])
    ids = both[new]
    if len(ids) > 1 << 32:
        raise ValueError(f"there must be at most 2**32 distinct ids at once, got {len(ids)}")
    ranks = np.empty(len(both), np.uint32)
    ranks[order] = np.cumsum(new) - 1
    return ranks[: len(source)], ranks[len(source) :], ids


def widen(links: Links, ids: np.ndarray | None, dtype: np.dtype) -> Links:
    """Links with the ids that `narrow` took away."""
    source, destination, packets = links
    if ids is not None:
        return Links(ids[source], ids[destination], packets)
    return Links(source.astype(dtype, copy=False), destination.astype(dtype, copy=False), packets)


def ordered(links: Links) -> Links:
    """Links in any order sorted, and the packets of equal ones summed.

    >>> links = Links(np.uint32([3, 1, 3]), np.uint32([4, 2, 4]), np.array([10, 20, 30]))
    >>> [column.tolist() for column in ordered(links)]
    [[1, 3], [2, 4], [20, 40]]
    """
    source, destination, ids = narrow(links.source, links.destination)
    keys, packets = source.astype(np.uint64) << _32 | destination, links.packets.copy()
    sort(keys, packets)
    new = np.ones(len(keys), np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    if not new.all():
        first = np.flatnonzero(new)
        keys, packets = keys[first], np.add.reduceat(packets, first)
    source, destination = (keys >> _32).astype(np.uint32), keys.astype(np.uint32)
    return widen(Links(source, destination, packets), ids, links.source.dtype)
