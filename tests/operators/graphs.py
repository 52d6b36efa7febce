"""The graphs that the operator tests share: odd small ones, and a few of some size.

Weights are quarters and float64, so that sums are exact in whatever order they are formed.
"""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from edgewise.graph import Graph


def weighted(sources, targets, *, directed=False, num_vertices=None, duplicates="min"):
    """A graph whose arc (u, v) weighs between 1/4 and 2, alike in both directions."""
    u, v = np.asarray(sources, np.int64), np.asarray(targets, np.int64)
    weights = ((7 * (u + v) + 3 * u * v) % 8 + 1) / 4
    return Graph.from_edges(
        u, v, weights, directed=directed, num_vertices=num_vertices, duplicates=duplicates
    )


def random_graph(n, m, seed, *, directed=False):
    draw = np.random.default_rng(seed)
    return weighted(
        draw.integers(0, n, m), draw.integers(0, n, m), directed=directed, num_vertices=n
    )


def star(leaves, *, directed=False):
    return weighted(np.zeros(leaves), np.arange(1, leaves + 1), directed=directed)


def path(n, *, directed=False):
    return weighted(np.arange(n - 1), np.arange(1, n), directed=directed, num_vertices=n)


def clique(n):
    u, v = np.nonzero(np.ones((n, n)))  # with a loop at every vertex
    return weighted(u, v)


def grid(side):
    at = np.arange(side * side).reshape(side, side)
    u = np.concatenate([at[:, :-1].ravel(), at[:-1].ravel()])
    v = np.concatenate([at[:, 1:].ravel(), at[1:].ravel()])
    return weighted(u, v, num_vertices=side * side)


#: Small graphs by name, undirected and directed; vertex 0 exists in all but the empty one.
SMALL = {
    "empty": weighted([], [], num_vertices=0),
    "one vertex": weighted([], [], num_vertices=1),
    "one loop": weighted([0], [0]),
    "no edges": weighted([], [], num_vertices=5),
    "path": path(9),
    "path, directed": path(9, directed=True),
    "star": star(70),
    "star, directed": star(70, directed=True),
    "clique with loops": clique(9),
    "two parts": weighted([0, 1, 4, 5, 6], [1, 2, 5, 6, 4], num_vertices=8),
    "repeated edges": weighted([0, 0, 0, 1, 1, 2, 2], [1, 1, 2, 0, 2, 2, 2]),
    "cycle, directed": weighted(np.arange(6), (np.arange(6) + 1) % 6, directed=True),
    "random": random_graph(150, 400, 1),
    "random, directed": random_graph(150, 500, 2, directed=True),
}


@st.composite
def any_graph(draw, most=24):
    """A random small graph, directed or not, with loops and isolated vertices."""
    n = draw(st.integers(1, most))
    ends = st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=3 * n)
    arcs = np.array(draw(ends), np.int64).reshape(-1, 2)
    return weighted(arcs[:, 0], arcs[:, 1], directed=draw(st.booleans()), num_vertices=n)
