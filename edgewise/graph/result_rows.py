"""Results that have no value for each vertex, as rows: lists of vertices, choices, levels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edgewise.graph.transfer import host

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["Members", "Rows", "fitting", "listed", "spread_columns"]


class Members(NamedTuple):
    """A column of vertices, which becomes their labels; the id ``none`` stands for no vertex."""

    ids: np.ndarray
    none: int | None = -1

    def checked(self, name: str) -> tuple[np.ndarray, np.ndarray | None]:
        """Ids that all are vertices, and which of them are missing; TypeError for no integers."""
        ids = np.asarray(self.ids)
        if ids.dtype.kind not in "iu":
            raise TypeError(f"{name} must hold vertex ids (integers), got dtype {ids.dtype}")
        if self.none is None:
            return ids, None
        missing = ids == self.none
        return np.where(missing, 0, ids), missing


class Rows(NamedTuple):
    """The columns of a result, and whether there is one row per vertex."""

    columns: dict[str, Any]
    of_vertices: bool


def listed(graph: Graph, result: Any) -> dict[str, Any] | None:
    """The columns of a result that lists vertices; None if it does not.

    Lists behind an ``indptr`` (cliques, paths, overlapping communities, neighborhoods) give a row
    per member, with the number of its list. Rows of similar vertices give a row per pair, and
    chosen vertices one each, in their order.

    >>> import edgewise as ew
    >>> graph = ew.Graph.from_edges(["a", "b", "c"], ["b", "c", "a"])
    >>> graph.table(ew.maximal_cliques(graph)).values.tolist()
    [[0, 'a'], [0, 'b'], [0, 'c']]
    """
    fields = result._asdict() if hasattr(result, "_asdict") else {}
    fields = {key: host(one) for key, one in fields.items() if np.ndim(one)}
    if "indptr" in fields:
        indptr = fields.pop("indptr")
        lists = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
        rows: dict[str, Any] = {"list": lists}
        if "sources" in fields:
            rows = {"source": Members(fields.pop("sources")[lists])}
        for key, values in fields.items():
            vertices = key in ("members", "vertices")
            rows["vertex" if vertices else key] = Members(values) if vertices else values
        return rows
    if {*fields} == {"vertices", "scores"} and np.ndim(fields["vertices"]) == 2:
        there = fields["vertices"] >= 0
        first = np.repeat(np.arange(len(there)), there.sum(axis=1))
        near = {"row": first, "similar": Members(fields["vertices"][there])}
        if len(there) == graph.num_vertices:
            near = {"vertex": Members(first), "similar": near["similar"]}
        return {**near, "score": fields["scores"][there]}
    if "chosen" in fields and np.ndim(fields["chosen"]) == 1:
        gains = {"gain": fields["gains"]} if "gains" in fields else {}
        return {"vertex": Members(fields["chosen"]), **gains}
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
