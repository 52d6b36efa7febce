"""Applications: recommendations, nearest neighbors, and clusters of points.

The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy

#: Where each public name lives.
_HOME: dict[str, str] = {
    "PointClusters": "cluster_points",
    "Neighbors": "nearest_neighbors",
    "Recommendations": "recommend",
    "cluster_points": "cluster_points",
    "nearest_neighbors": "nearest_neighbors",
    "shared_neighbor_graph": "cluster_points",
    "recommend": "recommend",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
