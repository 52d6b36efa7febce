"""Applications: what people do with graphs, from their own data to the answer.

The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy

#: Where each public name lives.
_HOME: dict[str, str] = {
    "CellClusters": "cell_clusters",
    "Neighbors": "nearest_neighbors",
    "WhoToFollow": "who_to_follow",
    "cell_clusters": "cell_clusters",
    "nearest_neighbors": "nearest_neighbors",
    "neighbor_graph": "cell_clusters",
    "who_to_follow": "who_to_follow",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
