"""Which modules run the operators, by the graph's engine and device."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from edgewise.base.check_bounds import debugging
from edgewise.base.threads import get_threads
from edgewise.graph.kinds import AnyGraph, Placed

__all__ = [
    "CROWD",
    "Place",
    "by_rows_or",
    "cached_values",
    "check_graph",
    "fused",
    "members_at_once",
    "register",
    "run",
]

#: About how many threads a GPU keeps at work.
_ON_GPU = 1 << 16
#: From so many members at once on, neighbors are often at work together.
CROWD = 1 << 12
#: Values in the second cache of a core, and of a GPU.
_CACHED, _CACHED_ON_GPU = 1 << 15, 6 << 20

#: Who runs the operators, by the graph's engine and kind of device.
_ENGINES = {
    ("local", "cpu"): "edgewise.operators.cpu",
    ("local", "cuda"): "edgewise.operators.cuda",
}


class Place(NamedTuple):
    """A device and the module for its arrays, for operators that need no graph."""

    device: str
    xp: Any
    engine: str = "local"

    @staticmethod
    def named(placed: Placed) -> str:
        """The device of a graph, or of arrays without one, as errors name it."""
        plain = isinstance(placed, Place)
        return placed.device if plain else f"the graph's device ({placed.device})"


def register(engine: str, device: str, package: str) -> None:
    """Register ``package`` as the implementation of the operators for an engine and a device."""
    _ENGINES[engine, device] = package


def check_graph(graph: Placed) -> None:
    """TypeError unless it is a graph, or other rows, on one of the engines."""
    if not hasattr(graph, "engine"):
        kind = type(graph)
        theirs = kind.__module__.partition(".")[0]
        named = kind.__name__ if theirs == "builtins" else f"{theirs}'s {kind.__name__}"
        raise TypeError(
            f"graph must be a Graph (Graph.from_edges, from_networkx, from_scipy and edgewise.read "
            f"make one), got {named}"
        )


def fused(graph: Placed, family: str, algorithm: str, *arguments: Any) -> bool:
    """Run a whole algorithm as one kernel, if it has one for the graph's device; else False.

    An algorithm is written with operators and runs on every engine. Where one kernel for all of it
    pays in a row of a benchmark, its ``family`` (a package) may have one for a kind of device:
    module and function are called as the algorithm, in a folder ``cpu`` or ``cuda``, and the
    module's docstring names the row. It takes the graph and what the algorithm gives it, changes
    the arrays among that, and tells whether it did. It reports no rounds.
    """
    package = _package(graph)
    if graph.engine != "local":
        return _function_of(package, "fused")(graph, family, algorithm, arguments)
    found = _kernel_of(f"{family}.{graph.device.partition(':')[0]}", algorithm)
    return found is not None and found(graph, *arguments)


@cache
def _kernel_of(package: str, algorithm: str) -> Any:
    name = f"{package}.{algorithm}"
    if find_spec(package) is None or find_spec(name) is None:
        return None
    return getattr(import_module(name), algorithm)


def members_at_once(graph: Placed) -> int:
    """How many members `compute`, `for_rows` and `settle` have at work at the same time.

    So many may see stale values: a function that changes state in place, by what it reads of other
    members, may read what they are about to change. Among a few threads that is rare; from `CROWD`
    members on, neighbors decide at the same moment, and add up at the same places.
    """
    return get_threads() if graph.device == "cpu" else _ON_GPU


def cached_values(graph: Placed) -> int:
    """Values of how many vertices are read fast in any order: those that a cache holds."""
    return _CACHED if graph.device == "cpu" else _CACHED_ON_GPU


def by_rows_or(graph: AnyGraph, by_rows: Any, by_messages: Any) -> Any:
    """The first where functions may read any row of a graph; where ranks share rows, the second."""
    return by_rows if graph.one_device else by_messages


def run(graph: Placed, operator: str) -> Any:
    """The function that carries out an operator on this graph."""
    return _function_of(_package(graph), operator)


@cache
def _function_of(package: str, operator: str) -> Any:
    return getattr(import_module(f"{package}.{operator}"), operator)


def _package(graph: Placed) -> str:
    """The modules of the graph's engine, which must be able to run now."""
    check_graph(graph)
    if graph.device == "cpu":
        return _ENGINES[graph.engine, "cpu"]
    device, _, number = graph.device.partition(":")
    if device != "cpu":
        _check_device(graph, int(number or 0))
    return _ENGINES[graph.engine, device]


def _check_device(graph: Placed, number: int) -> None:
    from edgewise.base.cuda.device import current_device

    what, move = "a graph", ": move it with graph.to('cpu')"
    if isinstance(graph, Place):
        what, move = "arrays", ""
    if debugging():
        raise ValueError(
            f"check_bounds() and EDGEWISE_CHECK=1 check functions in host memory alone, got {what} "
            f"on {graph.device}{move}"
        )
    if current_device() != number:
        what = "arrays are" if isinstance(graph, Place) else "graph is"
        raise ValueError(
            f"the {what} on {graph.device}, which is not the current device: "
            f"put the call into a block `with cupy.cuda.Device({number}):`"
        )
