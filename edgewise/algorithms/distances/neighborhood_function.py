"""The neighborhood function: the number of pairs within t hops, for every t, by HyperBall [1].

Every vertex keeps a HyperLogLog counter [2] of 64 registers for the set of vertices that reach it
within t hops. The union of two sets is the maximum of their registers. One `advance` over state of
64 columns computes the counters for t + 1 from those for t. Only vertices whose counter has changed
send. A hop is thus one pass over the edges, with 64 bytes along each, instead of a search from
every vertex.

A counter's standard error is 1.04 / sqrt(64), or 13%; that of a sum over vertices is not larger.
Averaging ``runs`` runs with different hashes divides it by sqrt(runs): 6.5% by default. Errors of
different t are correlated, so ratios such as N(t) / N(inf) are more accurate.

[1] P. Boldi, S. Vigna. In-core computation of geometric centralities with HyperBall. ICDM
    Workshops 2013.
[2] P. Flajolet, E. Fusy, O. Gandouet, F. Meunier. HyperLogLog. AofA 2007.
"""

from __future__ import annotations

from math import log

import numpy as np

from edgewise.base.bits import lowest_bit
from edgewise.base.checks import check_count
from edgewise.base.observe import notify
from edgewise.base.random import bits
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import MAX, advance, compute

__all__ = ["ball_sizes", "neighborhood_function"]

_REGISTERS = 64
_ALPHA = 0.709 * _REGISTERS**2  # Flajolet et al. for 64 registers
_SMALL = 2.5 * _REGISTERS
_ONE = np.uint64(1 << 57)  # in which halves, quarters, ... of it are added up
_MOST_RUNS = 1024


@takes_graph
def neighborhood_function(graph: GraphLike, *, runs: int = 4, seed: int = 0) -> np.ndarray:
    """Return an estimate of the neighborhood function: the number of pairs within t hops.

    Parameters
    ----------
    graph : Graph
        In a directed graph, distances follow the edges.
    runs : int
        Number of estimates to average, at most 1024. The standard error is at most 13% /
        sqrt(runs).
    seed : int
        Seed of the estimate. The same seed gives the same result for any number of threads.

    Returns
    -------
    array of float64, in host memory
        Entry t counts the ordered pairs within t hops, including each vertex with itself. The last
        entry holds for all larger t.

    See Also
    --------
    effective_diameter : A percentile of the distances, from this function.

    Notes
    -----
    O(``runs`` m) time per hop at most, and 64 bytes per vertex.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    >>> neighborhood_function(star, runs=16).round().tolist()  # in truth 4, 10, 16
    [4.0, 10.0, 17.0]
    """
    runs = check_count(runs, "runs", 1, _MOST_RUNS)
    curves = [ball_sizes(graph, seed, run) for run in range(runs)]
    longest = max(map(len, curves))
    return np.mean([np.pad(one, (0, longest - len(one)), "edge") for one in curves], axis=0)


def ball_sizes(graph: AnyGraph, seed: int, run: int) -> np.ndarray:
    """Return the estimated number of pairs within 0, 1, ... hops, of one run."""
    xp, n = graph.xp, graph.num_vertices
    registers = xp.zeros((n, _REGISTERS), np.uint8)
    compute(graph, None, _sow, (registers, graph.vertex_ids(), bits(seed, run)))
    before, size, reached = registers.copy(), graph.full(1.0), None
    pairs = [float(n)]
    while True:
        reached = advance(graph, reached, _pass_on, registers, reduce=MAX, source_values=before)
        if reached.empty():
            return np.array(pairs)
        compute(graph, reached, _settle, (registers, before, size))
        pairs.append(float(size.sum()))
        notify(len(pairs) - 1, pairs=pairs[-1])


def _sow(v, registers, ids, word):
    """A hash of the vertex says which register it sets, and how high."""
    drawn = bits(word, ids[v])
    rest = (drawn >> np.uint64(6)) | (np.uint64(1) << np.uint64(58))
    registers[v, np.int64(drawn & np.uint64(63))] = lowest_bit(rest) + 1


def _pass_on(value):
    return value


def _settle(v, registers, before, size):
    """Store the new registers, and update the estimated size of the set."""
    total, empty = np.uint64(0), 0
    for j in range(_REGISTERS):
        before[v, j] = registers[v, j]
    for j in range(_REGISTERS):
        total += _ONE >> np.uint64(registers[v, j])
    for j in range(_REGISTERS):
        empty += registers[v, j] == 0
    found = _ALPHA * np.float64(_ONE) / np.float64(total)
    if found <= _SMALL and empty > 0:
        found = _REGISTERS * log(_REGISTERS / empty)
    size[v] = max(size[v], found)
