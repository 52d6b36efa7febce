"""Results that have no value for each vertex, as rows: lists of vertices, choices, levels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.graph.transfer import host

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["fitting", "listed", "spread_columns"]


def listed(graph: Graph, result: Any, name: Any) -> Any | None:
    """A data frame of a result that lists vertices; None if it does not.

    Lists behind an ``indptr`` (cliques, paths, overlapping communities, neighborhoods) give a row
    per member, with the number of its list. Rows of similar vertices give a row per pair, and
    chosen vertices one each, in their order. ``name`` gives vertices their labels.

    >>> import edgewise as ew
    >>> graph = ew.Graph.from_edges(["a", "b", "c"], ["b", "c", "a"])
    >>> graph.table(ew.maximal_cliques(graph)).values.tolist()
    [[0, 'a'], [0, 'b'], [0, 'c']]
    """
    import pandas

    fields = result._asdict() if hasattr(result, "_asdict") else {}
    fields = {key: host(one) for key, one in fields.items() if np.ndim(one)}
    if "indptr" in fields:
        indptr = fields.pop("indptr")
        lists = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
        rows: dict[str, Any] = {"list": lists}
        if "sources" in fields:
            rows = {"source": name(fields.pop("sources")[lists])}
        for key, values in fields.items():
            vertices = key in ("members", "vertices")
            rows["vertex" if vertices else key] = name(values) if vertices else values
        return pandas.DataFrame(rows)
    if {*fields} == {"vertices", "scores"} and np.ndim(fields["vertices"]) == 2:
        there = fields["vertices"] >= 0
        first = np.repeat(np.arange(len(there)), there.sum(axis=1))
        near = {"row": first, "similar": name(fields["vertices"][there])}
        if len(there) == graph.num_vertices:
            near = {"vertex": name(first), "similar": near["similar"]}
        return pandas.DataFrame({**near, "score": fields["scores"][there]})
    if "chosen" in fields and np.ndim(fields["chosen"]) == 1:
        gains = {"gain": fields["gains"]} if "gains" in fields else {}
        return pandas.DataFrame({"vertex": name(fields["chosen"]), **gains})
    return None


def fitting(result: Any, count: int) -> dict[str, Any]:
    """The fields of a NamedTuple that have so many entries: of levels, each one."""
    found: dict[str, Any] = {}
    for name, one in result._asdict().items():
        if isinstance(one, list) and name == "levels":
            found |= {f"level_{i}": host(level) for i, level in enumerate(one)}
        elif np.ndim(one) and np.shape(one)[0] == count:
            found[name] = one
    return found


def spread_columns(columns: dict[str, Any], count: int) -> dict[str, Any]:
    """Arrays of several values per vertex as several columns, ``value_0``, ``value_1``, ...

    >>> {name: one.tolist() for name, one in spread_columns({"a": np.eye(2)}, 2).items()}
    {'a_0': [1.0, 0.0], 'a_1': [0.0, 1.0]}
    """
    found: dict[str, Any] = {}
    for name, values in columns.items():
        if getattr(values, "ndim", 1) != 2 or count not in values.shape:
            found[name] = values
            continue
        table = values if values.shape[0] == count else values.T
        found |= {f"{name}_{j}": table[:, j] for j in range(table.shape[1])}
    return found
