"""Simple random graphs of given degrees.

All edge ends are paired by a random permutation, in parallel. The graph of the pairs shows which
of them are loops and repeats. One thread exchanges their ends with random other pairs. If some
cannot be removed, a first graph is built by the rule of Havel and Hakimi, and its edges are
exchanged at random [1].

[1] R. Milo et al. On the uniform generation of random graphs with prescribed degree sequences.
    arXiv:cond-mat/0312028, 2003.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.base.parallel import launch, threads
from edgewise.generators.draws import id_type, stream
from edgewise.graph import Graph
from edgewise.graph.edges import Arcs

__all__ = ["counted_graph", "simple_graph"]

#: How often an exchange of every edge is tried.
_SWEEPS = 10


def simple_graph(degrees: np.ndarray, key: np.uint64) -> Graph:
    """A simple graph of these degrees, nearly uniform."""
    from edgewise.generators.cpu.edge_swaps import pair_stubs
    from edgewise.generators.cpu.pair_repair import repair_pairs

    _check_graphical(degrees)
    n, kind = len(degrees), id_type(len(degrees))
    stubs = np.repeat(np.arange(n, dtype=kind), degrees)
    sources, targets = np.empty(len(stubs) // 2, kind), np.empty(len(stubs) // 2, kind)
    launch(pair_stubs, stream(key, 1), stubs, sources, targets, work=len(stubs))
    graph = Graph.from_edges(sources, targets, num_vertices=n, self_loops="drop")
    repeats, firsts, _ = _repeated_pairs(graph, degrees, sources, targets)
    loops = np.flatnonzero(sources == targets)
    wrong = np.sort(np.concatenate([loops, np.delete(repeats, firsts)]))
    if len(wrong) == 0:
        return graph
    good = np.ones(len(sources), bool)
    good[wrong] = False
    size = 1 << (8 * len(wrong)).bit_length()  # every repair adds two edges and removes one
    sets = np.full((2, size), -1, np.int64)
    with threads(1):
        state = (graph.indptr, graph.indices), wrong, good, sources, targets, sets
        launch(repair_pairs, stream(key, 2), *state, work=len(wrong))
    if not good.all():
        return _exchanged(degrees, stream(key, 3))
    return Graph.from_edges(sources, targets, num_vertices=n)


def counted_graph(degrees: np.ndarray, sources: np.ndarray, targets: np.ndarray) -> Graph:
    """The graph of pairs, with weights that say how often each occurs."""
    from edgewise.generators.cpu.pair_repair import set_counts

    graph = Graph.from_edges(sources, targets, num_vertices=len(degrees), self_loops="keep")
    weights = np.ones(graph.num_arcs, np.int32)
    if graph.num_edges < len(sources):
        repeats, firsts, times = _repeated_pairs(graph, degrees, sources, targets)
        chosen = repeats[firsts]
        rows, ends = (graph.indptr, graph.indices), (sources[chosen], targets[chosen])
        with threads(1):
            launch(set_counts, rows, *ends, times, weights, work=len(times))
    return graph.with_weights(Arcs(weights))


def _repeated_pairs(
    graph: Graph, degrees: np.ndarray, sources: np.ndarray, targets: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The pairs that occur more than once; where the first ones are among them; how often each is.

    In the graph of the pairs, the ends of repeated ones have a smaller degree than they should.
    Loops count as pairs if the graph has them.
    """
    short = graph.degrees() < degrees
    some = np.flatnonzero(short[sources] & short[targets])
    if graph.num_self_loops == 0:
        some = some[sources[some] != targets[some]]
    keys = _keys(sources[some], targets[some], graph.num_vertices)
    _, place, times = np.unique(keys, return_inverse=True, return_counts=True)
    some, keys = some[times[place] > 1], keys[times[place] > 1]
    _, firsts, times = np.unique(keys, return_index=True, return_counts=True)
    return some, firsts, times


def _keys(u: np.ndarray, v: np.ndarray, n: int) -> np.ndarray:
    """One number for each unordered pair."""
    return np.minimum(u, v).astype(np.int64) * n + np.maximum(u, v)


def _exchanged(degrees: np.ndarray, key: np.uint64) -> Graph:
    """A graph made by a rule, then random exchanges of ends between its edges."""
    from edgewise.generators.cpu.edge_swaps import exchange, join_largest

    n, order = len(degrees), np.argsort(-degrees, kind="stable")
    ends = np.empty(degrees.sum(), np.int64)
    table = np.empty(8 << (len(ends) // 2).bit_length(), np.int64)
    with threads(1):
        launch(join_largest, order, degrees[order], ends, work=len(ends))
        launch(exchange, key, n, _SWEEPS, ends, table, work=len(ends))
    sources, targets = ends.reshape(-1, 2).astype(id_type(n)).T
    return Graph.from_edges(sources, targets, num_vertices=n)


def _check_graphical(degrees: np.ndarray) -> None:
    """ValueError if no simple graph has these degrees, by the theorem of Erdos and Gallai.

    For every k, the k largest are at most k (k - 1) plus the sum of min(d, k) over the others.
    """
    falling = np.sort(degrees)[::-1]
    k = np.arange(1, len(falling) + 1)
    sums = offsets(falling)
    above = np.maximum(np.searchsorted(-falling, -k, side="left"), k)  # the first others below k
    others = (above - k) * k + sums[-1] - sums[above]
    if (sums[1:] > k * (k - 1) + others).any():
        raise ValueError("degrees must be those of a simple graph; no simple graph has these")
