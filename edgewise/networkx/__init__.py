"""The NetworkX backend ``edgewise``, public as `edgewise.nx`.

NetworkX finds it by its entry points: ``networkx.pagerank(G, backend="edgewise")``. The names here
load at their first use.
"""

from __future__ import annotations

from edgewise.base.lazy import lazy

#: Where each public name lives.
_HOME: dict[str, str] = {
    "DiGraph": "graph_classes",
    "Graph": "graph_classes",
    "MultiDiGraph": "graph_classes",
    "MultiGraph": "graph_classes",
    "backend": "dispatch",
    "explain": "call_log",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
