"""k-hop reachability: who is at most k steps away, and how far information from many spreads.

A vertex needs to be reached once, no matter by whom, so the monoid is ANY: engines stop looking at
a vertex that has been reached. For several sources at once, a vertex keeps a set of sources as
the bits of a number, and sets are united.

Run it: python examples/k_hop.py
"""

from __future__ import annotations

import numpy as np

import edgewise as ew


def within(graph, source, k):
    """Which vertices are at most ``k`` steps from ``source``."""
    reached = graph.full(False)
    reached[source] = True
    ew.propagate(graph, ew.frontier(graph, source), arrive, reached, reduce=ew.ANY, max_iter=k)
    return reached


def arrive():
    return True


def heard_of(graph, sources, k):
    """For every vertex the sources that are at most ``k`` steps away, as a set of bits."""
    sets = graph.full(0, np.int64)
    sets[sources] = 1 << np.arange(len(sources))
    ew.propagate(graph, ew.frontier(graph, sources), pass_on, sets, reduce=UNION, max_iter=k)
    return sets


def pass_on(value):
    return value


def either(old, new):
    return old | new


# Not declared idempotent, although it is: then no engine lets news travel two steps in one round.
UNION = ew.Monoid(0, either)


def step_by_step(graph, source, k):
    """The same in plain Python."""
    seen = last = {source}
    for _ in range(k):
        last = {int(v) for u in last for v in graph.neighbors(u)} - seen
        seen = seen | last
    return seen


def main():
    graph = ew.generators.road(60, 60, seed=1)
    k, sources = 20, [0, 777, 3000]
    sets = heard_of(graph, sources, k)
    for bit, source in enumerate(sources):
        expected = step_by_step(graph, source, k)
        assert set(np.flatnonzero(within(graph, source, k))) == expected
        assert set(np.flatnonzero(sets >> bit & 1)) == expected
        print(f"{len(expected):,} of {graph.num_vertices:,} are within {k} steps of {source}")


if __name__ == "__main__":
    main()
