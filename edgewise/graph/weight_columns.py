"""What a name in ``weights=`` stands for: the one place that looks up columns of edges.

The column "weight" is ``graph.weights``. On a graph without weights that name stands for unit
weights. None stands for unit weights on every graph. Other names are those of ``graph.columns``:
numbers without missing values, which move to the graph's device when they are asked for and are
kept there.
"""

from __future__ import annotations

from typing import Any

from edgewise.base.once import once
from edgewise.graph.csr import CSR, as_weights, frozen
from edgewise.graph.kinds import AnyGraph

__all__ = ["WEIGHT", "column", "is_own", "stored_column"]

#: The name of the graph's own weights.
WEIGHT = "weight"


def column(graph: AnyGraph | CSR, name: str, argument: str = "weights") -> Any:
    """The column of that name over arcs; None if it is "weight" and the graph has no weights.

    >>> from edgewise.graph import Graph
    >>> column(Graph.from_edges([0], [1], [2.5]), "weight").tolist()
    [2.5, 2.5]
    >>> column(Graph.from_edges([0], [1]), "cost")
    Traceback (most recent call last):
    ValueError: weights must name a column of the graph, got 'cost': the graph has no columns
    """
    if name == WEIGHT:
        return graph.weights
    columns: Any = getattr(graph, "columns", None)
    table = None if columns is None else columns.edges
    if table is not None and name in table.column_names:
        return once(graph, ("weights", name), lambda: _over_arcs(graph, name, table, argument))
    names = [WEIGHT] * (graph.weights is not None) + ([] if table is None else table.column_names)
    known = f"the columns {', '.join(map(repr, names))}" if names[1:] else "no columns"
    if len(names) == 1:
        known = f"the column {names[0]!r}"
    raise ValueError(
        f"{argument} must name a column of the graph, got {name!r}: the graph has {known}"
    )


def stored_column(graph: AnyGraph | CSR, name: str) -> Any:
    """`column` for kernels: the graph's own weights may be `Coded`."""
    own = name == WEIGHT and isinstance(graph, CSR)
    return graph.stored_weights if own else column(graph, name)  # type: ignore[union-attr]


def _over_arcs(graph: Any, name: str, table: Any, argument: str) -> Any:
    from edgewise.graph.attribute_tables import numeric

    if not graph.one_device:
        return graph.arc_column(name, argument)
    values = as_weights(graph.xp.asarray(numeric(table.column(name), name, argument)),
                        name=name, xp=graph.xp)  # fmt: skip
    return frozen(values if graph.directed else values[graph.arc_to_edge])


def is_own(weights: Any) -> bool:
    """Does the argument ask for the graph's own weights, and no others?"""
    return isinstance(weights, str) and weights == WEIGHT
