"""Counts by lane: of how many members is each bit of their words set?

State of k columns of uint64 has 64 k lanes, one for each of as many searches or runs. Members are
added up 255 at a time, all 64 lanes of a word at once: bit j of eight words is the count of lane j,
and a ninth word is added to them as one adds by hand, digit by digit with a carry.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base import atomic
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host
from edgewise.operators.engines import run
from edgewise.operators.items import for_each

__all__ = ["lane_counts"]

_PIECE = 255  # what eight digits can count


def lane_counts(graph: AnyGraph, members: Any, words: Any) -> np.ndarray:
    """How many of the members, a frontier, have each lane set: int64, in host memory.

    >>> import numpy as np
    >>> from edgewise import Graph, frontier
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> words = np.array([[1, 5], [3, 0], [2, 4]], np.uint64)
    >>> found = lane_counts(graph, frontier(graph, [0, 1]), words).reshape(2, 64)
    >>> found[:, :3].tolist(), int(found.sum())
    ([[2, 1, 0], [1, 0, 1]], 5)
    """
    if graph.engine != "local":
        return run(graph, "lane_counts")(graph, members, words)
    return host(counted(graph, members.ids, words))


def counted(rows: Any, ids: Any, words: Any) -> Any:
    """The counts of the rows of ``words`` with these ids, where these are."""
    width, count = words.shape[1], len(ids)
    counts = rows.xp.zeros(64 * width, np.int64)
    for_each(-(-count // _PIECE) * width, _count, (ids, words, counts), device=rows.device,
             work=count * width)  # fmt: skip
    return counts


def _count(i, ids, words, counts):
    """Column ``i % width`` of the i // width-th piece of the members."""
    piece, column = i // words.shape[1], i % words.shape[1]
    zero = np.uint64(0)
    a, b, c, d, e, f, g, h = zero, zero, zero, zero, zero, zero, zero, zero
    for at in range(piece * _PIECE, min((piece + 1) * _PIECE, len(ids))):
        carry = words[ids[at], column]
        if carry == zero:
            continue
        a, carry = a ^ carry, a & carry
        b, carry = b ^ carry, b & carry
        c, carry = c ^ carry, c & carry
        d, carry = d ^ carry, d & carry
        if carry != zero:
            e, carry = e ^ carry, e & carry
            f, carry = f ^ carry, f & carry
            g, carry = g ^ carry, g & carry
            h = h ^ carry
    some = a | b | c | d | e | f | g | h
    for lane in range(64):
        shift, one = np.uint64(lane), np.uint64(1)
        if (some >> shift) & one != zero:
            found = (a >> shift) & one
            found += ((b >> shift) & one) << np.uint64(1)
            found += ((c >> shift) & one) << np.uint64(2)
            found += ((d >> shift) & one) << np.uint64(3)
            found += ((e >> shift) & one) << np.uint64(4)
            found += ((f >> shift) & one) << np.uint64(5)
            found += ((g >> shift) & one) << np.uint64(6)
            found += ((h >> shift) & one) << np.uint64(7)
            atomic.add(counts, column * 64 + lane, np.int64(found))
