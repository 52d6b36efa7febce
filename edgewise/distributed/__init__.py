"""Graphs on a grid of processes: the adjacency matrix in R x C blocks, the same algorithms.

Importing this package registers the grid with the operators. A program for a grid is a function of
a communicator; every rank runs it:

>>> import edgewise
>>> from edgewise.distributed import Grid, distribute, launch
>>> def program(comm):
...     graph = distribute(edgewise.generators.path(5), grid=Grid(comm, "2x2"))
...     return edgewise.bfs(graph, 0).distance.gather().tolist()
>>> launch(program, ranks=4, backend="threads")[3]
[0, 1, 2, 3, 4]
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from edgewise.operators.engines import register

_PLACES = {
    "Cluster": "cluster",
    "ClusterGraph": "cluster_graph",
    "Communicator": "comm",
    "Grid": "grid",
    "GridGraph": "graph",
    "GridMatrix": "matrix",
    "Layout": "layout",
    "Estimate": "estimating",
    "RankError": "comm",
    "checkpoint": "checkpointing",
    "distribute": "distributing",
    "estimate": "estimating",
    "simulate_grid": "simulation",
    "tuned": "tuning",
    "launch": "launcher",
    "from_edges": "ingest",
    "generate": "ingest",
    "read": "ingest",
    "write_array": "output",
    "write_labels": "output",
    "write_parquet": "parquet_write",
    "world": "mpi",
}
__all__ = sorted(_PLACES)

for _device in ("cpu", "cuda"):
    register("grid", _device, "edgewise.distributed.operators")


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
