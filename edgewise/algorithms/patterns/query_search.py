"""The search of a subgraph query: labels as numbers, each subgraph once, then all assignments."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np

from edgewise.algorithms.patterns.inputs import ANY
from edgewise.algorithms.patterns.query_text import Condition, Operand, Query
from edgewise.algorithms.patterns.searching import Search, match_parts, search
from edgewise.graph import Graph
from edgewise.graph.transfer import host

__all__ = ["query_parts", "searched_query"]

_SIGNS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
          "=": operator.eq, "!=": operator.ne}  # fmt: skip


def searched_query(
    graph: Graph, asked: Query, given: Any, induced: Any
) -> tuple[Search, list[Any]]:
    """The search for each subgraph once, and the symmetries of the labeled pattern."""
    labels, wanted = _labels(graph, asked, given)
    nothing = np.zeros((0, len(asked.names)), np.int64)
    for one in asked.conditions:  # an unknown column is an error even if nothing matches
        _holds(graph, one, nothing)
    edges = np.array(asked.edges)
    found = search(graph, edges, labels, wanted, induced, None)
    arcs = {*asked.edges} | ({(v, u) for u, v in asked.edges} if not graph.directed else set())
    kinds = wanted if wanted is not None else [0] * len(asked.names)
    same = [
        order
        for order in permutations(range(len(asked.names)))
        if all(kinds[u] == kinds[v] for u, v in enumerate(order))
        and {(order[u], order[v]) for u, v in arcs} == arcs
    ]
    return found, same


def _labels(graph: Graph, asked: Query, given: Any) -> tuple[Any, Any]:
    """The labels of all vertices and those wanted, as numbers; None for both if none is wanted."""
    if not any(label is not None for label in asked.labels):
        return None, None
    if given is None:
        raise ValueError("query: labels such as (a:x) need vertex_labels, which is missing")
    if isinstance(given, str):
        values = _values(graph, Operand(0, given, None), np.arange(graph.num_vertices))
    else:
        values = np.asarray(host(given))
    if values.shape != (graph.num_vertices,):
        raise ValueError(
            f"vertex_labels must have one entry per vertex ({graph.num_vertices}), got shape "
            f"{values.shape}"
        )
    known, codes = np.unique(values.astype(str), return_inverse=True)
    number = {label: code for code, label in enumerate(known.tolist())}
    for label in asked.labels:
        if label is not None and label not in number:
            some = ", ".join(known[:10].tolist())
            raise ValueError(f"query: no vertex has the label {label!r}; labels are {some}")
    wanted = [ANY if label is None else number[label] for label in asked.labels]
    return graph.xp.asarray(codes), wanted


def query_parts(
    graph: Graph, asked: Query, found: Search, symmetries: list[Any], most: int
) -> Iterator[Any]:
    """The matches in parts: every symmetry of each subgraph, as far as conditions hold."""
    for part in match_parts(found, most):
        for order in symmetries:
            rows = part[:, list(order)]
            if asked.conditions:
                ids = host(rows)
                keep = np.ones(len(ids), np.bool_)
                for one in asked.conditions:
                    keep &= _holds(graph, one, ids)
                rows = rows[graph.xp.asarray(keep)]
            if len(rows):
                yield rows


def _holds(graph: Graph, condition: Condition, ids: np.ndarray) -> np.ndarray:
    """Which of the matches fulfill a condition."""
    pair = [
        side.value if side.vertex is None else _values(graph, side, ids[:, side.vertex])
        for side in (condition.left, condition.right)
    ]
    try:
        return np.asarray(_SIGNS[condition.sign](*pair), np.bool_)
    except TypeError as error:
        raise TypeError(f"query: {condition.text!r}: {error}") from None


def _values(graph: Graph, side: Operand, ids: np.ndarray) -> np.ndarray:
    """What a condition compares for these vertices: their ids, or a column."""
    if side.column is None:
        return ids
    if side.column not in graph.vertices.columns:
        known = ", ".join(graph.vertices.columns) or "none"
        raise ValueError(
            f"query: vertices have no column {side.column!r}; their columns are {known}"
        )
    return np.asarray(host(graph.vertices[side.column]))[ids]
