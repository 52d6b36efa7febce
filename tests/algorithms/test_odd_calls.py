"""Odd calls of every algorithm: what comes out is a result, or an error that is meant for people.

Each argument in turn is something that it should not be, or just might be; the first tier tries all
of these once, the second random combinations of them. Nothing may crash, hang, or end in an error
that tells of our insides (OverflowError, KeyError, IndexError, NotImplementedError, ...). Nor may
it take memory by the size of a number: all run with little, and say themselves if it is too little.
"""

from __future__ import annotations

import inspect
import resource
import warnings
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from edgewise import ConvergenceError, Graph
from edgewise.algorithms import ALGORITHMS
from edgewise.algorithms.matching import paz_schwartzman_stream, verify_edge_cover, verify_matching
from edgewise.base.errors import DeviceError

FRIENDLY = (ValueError, TypeError, ConvergenceError, DeviceError, MemoryError)
N = 8
PAIRS = Graph.from_edges([0, 1, 2, 4, 0, 2], [1, 2, 3, 5, 5, 5], num_vertices=N)
M = PAIRS.num_arcs
GRAPHS = {
    "plain": PAIRS,
    "weighted": PAIRS.with_weights(np.arange(1.0, 7.0)),
    "whole": PAIRS.with_weights(np.arange(1, 7)),
    "directed": Graph.from_edges([0, 1, 2, 3], [1, 2, 0, 3], directed=True),
    "loops": Graph.from_edges([0, 0, 1], [0, 1, 1], [1.0, 2.0, 3.0]),
    "one": Graph([0, 0], []),
    "empty": Graph([0], []),
}
MATRIX = np.arange(4.0).reshape(2, 2)

#: What is given for an argument, whatever it is for.
ODD: list[Any] = [
    None, True, False, 0, 1, -1, 2, 7, 8, 2**31, 2**63, 2**64, -(2**70), 10**400, 0.5, -0.5, 1e308,
    np.nan, np.inf, -np.inf, 1 + 2j, Fraction(1, 3), "", "0", "unit", "auto", "x" * 300, b"0", [],
    {}, set(), (), [0], [1, 2], [0.5], [None], ["a"], [[0]], {0: 1.0}, {0: -1.0}, {99: 1.0},
    {"a": 1.0}, {0: "x"}, {0: None}, {0: 10**400}, {None: 1}, object(), len, np.int8(3),
    np.float16(0.5), np.bool_(True), np.datetime64("2020"), np.array(3), np.array([]), np.zeros(N),
    np.ones(N), -np.ones(N), np.full(N, np.nan), np.full(N, np.inf), np.ones(N, bool),
    np.ones(N, complex), np.arange(N), np.arange(N)[::-1], np.zeros(N, np.int8), np.full(N, 2**63),
    np.full(N, 10**30), np.array(["a"] * N), np.array([None] * N), np.full(N, "2020", "M8[s]"),
    np.zeros((N, 1)), np.ones(N + 1), np.ones(M), -np.ones(M), np.zeros(M), np.full(M, np.nan),
    np.full(M, np.inf), np.full(M, 1e308), np.full(M, 2**62), np.full(M, 2**63, np.uint64),
    np.ones(M, bool), np.ones(M, np.float16), np.ones(M, complex), np.array(["a"] * M),
    np.array([10**30] * M), np.ones((M, 1)), np.ones(M - 1), [1.0] * M, [None] * M, MATRIX,
]  # fmt: skip


@pytest.fixture(autouse=True)
def little_memory():
    """4 GiB more than the process has."""
    usual = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm") as file:
        held = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + (4 << 30), usual[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, usual)


def more(function: Any) -> list[str]:
    """The arguments after the graph; those of devices are tested elsewhere."""
    return [name for name in list(inspect.signature(function).parameters)[1:] if name != "devices"]


def sensible(name: str, graph: Graph) -> Any:
    """Something for arguments that must be given."""
    n = graph.num_vertices
    return {"source": 0, "target": 1, "sources": [0], "b": 1, "result": np.full(n, -1),
            "vertex_weights": np.ones(n), "attribute": np.arange(n) // 2,
            "communities": np.arange(n) // 2, "vertices": np.arange(n) < 2,
            "parts": np.arange(n) // 2,
            "pattern": Graph.from_edges([0, 1], [1, 2], directed=graph.directed), "other": graph,
            "k": 1}[name]  # fmt: skip


NEEDED = ("source", "target", "sources", "pattern", "other", "b", "vertex_weights", "attribute",
          "communities", "vertices", "parts", "k")  # fmt: skip
FUNCTIONS = {name: row.load() for name, row in ALGORITHMS.items()}
FUNCTIONS |= {"verify_matching": verify_matching, "verify_edge_cover": verify_edge_cover}


def fault(function: Any, graph: Any, given: dict[str, Any]) -> str | None:
    """Call it; what is wrong with the error that comes out, if one does."""
    required = {
        name: sensible(name, graph)
        for name, parameter in list(inspect.signature(function).parameters.items())[1:]
        if parameter.default is parameter.empty and name not in given
    }
    shown = {name: repr(value)[:80] for name, value in given.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # such as NumPy's about invalid values
        try:
            function(graph, **required, **given)
        except FRIENDLY as error:
            if "Unable to allocate" in str(error):  # NumPy's words: nobody has looked at the number
                return f"{shown} on {graph}: {error}"
            return None if str(error) else f"{shown}: {type(error).__name__} without a word"
        except Exception as error:
            return f"{shown} on {graph}: {error!r}"
    return None


def check_all(function: Any, graph: Any, givens: Iterable[dict[str, Any]]) -> None:
    found = [fault(function, graph, given) for given in givens]
    assert not (found := [one for one in found if one]), "\n".join(found)


#: Families that compile much for arguments of other types, in the second tier: as all functions
#: that take weights are, but for one that stands for them.
LONG = ("communities", "ordering", "similarity", "ranking", "centrality", "distances", "flows",
        "forests", "walks", "patterns", "cliques", "cores", "structure",
        "independence", "influence")  # fmt: skip
SHORT = ("pagerank", "degree_centrality", "forest_roots", "core_number", "diameter")


def tier(name: str) -> list[Any]:
    """The marks of a function's tests."""
    family = ALGORITHMS[name].family if name in ALGORITHMS else ""
    long = family in LONG or "weights" in more(FUNCTIONS[name])
    return [pytest.mark.slow] if long and name not in SHORT else []


@pytest.mark.parametrize("name", [pytest.param(name, marks=tier(name)) for name in FUNCTIONS])
def test_one_odd_argument(name):
    function = FUNCTIONS[name]
    givens = ({argument: value} for argument in more(function) for value in ODD)
    check_all(function, GRAPHS["weighted"], givens)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_odd_graphs(name):
    for graph in (None, 3, "graph.csv", [(0, 1)], {0: [1]}, MATRIX, len):
        with pytest.raises(TypeError, match="graph must be a Graph"):
            FUNCTIONS[name](graph, **{n: 0 for n in (*NEEDED, "result")
                                      if n in more(FUNCTIONS[name])})  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("kind", GRAPHS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_many_odd_arguments(name, kind):
    function, rng = FUNCTIONS[name], np.random.default_rng([len(name), len(kind)])
    names = more(function)
    givens = [{argument: value} for argument in names for value in ODD]
    for _ in range(100 if len(names) > 1 else 0):
        chosen = rng.choice(names, rng.integers(2, len(names) + 1), replace=False)
        givens.append({str(one): ODD[rng.integers(len(ODD))] for one in chosen})
    check_all(function, GRAPHS[kind], givens)


def test_odd_streams():
    three = {"num_vertices": 3}
    for value in ODD:
        for block in (value, (value, [1], None), ([0], value, None), ([0], [1], value)):
            check_all(paz_schwartzman_stream, [block], [three])
        check_all(paz_schwartzman_stream, value, [three])
        if not (isinstance(value, int) and value > 2**30):  # more than memory holds, maybe
            check_all(paz_schwartzman_stream, [], [{"num_vertices": value}])
