"""The calls that a rank of `edgewise.cluster` answers: make graphs, run algorithms and programs.

Graphs stay on the ranks, by number; the caller has a `GraphInfo`. Arrays are gathered on rank 0,
which alone sends them.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.errors import ConvergenceError
from edgewise.base.memory import free_memory
from edgewise.distributed.comm import Communicator
from edgewise.distributed.distributing import add_columns, assemble
from edgewise.distributed.graph import GridGraph
from edgewise.distributed.graph_files import read
from edgewise.distributed.grid import Grid
from edgewise.distributed.labels import whole_labels
from edgewise.distributed.layout import Layout
from edgewise.distributed.nccl import best
from edgewise.distributed.output import collect

__all__ = ["GraphInfo", "GraphNumber", "Rank", "own_device", "unpacked"]


class GraphNumber(NamedTuple):
    """Stands for a graph in the arguments of a call."""

    number: int


class GraphInfo(NamedTuple):
    """What the caller of a cluster is told about a graph."""

    number: int
    num_vertices: int
    num_edges: int
    num_arcs: int
    num_self_loops: int
    directed: bool
    weights: str | None
    rank_arcs: list[int]


class Rank:
    """The state of a rank between calls: its grid, and its parts of the graphs."""

    def __init__(self, comm: Communicator, shape: str | None, device: str) -> None:
        self.device = own_device(device, comm)
        self.comm = best(comm, self.device)
        self.grid = Grid(self.comm, shape)
        self.graphs: dict[int, GridGraph] = {}
        self._made = 0

    def perform(self, task: str, arguments: tuple[Any, ...]) -> Any:
        """Do one of the tasks below; before, forget graphs that the caller has dropped."""
        dropped, *rest = arguments
        for number in dropped:
            self.graphs.pop(number, None)
        return _TASKS[task](self, *rest)

    def keep(self, graph: GridGraph) -> GraphInfo:
        """Keep a graph for later calls."""
        self._made += 1
        self.graphs[self._made] = graph
        weights = graph.block.weights
        return GraphInfo(
            self._made, graph.num_vertices, graph.num_edges, graph.num_arcs, graph.num_self_loops,
            graph.directed, None if weights is None else weights.dtype.str,
            self.comm.counts(graph.block.num_arcs),
        )  # fmt: skip

    def told(self, found: Any) -> Any:
        """What the caller gets of a result; on ranks other than 0, None for arrays. Collective."""
        if isinstance(found, GridGraph):
            return self.keep(found)
        if isinstance(found, tuple):
            parts = [self.told(one) for one in found]
            return type(found)(*parts) if hasattr(found, "_fields") else tuple(parts)
        return collect(found)

    def free(self) -> tuple[str, int]:
        """The machine of this rank, and its free memory."""
        return socket.gethostname(), free_memory()

    def assemble(
        self, n: int, directed: bool, places: dict, labels: Any, arcs: tuple, columns: Any
    ) -> GraphInfo:
        """A graph of which every rank is sent its arcs, by position, and their columns."""
        layout = Layout(n, self.grid.shape, **places)
        graph = assemble(self.grid, layout, *arcs, directed=directed, labels=labels)
        if columns is not None:
            sources, targets, _ = arcs
            add_columns(graph, columns, sources, targets, np.arange(len(sources)))
        return self.keep(graph.to(self.device))

    def read(self, path: str, options: dict[str, Any]) -> GraphInfo:
        """A graph from a file that all ranks can read."""
        return self.keep(read(path, grid=self.grid, device=self.device, **options))

    def algorithm(self, module: str, name: str, args: tuple, options: dict[str, Any]) -> Any:
        """A public function of a graph."""
        function: Any = import_module(module)
        for part in name.split("."):
            function = getattr(function, part)
        try:
            return self.told(function(*unpacked(args, self._graph),
                                      **unpacked(options, self._graph)))  # fmt: skip
        except ConvergenceError as error:  # the same on all ranks
            error.best = self.told(error.best)
            raise

    def method(self, number: int, name: str, args: tuple) -> Any:
        """A method of a graph."""
        return self.told(getattr(self.graphs[number], name)(*args))

    def labels(self, number: int) -> Any:
        """All labels of a graph."""
        return whole_labels(self.graphs[number].labels)

    def whole(self, number: int) -> Any:
        """All of a graph, on rank 0."""
        return collect(self.graphs[number])

    def program(self, load: Callable[[bytes], Any], packed: bytes) -> Any:
        """A function of the communicator, or of the grid's graphs, with its arguments."""
        function, args, options = load(packed)
        return function(self.comm, *unpacked(args, self._graph), **unpacked(options, self._graph))

    def _graph(self, stands: GraphNumber) -> GridGraph:
        return self.graphs[stands.number]


def unpacked(values: Any, graph: Callable[[GraphNumber], Any]) -> Any:
    """Arguments with graphs in place of their numbers."""
    if isinstance(values, GraphNumber):
        return graph(values)
    if type(values) in (list, tuple):
        return type(values)(unpacked(one, graph) for one in values)
    if type(values) is dict:
        return {key: unpacked(one, graph) for key, one in values.items()}
    return values


def own_device(device: str, comm: Communicator) -> str:
    """The GPU of this rank, if ``cuda`` names none: the ranks of a machine take them in turn."""
    if device != "cuda":
        return device
    from edgewise.base.cuda.device import array_module, simulated

    if simulated():
        return device
    hosts = comm.gather_objects(os.uname().nodename)
    before = hosts[: comm.rank].count(hosts[comm.rank])
    return f"cuda:{before % array_module().cuda.runtime.getDeviceCount()}"


_TASKS: dict[str, Callable[..., Any]] = {
    "free": Rank.free,
    "assemble": Rank.assemble,
    "read": Rank.read,
    "algorithm": Rank.algorithm,
    "method": Rank.method,
    "labels": Rank.labels,
    "whole": Rank.whole,
    "program": Rank.program,
}
