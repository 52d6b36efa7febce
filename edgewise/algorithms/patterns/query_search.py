"""The search of a subgraph query: labels as numbers, each subgraph once, then all assignments."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from contextlib import suppress
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
#: What is compared, by the kind of its type.
_WORDS = {**dict.fromkeys("biuf", "numbers"), **dict.fromkeys("US", "texts"), "M": "dates",
          "m": "durations"}  # fmt: skip


def searched_query(
    graph: Graph, asked: Query, given: Any, induced: Any, most: int | None
) -> tuple[Search, list[Any]]:
    """The search for each subgraph once, up to a number, and the symmetries of the pattern."""
    labels, wanted = _labels(graph, asked, given)
    nothing = np.zeros((0, len(asked.names)), np.int64)
    for one in asked.conditions:  # an error even if nothing matches
        _check_kinds(graph, one)
        _holds(graph, one, nothing)
    edges = np.array(asked.edges)
    found = search(graph, edges, labels, wanted, induced, most)
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


def _check_kinds(graph: Graph, condition: Condition) -> None:
    """A condition compares numbers with numbers, texts with texts, dates with dates."""
    left, right = map(_kind, _pair(graph, condition, np.arange(graph.num_vertices)))
    if left != right and left and right:
        raise TypeError(f"query: {condition.text!r} compares {left} with {right}")


def _kind(values: np.ndarray) -> str:
    """What an array has, in words; nothing if all values are missing."""
    if values.dtype.kind == "O":
        some = next((one for one in values.ravel() if one is not None), None)
        return "" if some is None else _WORDS.get(np.asarray(some).dtype.kind, type(some).__name__)
    return _WORDS.get(values.dtype.kind, str(values.dtype))


def _holds(graph: Graph, condition: Condition, ids: np.ndarray) -> np.ndarray:
    """Which of the matches fulfill a condition; missing values fulfill none."""
    pair = np.broadcast_arrays(*_pair(graph, condition, ids), np.zeros(len(ids)))[:2]
    there = ~(_missing(pair[0]) | _missing(pair[1]))
    try:
        there[there] = _SIGNS[condition.sign](*(side[there] for side in pair))
    except TypeError as error:
        raise TypeError(f"query: {condition.text!r}: {error}") from None
    return there


def _pair(graph: Graph, condition: Condition, ids: np.ndarray) -> list[np.ndarray]:
    """Both sides of a condition for these matches; texts beside dates are dates."""
    pair = [
        np.asarray(side.value) if side.vertex is None
        else _values(graph, side, ids if ids.ndim == 1 else ids[:, side.vertex])
        for side in (condition.left, condition.right)
    ]  # fmt: skip
    for at in (0, 1):
        if pair[at].dtype.kind == "U" and pair[at].ndim == 0 and pair[1 - at].dtype.kind == "M":
            with suppress(ValueError):
                pair[at] = pair[at].astype("M8")
    return pair


def _missing(values: np.ndarray) -> np.ndarray:
    """A mask of NaN, NaT and None."""
    if values.dtype.kind == "O":
        return np.asarray(values == np.array(None), np.bool_)
    return values != values  # noqa: PLR0124 (true for NaN and NaT alone)


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
