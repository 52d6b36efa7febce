"""Colorings and orders one vertex at a time, and rules checked by their definitions."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from edgewise.graph import Graph
from tests.algorithms.ordering.oracles import neighborhoods, wide
from tests.algorithms.samples import SHAPES, random_graph, shape

#: Everything odd, and some graphs of a few hundred vertices.
GRAPHS = {
    **{name: shape(name) for name in SHAPES},
    "random": random_graph(200, 900, seed=3),
    "sparse": random_graph(300, 400, seed=7),
    "wide ids": wide(random_graph(60, 200, seed=5)),
    "parallel edges": Graph([0, 3, 6, 7, 7], [1, 1, 0, 0, 0, 2, 1]),
}


def greedy_colors(graph: Graph, positions) -> list[int]:
    """The smallest color that no earlier neighbor has, vertex by vertex."""
    rows, color = neighborhoods(graph), {}
    for v in np.argsort(np.asarray(positions)).tolist():
        taken = {color[u] for u in rows[v] if u in color}
        color[v] = next(c for c in range(len(taken) + 1) if c not in taken)
    return [color[v] for v in range(graph.num_vertices)]


def is_proper(graph: Graph, colors) -> bool:
    """No two neighbors share a color, and colors have no gaps?"""
    colors = np.asarray(colors)
    u, v, _ = graph.arcs()
    differ = (colors[u] != colors[v])[u != v].all()
    return bool(differ) and sorted({*colors.tolist()}) == list(range(colors.max(initial=-1) + 1))


def breaks(graph: Graph, colors, kind: str) -> bool:
    """Whether a coloring breaks a rule, by trying all paths and cycles of a small graph."""
    rows = [{*row} for row in neighborhoods(graph)]
    if any(colors[u] == colors[v] for v, row in enumerate(rows) for u in row):
        return True
    if kind == "distance_2":
        return any(colors[a] == colors[b] for row in rows for a in row for b in row if a != b)
    if kind == "star":
        return any(
            len({colors[v] for v in four}) == 2
            for four in permutations(range(len(rows)), 4)
            if all(b in rows[a] for a, b in zip(four, four[1:], strict=False))
        )
    return kind == "acyclic" and any(
        len({colors[v] for v in some}) == 2
        for size in range(4, len(rows) + 1)
        for some in permutations(range(len(rows)), size)
        if some[0] == min(some)
        and some[0] in rows[some[-1]]
        and all(b in rows[a] for a, b in zip(some, some[1:], strict=False))
    )
