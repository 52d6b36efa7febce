"""Graphs that change: answers kept up to date under batches of edges, and temporal paths.

`Stream` takes batches of edges and repairs the answers that were asked for. `Graph.updated` makes a
new frozen graph from a batch. `Graph.window` and `Graph.snapshots` select edges by time.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy

#: Where each public name lives.
_HOME: dict[str, str] = {
    "Stream": "graph_stream",
    "StreamRank": "rank_repair",
    "Update": "changing",
    "earliest_arrival": "temporal_paths",
    "temporally_reachable": "temporal_paths",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
