"""A report on the quality of a partition: what it costs, and whether its parts are sound.

A part is disconnected if the edges inside it leave it in several pieces. Few passes over the edges.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.communities.labelings import gathered
from edgewise.algorithms.components.connected_components import weakly_connected_components
from edgewise.algorithms.partitioning.cut_measures import boundary, edge_cut, volumes
from edgewise.algorithms.partitioning.imbalance import check_parts, imbalance
from edgewise.base.checks import check_one_device
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.subgraphs import only_edges

__all__ = ["PartitionQuality", "quality"]


class PartitionQuality(NamedTuple):
    """What `quality` finds; it prints as a table."""

    k: int
    edge_cut: float
    cut_fraction: float  # of the weight of all edges
    communication_volume: int
    max_volume: int  # the most messages that one part sends
    imbalance: float
    boundary: int  # vertices with a neighbor in another part
    boundary_fraction: float
    disconnected_parts: int
    empty_parts: int

    def __str__(self) -> str:
        share = {"edge_cut": self.cut_fraction, "boundary": self.boundary_fraction}
        lines = [f"{'parts':<20} {self.k:>14,}"]
        for name, value in list(self._asdict().items())[1:]:
            if name.endswith("_fraction"):
                continue
            text = f"{value:.2%}" if name == "imbalance" else f"{value:,.6g}"
            text = f"{value:,}" if isinstance(value, int) else text
            more = f"  {share[name]:.2%}" if name in share else ""
            lines.append(f"{name.replace('_', ' '):<20} {text:>14}{more}")
        return "\n".join(lines)


@takes_graph
def quality(
    graph: LocalGraphLike,
    parts: Any,
    *,
    k: int | None = None,
    weights: Any = "weight",
    vertex_weights: Any = None,
) -> PartitionQuality:
    """Return a report on the quality of a partition, which prints as a table.

    Parameters
    ----------
    graph : Graph
        Directed or undirected, on CPU or GPU.
    parts : array of int over vertices
        The part of each vertex, from 0.
    k : int, optional
        The number of parts, empty ones included. By default ``parts.k`` of a `Parts`, or else the
        largest part number plus 1.
    weights : str, array over edges, or None
        The weights of the edges in the cut; see `edge_cut`.
    vertex_weights : array over vertices, optional
        The weights of the vertices in the imbalance, one or several columns; see `imbalance`.

    Returns
    -------
    PartitionQuality
        ``k``, ``edge_cut``, ``cut_fraction`` (of all edge weight), ``communication_volume``,
        ``max_volume`` (the most messages that one part sends), ``imbalance``, ``boundary`` (the
        number of boundary vertices), ``boundary_fraction``, ``disconnected_parts`` and
        ``empty_parts``.

    See Also
    --------
    edge_cut, communication_volume, imbalance, boundary : Single measures.
    draw : A picture of the parts.

    Notes
    -----
    O(n + m) time and memory.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> print(quality(grid_2d(4, 4), [0, 0, 1, 1] * 4))
    parts                             2
    edge cut                          4  16.67%
    communication volume              8
    max volume                        4
    imbalance                     0.00%
    boundary                          8  50.00%
    disconnected parts                0
    empty parts                       0
    """
    check_one_device(graph, "quality")
    key, k = check_parts(graph, parts, k)
    xp, n = graph.xp, graph.num_vertices
    cut, total = (
        edge_cut(graph, key, weights=weights),
        edge_cut(graph, xp.arange(n), weights=weights),
    )
    sent, edge = volumes(graph, key), int(boundary(graph, key).sum())
    sources, targets, _ = graph.arcs()
    pieces = weakly_connected_components(only_edges(graph, key[sources] == key[targets]))
    roots = xp.asarray(pieces) == xp.arange(n)  # one vertex of each piece
    counts = gathered(graph, key, roots.astype(np.int64))
    return PartitionQuality(
        k=k,
        edge_cut=cut,
        cut_fraction=cut / total if total else 0.0,
        communication_volume=int(sent.sum()),
        max_volume=int(gathered(graph, key, sent).max()) if n else 0,
        imbalance=imbalance(graph, parts, k=k, vertex_weights=vertex_weights),
        boundary=edge,
        boundary_fraction=edge / n if n else 0.0,
        disconnected_parts=int((counts > 1).sum()),
        empty_parts=k - int((counts > 0).sum()),
    )
