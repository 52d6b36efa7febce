"""First-fit coloring of pins that share nets, by a set of colors per net.

Pins of one net must have different colors. In a distance-2 coloring, vertices are the pins, and the
closed neighborhood of every vertex is a net. In a partial distance-2 coloring of a matrix, columns
are the pins and rows are the nets.

A net keeps the colors of its pins as bits, and the first word that is not full. The color of a pin
is the lowest bit that is clear in all of its nets, searched from the largest first word. So a pin
costs some words per net instead of all pins of its nets: the work is close to linear in the
entries, and the colors are those of the plain greedy algorithm. The bits of a net cover at least
16 colors per pin. Larger colors are found by a scan of the pins, if the search gets so far.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.bits import lowest_bit
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.helpers import inlined
from edgewise.operators.sequential import going, sequential

__all__ = ["Nets", "first_fit", "graph_nets", "longest_net", "sorted_rows"]

_LOW = (1 << 32) - 1


class Nets(NamedTuple):
    """The pins of each net and the nets of each pin; if ``closed``, net v has the pin v, too."""

    net_ptr: Any
    net_pins: Any
    pin_ptr: Any
    pin_nets: Any
    closed: bool

    @property
    def num_pins(self) -> int:
        """The number of pins."""
        return len(self.pin_ptr) - 1


def sorted_rows(graph: AnyGraph) -> tuple[np.ndarray, np.ndarray]:
    """The rows of a graph in host memory, sorted and without parallel edges: mostly its own."""
    indptr, indices, n = graph.indptr, graph.indices, graph.num_vertices
    ascending = indices[1:] > indices[:-1]
    ascending[indptr[(indptr > 0) & (indptr < len(indices))] - 1] = True
    if ascending.all():
        return indptr, indices
    from scipy.sparse import csr_array

    table = csr_array((np.ones(len(indices), np.int8), indices.copy(), indptr.copy()), (n, n))
    table.sum_duplicates()
    return table.indptr, table.indices


def graph_nets(graph: AnyGraph) -> Nets:
    """The closed neighborhoods of an undirected graph in host memory."""
    rows = sorted_rows(graph)
    return Nets(*rows, *rows, True)


def longest_net(nets: Nets) -> int:
    """The largest number of pins in a net: a lower bound on the number of colors."""
    lengths = np.diff(nets.net_ptr)
    if nets.closed:
        lengths = lengths + 1
        rows = np.repeat(np.arange(nets.num_pins), np.diff(nets.net_ptr))
        lengths[rows[rows == nets.net_pins]] -= 1
    return int(lengths.max(initial=0))


def first_fit(nets: Nets, listed: np.ndarray, most: int | None = None) -> Any:
    """Return the color of each pin, when pins are colored greedily in the order of a list.

    Return None as soon as more than ``most`` colors are needed.
    """
    pins = nets.num_pins
    most = pins if most is None else most
    colors = np.full(pins, -1, np.int32)
    words = np.zeros(2 * len(nets.net_ptr) + len(nets.net_pins) // 4 + 1, np.int64)
    stamps = np.full(pins + 1, -1, np.int32)
    if pins:
        state = (nets, listed, colors, words, stamps, most)
        work = len(nets.pin_nets) * 4 + pins
        sequential(_color_all, state, steps=pins, work=work, phase="coloring")
    return colors if colors.max(initial=-1) < most else None


def _color_all(control, nets, listed, colors, words, stamps, most):
    """The words of net u begin at 2 u + net_ptr[u] // 4.

    The first word has the number of full words, and above it the end of the colors past the bits.
    """
    (net_ptr, net_pins, pin_ptr, pin_nets, closed), steps = nets, np.int64(0)
    for i in range(len(listed)):
        v = np.int64(listed[i])
        low, high = np.int64(pin_ptr[v]), np.int64(pin_ptr[v + 1])
        start, end = np.int64(0), np.int64(0)
        for e in range(low, high + closed):
            u = v if e == high else np.int64(pin_nets[e])
            head = words[2 * u + (np.int64(net_ptr[u]) >> 2)]
            start, end = max(start, head & _LOW), max(end, head >> 32)
        if end > start << 6:
            for e in range(low, high + closed):
                u = v if e == high else np.int64(pin_nets[e])
                if words[2 * u + (np.int64(net_ptr[u]) >> 2)] >> 32 > start << 6:
                    steps += net_ptr[u + 1] - net_ptr[u]
                    for f in range(net_ptr[u], net_ptr[u + 1]):
                        c = colors[net_pins[f]]
                        if c >= 0:
                            stamps[c] = i
                    if closed and colors[u] >= 0:
                        stamps[colors[u]] = i
        color, k = np.int64(-1), start
        while color < 0:
            used = np.int64(0)
            for e in range(low, high + closed):
                u = v if e == high else np.int64(pin_nets[e])
                first, after = _bounds(u, net_ptr)
                if first + k < after:
                    used |= words[first + k]
            free = ~used
            while free != 0:
                c = (k << 6) + lowest_bit(free)
                if c >= end or stamps[c] != i:
                    color = c
                    break
                free &= free - 1
            k += 1
        colors[v] = color
        if color >= most:
            return
        word, bit = color >> 6, np.int64(1) << (color & 63)
        for e in range(low, high + closed):
            u = v if e == high else np.int64(pin_nets[e])
            first, after = _bounds(u, net_ptr)
            if first + word < after:
                words[first + word] |= bit
                full = words[first - 1] & _LOW
                while first + full < after and words[first + full] == -1:
                    full += 1
                words[first - 1] = (words[first - 1] >> 32 << 32) | full
            else:
                words[first - 1] = (max(words[first - 1] >> 32, color + 1) << 32) | (
                    words[first - 1] & _LOW
                )
        steps += (high - low) * (k - start) + 1
        if steps > 100_000:
            steps = 0
            if not going(control, i):
                return


@inlined
def _bounds(u, net_ptr):
    """The first word of the bits of net u, and the end."""
    first = 2 * u + (np.int64(net_ptr[u]) >> 2) + 1
    return first, 2 * u + 2 + (np.int64(net_ptr[u + 1]) >> 2)
