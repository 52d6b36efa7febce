"""Two graphs side by side, as `isomorphism` refines them, and the check of its result."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.patterns.color_cells import Cells, start
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.transfer import row_ids

__all__ = ["agrees", "numbered", "prepared"]


def numbered(one: Any, two: Any) -> list[Any]:
    """Equal values of two arrays as equal numbers from 0 on."""
    _, numbers = np.unique(np.concatenate((one, two)), return_inverse=True)
    return np.split(numbers.ravel(), [len(one)])


def prepared(graph: Graph, other: Any, kinds: Any, weights: Any, seed: int) -> Cells | None:
    """The rows of both graphs and the first cells; None if their sizes differ."""
    n, draw = graph.num_vertices, np.random.default_rng(seed)
    most = 1 + max((int(one.max(initial=0)) for one in weights if one is not None), default=0)
    names = draw.integers(1, 2**62, (2, most)) if most > 1 or seed else np.array([[1], [2**31]])
    parts = (
        _rows(graph, kinds[0], weights[0], 0, names),
        _rows(other, kinds[1], weights[1], n, names),
    )
    lengths, indices, arcs, *known = (np.concatenate(both) for both in zip(*parts, strict=True))
    colors = np.zeros(2 * n, np.int64)
    for one in known:  # equal numbers for vertices that agree in all of these
        if one.max(initial=0) == 0:
            continue
        _, colors = np.unique(colors * (one.max(initial=0) + 1) + one, return_inverse=True)
    most = int(colors.max(initial=0)) + 1
    if (np.bincount(colors[:n], minlength=most) != np.bincount(colors[n:], minlength=most)).any():
        return None
    return start(n, offsets(lengths), indices, arcs, colors)


def _rows(graph: Graph, kinds: Any, weights: Any, first: int, names: Any) -> tuple[Any, ...]:
    """Row lengths, neighbors and kinds of arcs without loops, and what vertices are known by."""
    n, ways = graph.num_vertices, [graph]
    loops, found = np.zeros(n, np.int64), []
    if graph.directed:
        ways.append(graph.transposed)
    for way, rows in enumerate(ways):
        sources, targets = row_ids(rows).astype(np.int64), rows.indices.astype(np.int64)
        label = np.zeros(len(targets), np.int64) if weights is None else weights
        label = label[rows.arc_ids] if way == 1 and weights is not None else label
        loop = sources == targets
        loops[sources[loop]] = label[loop] + 1
        found.append((sources[~loop], targets[~loop] + first, names[way][label[~loop]]))
    sources, targets, arcs = (np.concatenate(column) for column in zip(*found, strict=True))
    if graph.directed or weights is not None:
        order = np.lexsort((arcs, sources))
        sources, targets, arcs = sources[order], targets[order], arcs[order]
    lengths = np.bincount(sources, minlength=n)
    out = np.bincount(found[0][0], minlength=n) if graph.directed else np.zeros(n, np.int64)
    return lengths, targets, arcs, kinds, loops, lengths, out


def agrees(graph: Graph, other: Any, mapping: Any, weights: Any) -> bool:
    """Does a mapping map the arcs of a graph, with their labels, to those of the other one?"""
    n = graph.num_vertices
    sources, targets = mapping[row_ids(graph)], mapping[graph.indices]
    own = sources * n + targets
    order = np.argsort(own)
    same = np.array_equal(own[order], row_ids(other).astype(np.int64) * n + other.indices)
    return same and (weights[0] is None or np.array_equal(weights[0][order], weights[1]))
