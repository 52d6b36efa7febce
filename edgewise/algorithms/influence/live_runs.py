"""Runs of a model, stored as the vertices that the seeds reach: the gain of one more seed.

In run r an edge is live by a hash of (seed, r, edge), or of (seed, r, target) where at most one
in-edge is live. With recovery, it also depends on how long its source is infectious. So a run is
the same for every candidate seed, and the set reached from several seeds is the union of their
sets. A search from one more vertex stops at vertices that are reached already, so it costs the
edges of the vertices that it adds. One bit is stored for every vertex and run.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.influence.laws import ONE, RECOVERING, Law
from edgewise.algorithms.scratch import cleared_scratch, give_back, place_of
from edgewise.base import atomic, random
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import for_each

__all__ = ["Runs", "added", "begin", "estimate"]

#: What the hashes of a run are for, beside those of its edges (which are 0 and above).
_PICK, _SPAN = -1, -2


class Runs(NamedTuple):
    """``known`` has, for each vertex, the bits of the runs in which the seeds reach it."""

    graph: AnyGraph
    law: Law
    total: int
    seed: Any
    known: Any


def begin(graph: AnyGraph, law: Law, runs: int, seed: int) -> Runs:
    """So many runs, without seeds as yet."""
    words = graph.num_vertices * -(-runs // 64)
    return Runs(graph, law, runs, random.check_seed(seed), graph.xp.zeros(words, np.uint64))


def added(runs: Runs, v: int, *, keep: bool) -> Any:
    """How many more are reached in each run if v is a seed, too; ``keep`` makes it one."""
    graph, n = runs.graph, runs.graph.num_vertices
    counts = graph.xp.zeros(runs.total, np.int32)
    search = _Search(graph.indptr, graph.indices, n, v, runs.seed, runs.known,
                     -(-runs.total // 64), counts, keep)  # fmt: skip
    for low, high, scratch in cleared_scratch(graph, runs.total, 2 * n):
        state = (low, scratch, runs.law, search)
        for_each(high - low, _search, state, device=graph.device, work=256 * (high - low))
    return counts


def estimate(runs: Runs, seeds: Any) -> tuple[float, float]:
    """The mean spread of seeds in fresh runs, and the lower end of its 95 % interval."""
    sizes = runs.graph.xp.zeros(runs.total, np.int64)
    for v in seeds:
        sizes += added(runs, int(v), keep=True)
    mean = float(sizes.mean())
    return mean, max(mean - 1.96 * float(sizes.std()) / math.sqrt(runs.total), float(len(seeds)))


class _Search(NamedTuple):
    """The rows of the graph, the vertex that is tried, and what is known of every run.

    ``known`` has ``width`` words for each vertex; ``counts`` is what the vertex adds in each run.
    """

    indptr: Any
    indices: Any
    num_vertices: int
    start: int
    seed: Any
    known: Any
    width: int
    counts: Any
    keep: bool


def _search(i, low, scratch, law, search):
    """Search run ``low + i``.

    The scratch words are, for each vertex, the number of the last run that reached it, and a queue.
    """
    words, n, known, width = scratch.words, search.num_vertices, search.known, search.width
    indptr, indices, chance, kind = search.indptr, search.indices, law.chance, law.kind
    recovery, seed = law.recovery, search.seed
    base, slot = place_of(i, scratch.busy, scratch.places, scratch.size)
    run = low + i
    word, bit = run >> 6, np.uint64(1) << np.uint64(run & 63)
    head, tail = base + n, base + n
    if known[search.start * width + word] & bit == 0:
        words[base + search.start], words[tail] = run + 1, search.start
        tail += 1
    while head < tail:
        v = words[head]
        head += 1
        if search.keep:
            atomic.bit_or(known, v * width + word, bit)
        span = 1.0
        if kind == RECOVERING and recovery < 0.0:
            drawn = random.uniform(seed, run, _SPAN, v)
            span = math.floor(min(math.log1p(-drawn) / recovery, 1.0e12)) + 1.0
        last, share = 0.0, 0.0  # chances in a row are often alike
        for e in range(indptr[v], indptr[v + 1]):
            u = np.int64(indices[e])
            if kind == ONE:
                drawn, share = random.uniform(seed, run, _PICK, u) - law.before[e], chance[e]
            else:
                drawn = random.uniform(seed, run, e)
                if chance[e] != last:
                    last = chance[e]
                    share = -math.expm1(last * span) if kind == RECOVERING else last
            if drawn < 0.0 or drawn >= share or words[base + u] == run + 1:
                continue
            if known[u * width + word] & bit == 0:
                words[base + u], words[tail] = run + 1, u
                tail += 1
    search.counts[run] = tail - base - n
    give_back(scratch.busy, slot)
