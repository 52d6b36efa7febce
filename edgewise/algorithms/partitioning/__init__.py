"""Balanced graph partitioning: divide the vertices into k parts with few edges between them.

The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy, rows

#: Where each public name lives: those of the table, and these.
_HOME: dict[str, str] = {
    **rows(__name__),
    "Coarsening": "coarsen",
    "PartitionQuality": "report",
    "PartGraph": "halos",
    "Parts": "parts",
    "coarsen": "coarsen",
    "draw": "draw",
    "hilbert_curve": "hilbert_curve",
    "hops": "torus",
    "kahip": "external",
    "kaminpar": "external",
    "metis": "external",
    "multi_jagged": "multi_jagged",
    "partition": "partition_graph",
    "place_tasks": "placement",
    "quality": "report",
    "quotient": "halos",
    "recursive_coordinate_bisection": "recursive_bisection",
    "recursive_inertial_bisection": "recursive_bisection",
    "separator": "separator",
    "subgraphs": "halos",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
