"""How small `Graph.compress` makes a graph, in each order of its vertices."""

from __future__ import annotations

from typing import Any

from edgewise.graph import Graph

__all__ = ["sizes_by_order", "sizes_table"]

#: Orders that take about linear time.
_ORDERS = ("natural", "degree", "hub_sort", "bfs", "dfs", "reverse_cuthill_mckee", "rabbit",
           "layered_label_propagation", "shingle")  # fmt: skip


def sizes_by_order(graph: Graph) -> list[dict[str, Any]]:
    """Return the bytes of the compressed rows for each order, the smallest first.

    Weights, labels and columns are not counted: they stay as they are.
    """
    from edgewise.algorithms.ordering.reorder import places_by_name

    rows = Graph(graph.indptr, graph.indices, directed=graph.directed)
    found = []
    for order in _ORDERS:
        places = places_by_name(rows, order)
        ordered = rows if places is None else rows.permute(places)
        size = ordered.compress().nbytes
        found.append({"order": order, "bytes": size, "smaller": rows.nbytes / max(size, 1)})
    return sorted(found, key=lambda one: one["bytes"])


def sizes_table(graph: Graph, found: list[dict[str, Any]]) -> Any:
    """The sizes as a table for the terminal."""
    from edgewise.cli.terminal import say_bytes, table

    edges = max(int(graph.num_edges), 1)
    rows = [("order", "size", "bytes per edge", "times smaller")]
    rows += [
        (one["order"], say_bytes(one["bytes"]), f"{one['bytes'] / edges:.2f}",
         f"{one['smaller']:.2f}")
        for one in found
    ]  # fmt: skip
    return table("compressed rows", rows)
