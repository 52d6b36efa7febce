"""The bits that WebGraph's BV format [1] would take for a graph, without writing the file.

Each row is coded with the reference, among the 7 rows before it, that makes it shortest; chains of
references have at most 3 links, runs of 4 and more are intervals, and residuals are in zeta code 3:
WebGraph's defaults. Offsets are not counted.

[1] P. Boldi, S. Vigna. The WebGraph framework I: compression techniques. WWW 2004.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["bv_bits"]

_WINDOW, _CHAIN, _RUN = 7, 3, 4


def bv_bits(graph: Any) -> int:
    """Return the number of bits.

    >>> from edgewise.graph import Graph
    >>> bv_bits(Graph.from_edges([0], [2], num_vertices=3, directed=True))
    11
    """
    longest = graph.longest_row + 1
    bits, chain = np.zeros(1, np.int64), np.zeros(graph.num_vertices, np.int64)
    extras = np.empty(longest, np.int64)
    state = (graph.indptr, graph.indices, chain, extras, bits)
    sequential(_all_rows, state, steps=graph.num_vertices, work=16 * graph.num_arcs)
    return int(bits[0])


@inner
def _log2(value):
    """The position of the highest bit of a positive number."""
    found = 0
    while value > 1:
        value >>= 1
        found += 1
    return found


@inner
def _gamma(value):
    return 2 * _log2(value + 1) + 1


@inner
def _zeta(value):
    """Zeta code with k = 3."""
    value += 1
    h = _log2(value) // 3
    start = 1 << 3 * h
    return h + 1 + 3 * h + (2 if value < 2 * start else 3)


@inner
def _signed(value):
    return 2 * value if value >= 0 else -2 * value - 1


@inner
def _blocks(indices, low, high, first, last, extras):
    """Bits of the blocks copied from a row, and how many neighbors are left over."""
    bits, count, length, left, copying = 0, 0, 0, 0, True
    k, j = low, first
    while k < high and j < last:
        mine, theirs = np.int64(indices[k]), np.int64(indices[j])
        if mine < theirs:
            extras[left] = mine
            left, k = left + 1, k + 1
        elif copying == (mine == theirs):  # the block goes on
            k += copying
            j += 1
            length += 1
        else:
            bits += _gamma(length - (count > 0))
            count, length, copying = count + 1, 0, not copying
    if copying and j < last:
        bits += _gamma(length - (count > 0))
        count += 1
    while k < high:
        extras[left] = indices[k]
        left, k = left + 1, k + 1
    return bits + _gamma(count), left


@inner
def _rest(v, extras, count):
    """Bits of the intervals and residuals among the neighbors left over."""
    if count == 0:
        return 0
    bits, intervals, residuals, i = 0, 0, 0, 0
    end, before = np.int64(0), np.int64(0)
    while i < count:
        stop = i + 1
        while stop < count and extras[stop] == extras[stop - 1] + 1:
            stop += 1
        if stop - i >= _RUN:
            bits += _gamma(extras[i] - end - 1 if intervals else _signed(extras[i] - v))
            bits += _gamma(stop - i - _RUN)
            end, intervals = extras[i] + stop - i, intervals + 1
        else:
            for one in range(i, stop):
                here = extras[one]
                bits += _zeta(here - before - 1 if residuals else _signed(here - v))
                before, residuals = here, residuals + 1
        i = stop
    return bits + _gamma(intervals)


def _all_rows(control, indptr, indices, chain, extras, bits):
    for v in range(len(chain)):
        if v % 1024 == 0 and not going(control, v):
            return
        low, high = indptr[v], indptr[v + 1]
        bits[0] += _gamma(high - low)
        if low == high:
            continue
        count = 0
        for k in range(low, high):
            extras[count] = indices[k]
            count += 1
        least = 1 + _rest(v, extras, count)
        for back in range(1, min(_WINDOW, v) + 1):
            first, last = indptr[v - back], indptr[v - back + 1]
            if first == last or chain[v - back] == _CHAIN:
                continue
            copied, count = _blocks(indices, low, high, first, last, extras)
            found = back + 1 + copied + _rest(v, extras, count)
            if found < least:
                least, chain[v] = found, chain[v - back] + 1
        bits[0] += least
