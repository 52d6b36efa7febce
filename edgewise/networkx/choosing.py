"""The rules that decide where a call runs.

Nothing here loads NumPy or Numba: NetworkX asks these questions before every call.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from functools import cache
from inspect import signature
from itertools import islice
from typing import Any

import networkx as nx

from edgewise.networkx.function_table import (
    ASKED,
    CLASSES,
    DEFAULTS_OF,
    FUNCTIONS,
    KINDS_OF,
    NUMBERS,
    OF_NODES,
    STRATEGIES,
)
from edgewise.networkx.settings import setting

__all__ = ["cheaper_there", "refusal", "too_small", "worded"]

#: Seconds to load Numba, to load the kernels of a module, to convert a node or an arc, of a call.
_LOADING, _KERNELS, _ARC, _CALL = 1.2, 0.1, 0.3e-6, 3e-4
#: Calls on a graph must have taken so many times as long as loading and conversion.
_PATIENCE = 20
#: Values of all nodes take about this many times less time here than in NetworkX.
_GAIN = 50
#: A search that reaches so few nodes stays in NetworkX.
_REACH = 64
_FEW = "NetworkX looks at a few nodes only"
#: Older versions return other types and orders.
_IS_OLD = tuple(int(part) for part in nx.__version__.split(".")[:2]) < (3, 6)
#: Parameters that name an edge attribute, that end a search early, and that begin one.
_ATTRIBUTES = ("weight", "distance", "capacity")
_LIMITS = ("cutoff", "depth_limit", "target")
_AGAINST = {"ancestors", "single_target_shortest_path", "single_target_shortest_path_length"}
#: The units of work of a graph by n nodes, n nodes and arcs, and squared degrees.
UNITS: dict[str, Any] = {
    "n": lambda n, size, squares: n,
    "m": lambda n, size, squares: size,
    "nm": lambda n, size, squares: n * size,
    "left": lambda n, size, squares: size * min(1.0, n / 3000),  # less for dense graphs
    "dd": lambda n, size, squares: squares,
    "nn": lambda n, size, squares: n * n,
    "nnn": lambda n, size, squares: n**3,
    "nnm": lambda n, size, squares: n * n * size,
    "paths": lambda n, size, squares: max(size / n - 2, 1) ** min(n, 12) if n else 0,
}


def refusal(name: str, args: Any, kwargs: Any) -> str | None:
    """Why a call cannot run here, or None."""
    if _IS_OLD:
        return "NetworkX 3.6 or later is needed"
    if name in CLASSES:
        plain = args and args[0] in (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
        return None if plain else "subclasses of NetworkX's graph classes stay what they are"
    graph, module = _graph(args, kwargs), FUNCTIONS[name].module
    if name in KINDS_OF:
        for kind in KINDS_OF[name]:
            if _is(graph, kind):
                return f"the graph is {'a ' * (kind == 'multigraph')}{kind}"
    ours = _is_ours(graph)
    testing = graph is not None and nx.utils.backends._dispatchable._is_testing
    if module == "as_is" and not (ours or testing):  # tests of backends convert every graph
        return _FEW
    if len(args) == 1 and not kwargs and name not in ASKED:
        return None
    named, defaults = _named(name, args, kwargs), _parameters(name)
    for one in _ATTRIBUTES:
        if module != "as_is" and one in named and callable(named[one]):
            return f"{one} is a function"
    for one in DEFAULTS_OF.get(name, ()):
        given = named.get(one, defaults[one])
        if given is not defaults[one] and not _is_like(given, defaults[one]):
            return f"{one} is given"
    return _special(name, named, module)


def _is(graph: Any, kind: str) -> bool:
    if graph is None:
        return False
    if kind == "multigraph":
        return graph.is_multigraph()
    return graph.is_directed() == (kind == "directed")


def _is_ours(graph: Any) -> bool:
    return getattr(graph, "__networkx_backend__", "") == "edgewise"


def _is_like(value: Any, default: Any) -> bool:
    """Is a value equal to the default, or as empty as None?"""
    if hasattr(value, "__array__"):  # which compares item by item
        return False
    return value == default or value == {}


def _special(name: str, named: dict[str, Any], module: str) -> str | None:
    if module == "generator_functions" and any(
        type(one) is not int for key, one in named.items() if key in NUMBERS
    ):
        return "nodes are given instead of a number"
    if name == "max_weight_clique" and named.get("weight", "weight") is not None:
        return "nodes have weights"
    if name == "rich_club_coefficient" and named.get("normalized", True):
        return "random graphs are compared with"
    if name == "k_edge_components" and (
        named.get("k", 0) > 2 or (named["G"].is_directed() and named.get("k", 0) > 1)
    ):
        return "k is greater than 2, or the graph is directed"
    if name == "relabel_nodes" and not (named.get("copy", True) or _is_ours(named.get("G"))):
        return "the graph is changed in place"
    if named.get("algorithm", "kruskal") not in ("kruskal", "prim"):
        return "algorithm is given"
    if name == "greedy_color":
        given = named.get("strategy", "largest_first")
        known = given in STRATEGIES or given in map(_strategy, STRATEGIES)
        return None if known else "the strategy is of another kind"
    if name in ("clustering", "average_clustering") and named.get("weight") is not None:
        return "the graph is directed and weighted" if named["G"].is_directed() else None
    if name == "average_shortest_path_length":
        known = named.get("method") in (None, "unweighted", "dijkstra")
        return None if known else "method is given"
    return None


def _strategy(name: str) -> Any:
    return getattr(nx.coloring, f"strategy_{name}", None)


def too_small(name: str, args: Any, kwargs: Any) -> str | None:
    """Why a call is faster in NetworkX, or None: conversion and the first call take longer."""
    row, graph = FUNCTIONS.get(name), _graph(args, kwargs)
    if row is None or graph is None or setting("always"):
        return None
    share = 1.0
    if (row.work == "nm" or name in OF_NODES) and (len(args) > 1 or kwargs):
        share = _share(name, _named(name, args, kwargs), graph)
        if share * _GAIN < 1 and name in OF_NODES:
            return _FEW
    reason = cheaper_there(name, graph, share)
    if reason is None:  # the last question takes longer than the others
        converted = "edgewise" in (getattr(graph, "__networkx_cache__", None) or ())
        return _FEW if _is_local(name, _named(name, args, kwargs), graph, converted) else None
    return worded(reason)


def _share(name: str, named: dict[str, Any], graph: Any) -> float:
    """The share of a graph that a call looks at: searches from k nodes, or values of some nodes."""
    count = named.get("k")
    if name in OF_NODES and (nodes := named.get(OF_NODES[name])) is not None:
        try:
            single = nodes in graph
        except TypeError:  # not hashable: several nodes
            single = False
        count = 1 if single else len(nodes) if hasattr(nodes, "__len__") else None
    return 1.0 if count is None else count / max(len(graph), 1)


def cheaper_there(name: str, graph: Any, share: float = 1.0) -> str | tuple[float, float] | None:
    """Why NetworkX is faster on a graph with any arguments, for `worded`, or None.

    ``share`` of the work is done.
    """
    row, n, loaded = FUNCTIONS[name], len(graph), "numba" in sys.modules
    if row.cost == 0:
        return _FEW
    if n < _least(row.work, row.cost, loaded):
        return "the graph is small"
    kept = getattr(graph, "__networkx_cache__", None)
    size, squares = _size(graph, kept, row.work == "dd")
    here = _CALL if loaded else _CALL + _LOADING
    if loaded and f"edgewise.networkx.{row.module}" not in sys.modules:
        here += _KERNELS
    if kept is None or "edgewise" not in kept:
        here += _ARC * size
    there = share * row.cost * 1e-6 * UNITS[row.work](n, size, squares)
    # Calls that NetworkX has run on this graph count too: together they may pay for conversion.
    spent = there + (kept.get("edgewise_spent", 0.0) if kept else 0.0)
    if there >= here or spent >= _PATIENCE * here:
        return None
    if kept is not None:
        kept["edgewise_spent"] = spent
    return there, here


def worded(reason: Any) -> str:
    """A reason in words; the two times of a comparison take longer to write than to find."""
    if isinstance(reason, str):
        return reason
    return f"about {reason[0]:.2g} s in NetworkX, {reason[1]:.2g} s with conversion"


@cache
def _least(work: str, cost: float, loaded: bool) -> int:
    """The number of nodes of the smallest graph that could pay, if all nodes are neighbors."""
    here, units = _CALL if loaded else _CALL + _LOADING, UNITS[work]

    def there(n: int) -> float:
        return cost * 1e-6 * units(n, n + n * n, n**3)

    return bisect_left(range(1 << 30), here, key=there)


def _is_local(name: str, named: dict[str, Any], graph: Any, converted: bool) -> bool:
    """Does a search look at a few nodes only?"""
    if name.startswith("shortest_path") and None not in map(named.get, ("source", "target")):
        return True
    start = named.get("target" if name.startswith("single_target") else "source")
    if start is None or FUNCTIONS[name].work != "m":
        return False
    if not converted and any(named.get(one) not in (None, start) for one in _LIMITS):
        return True
    return _reaches_few(
        graph._pred if name in _AGAINST and graph.is_directed() else graph._adj, start
    )


def _reaches_few(rows: Any, start: Any) -> bool:
    try:
        seen, waiting = {start}, [start]
        while waiting:
            for node in rows[waiting.pop()]:
                if node not in seen:
                    seen.add(node)
                    waiting.append(node)
                    if len(seen) > _REACH:
                        return False
    except (KeyError, TypeError):  # no such node
        return True
    return True


def _size(graph: Any, kept: Any, squared: bool) -> tuple[int, int]:
    """The number of nodes and arcs of a graph, and the sum of its squared degrees if wanted."""
    name = "edgewise_squares" if squared else "edgewise_size"
    if kept and name in kept:
        return kept[name]
    rows = graph._adj
    if type(rows) is dict:
        degrees: Any = map(len, rows.values())
        if squared:
            degrees = [*degrees]
        total, scale = len(rows), 1.0
    else:  # the rows of a view count their neighbors one by one
        degrees = [*map(len, islice(rows.values(), _REACH))]
        total, scale = len(graph), len(graph) / max(len(degrees), 1)
    squares = int(scale * sum(one * one for one in degrees)) if squared else 0
    found = total + int(scale * sum(degrees)), squares
    if kept is not None:
        kept[name] = found
    return found


def _graph(args: Any, kwargs: Any) -> Any:
    if args and isinstance(args[0], nx.Graph):
        return args[0]
    if args and isinstance(args[0], list):  # of graphs
        args = args[0]
    return next((one for one in (*args, *kwargs.values()) if isinstance(one, nx.Graph)), None)


def _named(name: str, args: Any, kwargs: Any) -> dict[str, Any]:
    """The arguments of a call by name; unknown ones are those of ``**kwargs``."""
    known = _parameters(name)
    named = dict(zip(known, args, strict=False))
    if "kwargs" not in known:
        return named | kwargs
    return named | {key if key in known else "kwargs": one for key, one in kwargs.items()}


@cache
def _parameters(name: str) -> dict[str, Any]:
    """The parameters of a function of NetworkX, and their defaults."""
    found = signature(nx.utils.backends._registered_algorithms[name].orig_func)
    return {one.name: one.default for one in found.parameters.values()}
