"""What is measured: the tasks of the grid, and what each of them is given.

A peer is a module of `benchmarks.peers` with a function for each task that it can do::

    PACKAGE = "networkit"              # whose version the report names
    MISSING = {"task": "reason"}       # an empty cell, with its reason
    FORMS = {"sssp": "weighted"}       # the form of graph that a task needs, if not "plain"

    def convert(data, form): ...       # the library's own graph; not timed
    def bfs(graph, source): ...        # timed

A timed function returns its answer, or a function without parameters that reads the answer out once
the clock has stopped.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import NamedTuple

__all__ = ["ALPHA", "ITERATIONS", "OWN", "PEERS", "TASKS", "Task", "load_peer"]

#: PageRank runs this many iterations wherever a peer lets the caller say so.
ITERATIONS = 20
ALPHA = 0.85

#: The libraries, in the column order of the tables.
PEERS = ("edgewise", "networkit", "igraph", "scipy", "rustworkx", "graphblas")
#: What a user of Edgewise would write: shortest paths alone.
OWN = ("own_propagate", "own_loop")


class Task(NamedTuple):
    """One kind of row: what it is called, what it is given, and what its time means."""

    title: str
    given: str  # "start": graph and vertex, "graph": graph, "edges": arrays, "file": path
    note: str


TASKS = {
    "bfs": Task("BFS", "start", "Levels or parents from one vertex, whichever the peer gives."),
    "sssp": Task("SSSP", "start", "Distances from one vertex, whole weights from 1 to 255."),
    "pagerank": Task("PageRank", "graph", f"{ITERATIONS} iterations, alpha {ALPHA}."),
    "pagerank_converged": Task(
        "PageRank, converged", "graph", "Until the sum of changes is below 1e-10."
    ),
    "connected_components": Task("Components", "graph", "A label for every vertex."),
    "triangle_count": Task("Triangles", "graph", "Their number."),
    "betweenness_centrality": Task("Betweenness", "start", "The share of one source."),
    "build": Task(
        "Building",
        "edges",
        "Two arrays of 32-bit ids to a directed graph, rows sorted, duplicates merged.",
    ),
    "read": Task("Reading", "file", "A text edge list to an undirected graph."),
}


def load_peer(name: str) -> ModuleType:
    """The module of a peer; ImportError if its library is not installed."""
    return import_module(f"benchmarks.peers.{name}")
