"""What `edgewise info` and `edgewise profile` both say about a graph: one source, so they agree.

In an undirected graph a loop adds two to its vertex's degree, so that degrees add up to twice the
number of edges; in a directed one, an arc counts once out and once in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.cli.terminal import number
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.properties import self_loops

if TYPE_CHECKING:
    from edgewise.graph import Graph

__all__ = [
    "degree_arrays",
    "id_range",
    "label_of",
    "max_degrees",
    "mean_degree",
    "say_ids",
    "say_weights",
    "weight_range",
]


def degree_arrays(graph: Graph) -> dict[str, np.ndarray]:
    """The degrees of every vertex: ``out`` and ``in``, or of an undirected graph ``degree``.

    >>> from edgewise.graph import Graph
    >>> degree_arrays(Graph.from_edges([0, 0], [0, 1]))["degree"].tolist()
    [3, 1]
    """
    if graph.directed:
        return {"out": graph.degrees(), "in": graph.in_degrees()}
    return {"degree": graph.degrees()}


def max_degrees(degrees: dict[str, np.ndarray]) -> dict[str, int]:
    """The largest of each kind of degree, by a name that says in or out."""
    names = {"degree": "max_degree"}
    return {
        names.get(side, f"max_{side}_degree"): int(array.max(initial=0))
        for side, array in degrees.items()
    }


def mean_degree(graph: Graph) -> float | None:
    """The mean degree, loops included; out-degrees and in-degrees have the same mean."""
    if not graph.num_vertices:
        return None
    return int(graph.num_edges) * (1 if graph.directed else 2) / graph.num_vertices


def id_range(graph: AnyGraph) -> dict[str, Any]:
    """The least and the greatest id and how many between do not occur; or the first names.

    >>> from edgewise.graph import Graph
    >>> id_range(Graph.from_edges([3, 9], [5, 3], labels=True))
    {'low': 3, 'high': 9, 'missing': 4}
    >>> id_range(Graph.from_edges(["ann", "bob"], ["bob", "cat"]))
    {'names': ['ann', 'bob', 'cat']}
    """
    n, labels = graph.num_vertices, graph.labels
    if not n or (labels is not None and labels.dtype.kind not in "iu"):
        return {"names": [label_of(graph, v) for v in range(min(3, n))]}
    low, high = 0, n - 1
    if labels is not None:
        start = labels.range_start
        low = int(labels.values.min()) if start is None else start
        high = int(labels.values.max()) if start is None else start + n - 1
    return {"low": low, "high": high, "missing": high - low + 1 - n}


def say_ids(found: dict[str, Any], vertices: int) -> str:
    """What `id_range` found, in words.

    >>> say_ids({"low": 1, "high": 9, "missing": 6}, 3)
    '1 to 9; 6 of them do not occur'
    >>> say_ids({"names": ["ann", "bob", "cat"]}, 7)
    'ann, bob, cat, ...'
    """
    if "names" in found:
        names = ", ".join(map(str, found["names"]))
        return f"{names}, ..." if len(found["names"]) < vertices else names or "–"
    text = f"{number(found['low'])} to {number(found['high'])}"
    if found["missing"]:
        verb = "does" if found["missing"] == 1 else "do"
        text += f"; {number(found['missing'])} of them {verb} not occur"
    return text


def label_of(graph: AnyGraph, vertex: int) -> Any:
    """What a vertex is called outside, as a plain number or text."""
    label = vertex if graph.labels is None else graph.label(vertex)
    return label if isinstance(label, (int, float, str)) else str(label)


def weight_range(graph: Graph) -> dict[str, Any] | None:
    """The type of the weights, their least, greatest, mean and total over edges."""
    weights = graph.weights
    if weights is None or not len(weights):
        return None
    with np.errstate(invalid="ignore"):  # infinities of both signs
        total = weights.sum(dtype=np.float64)
        if not graph.directed:  # every edge but a loop is there twice
            loops = _loop_weights(graph) if graph.num_self_loops else weights[:0]
            total = (total + loops.sum(dtype=np.float64)) / 2
    return {
        "type": str(weights.dtype),
        "min": _finite(weights.min()),
        "max": _finite(weights.max()),
        "mean": _finite(total / int(graph.num_edges)),
        "total": _finite(total),
    }


def say_weights(found: dict[str, Any] | None) -> str:
    """What `weight_range` found, in words.

    >>> say_weights({"type": "float64", "min": 1.0, "max": 7.0, "mean": 4.0})
    '1 to 7, mean 4 (float64)'
    """
    if found is None:
        return "none"
    span = f"{number(found['min'])} to {number(found['max'])}"
    return f"{span}, mean {number(found['mean'])} ({found['type']})"


def _loop_weights(graph: Graph) -> Any:
    """The weights of the self-loops."""
    found = [arcs[arcs >= 0] for _, arcs in self_loops(graph)]
    return graph.weights[np.concatenate(found)]  # type: ignore[index]


def _finite(value: Any) -> float | str:
    """A number that JSON can hold, else its name."""
    return float(value) if np.isfinite(value) else str(value)
