"""Running sums over the edges into each vertex, by ascending sources."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.graph.transfer import row_ids
from edgewise.operators.engines import run

__all__ = ["incoming_sums", "sums_before"]


def incoming_sums(graph: Any, values: Any) -> Any:
    """For each edge the sum (int64) of the values of those before it into the same target.

    Edges into a vertex come in the order of their sources; ``values`` are whole numbers.

    >>> import numpy as np
    >>> from edgewise import Graph
    >>> graph = Graph.from_edges([0, 1, 2, 2], [3, 3, 0, 3], directed=True)
    >>> incoming_sums(graph, np.array([5, 7, 1, 9])).tolist()
    [0, 5, 0, 12]
    """
    if graph.engine != "local":
        return run(graph, "incoming_sums")(graph, values)
    into = graph.transposed
    order = into.arc_ids
    found = graph.xp.empty(graph.num_arcs, np.int64)
    found[order] = sums_before(values[order], into.indptr, row_ids(into))
    return found


def sums_before(values: Any, indptr: Any, rows: Any) -> Any:
    """In rows of values, for each the sum of those before it in its row."""
    before = offsets(values)
    return before[:-1] - before[indptr[:-1]][rows]
