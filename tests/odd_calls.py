# ruff: noqa: C408
"""Odd calls: public functions with one or two arguments replaced by what nobody should give them.

As a program, in a process of its own with little memory, so that a crash is seen:

    python -m tests.odd_calls SEED COUNT

A call may succeed, or end in a ValueError or TypeError (that of the library or of Python's own
binding of arguments), or for want of memory. Anything else is a fault.
"""

import faulthandler
import inspect
import json
import math
import random
import resource
import signal
import sys
import traceback
import warnings

import numpy as np

from edgewise import generators, operators as ops
from edgewise.base.errors import CompileError, DeviceError
from edgewise.generators import GENERATORS
from edgewise.graph import Graph
from edgewise.graph.labels import Labels

GRAPH = Graph.from_edges([0, 1, 2, 3, 3], [1, 2, 3, 0, 5], [1.0, 2.0, 3.0, 4.0, 5.0])
N, M = GRAPH.num_vertices, GRAPH.num_arcs
ALLOWED = (ValueError, TypeError, MemoryError, DeviceError)


#: What is given instead of an argument.
ODD = [
    None, True, -1, 0, 1, 3, N, N + 5, 2**31, 2**63, 2**70, -(2**70), 1.5, 0.0, math.nan, math.inf,
    1e300, 1j, "", "a", "vertices", b"a", [], [0], [-1], [10**10], [2**70], [1.5], ["a"], [None],
    [[0, 1]], [[0], [0, 1]], (), (0, 1), {}, {"a": 1}, {1, 2}, object(), int, print, slice(None),
    np.int8(-1), np.int8(100), np.uint64(2**64 - 1), np.float32(2), np.bool_(True), np.zeros(N),
    np.zeros(N, np.int64), np.zeros(N, bool), np.ones(N, bool), np.full(N, np.nan),
    np.arange(N)[::-1], np.arange(2 * N)[::2], np.zeros(M), np.zeros((N, 2)), np.zeros((2, 0)),
    np.ones(GRAPH.num_edges),
    np.array(3), np.zeros(N, complex), np.zeros(N, object), np.zeros(N, "U3"),
    np.zeros(N, "datetime64[s]"), np.array([2 * 10**9]), np.array([-1]), np.array([N + 5]),
    np.array([2**64 - 1], np.uint64), np.array([-(2**32)]), np.zeros(0), GRAPH,
    ops.frontier(GRAPH, [1]), ops.frontier(GRAPH, edges=[0, 1]), ops.MIN, Labels(list("abcdef")),
    np.random.default_rng(0), lambda: 0, lambda *args: 0, lambda a, b, c, d, e, f, g: a,
    lambda value: value, lambda v: v > 1,
]  # fmt: skip


def _noop(v, a):
    pass


def _positive(v, a):
    return a[v] >= 0


def _message(value):
    return value + 1.0


def _note(v, total, out):
    out[v] = total


def _finish(total, own):
    return total, 0.0


def calls():
    """Sound calls by name: a function, its positional arguments and its options by name."""
    yield from _graph_calls()
    yield from _operator_calls()
    for name in GENERATORS:
        yield name, getattr(generators, name), *_generator_arguments(name)


def _graph_calls():
    arrays = dict(indptr=GRAPH.indptr, indices=GRAPH.indices, weights=GRAPH.weights)
    yield "Graph", Graph, arrays, dict(directed=False, labels=None)
    ends = dict(sources=[0, 1], targets=[1, 2], weights=[1, 2])
    choices = dict(duplicates="sum", self_loops="keep", symmetrize=None, labels=None)
    yield "from_edges", Graph.from_edges, ends, dict(directed=False, num_vertices=4, **choices)
    methods = dict(
        neighbors=dict(vertex=0),
        degree=dict(vertex=0),
        vertex=dict(label=0),
        label=dict(ids=[0]),
        permute=dict(positions=np.arange(N)),
        subgraph=dict(vertices=[0, 1]),
        rows=dict(low=0, high=2),
        full=dict(fill=0),
        has_edge=dict(source=0, target=1),
        edge_weight=dict(source=0, target=1),
        to_undirected=dict(),
        with_weights=dict(weights=np.ones(GRAPH.num_edges)),
        with_labels=dict(labels=Labels(list("abcdef"))),
        contract=dict(groups=[0, 0, 1, 1, 2, 2]),
        table=dict(result=np.zeros(N)),
        to=dict(device="cpu"),
    )
    for name, given in methods.items():
        yield name, getattr(GRAPH, name), given, {}


def _operator_calls():
    some, zeros, ints = ops.frontier(GRAPH, [0, 1]), np.zeros(N), np.zeros(N, np.int64)
    yield "Frontier", ops.Frontier, dict(size=N), dict(ids=[0, 1], kind="vertices")
    yield "Frontier of bits", ops.Frontier, dict(size=N), dict(bits=np.ones(1, np.uint64))
    yield "frontier", ops.frontier, dict(graph=GRAPH, vertices=[0]), {}
    yield "frontier of edges", ops.frontier, dict(graph=GRAPH), dict(edges=[0])
    here = dict(graph=GRAPH, frontier=some)
    yield "compute", ops.compute, dict(**here, function=_noop, state=zeros), {}
    yield "for_each", ops.for_each, dict(count=N, function=_noop, state=zeros), dict(work=None)
    yield "filter", ops.filter, dict(**here, predicate=_positive, state=zeros), {}
    options = dict(reduce=ops.ADD, frontier=None, dtype=None)
    yield "reduce_all", ops.reduce_all, dict(graph=GRAPH, values=zeros), options
    options = dict(reduce=ops.MIN, mode="out", weights="weight", direction="auto", where=None)
    given = dict(**here, function=_message, values=zeros)
    yield "advance", ops.advance, given, dict(**options, neighbors=None, output="vertices")
    given = dict(**here, message=_message, values=zeros)
    yield "propagate", ops.propagate, given, dict(**options, max_iter=3, priority=None)
    options = dict(reduce=ops.ADD, mode="in", weights="weight", dtype=None, out=None, own=None)
    yield "reduce_neighbors", ops.reduce_neighbors, given, dict(**options, key=None, choose=None)
    options = dict(lists=False, ordered=False)
    yield "intersect", ops.intersect, dict(graph=GRAPH, pairs=None), options
    given = dict(graph=GRAPH, message=_message, values=zeros, finish=_finish, state=())
    options = dict(reduce=ops.ADD, out=zeros.copy(), mode="in", sums=1)
    yield "sweep", ops.sweep, given, options
    given = dict(graph=GRAPH, depths=np.zeros(N, np.int32), message=_message, values=zeros)
    yield "unwind", ops.unwind, given, dict(reduce=ops.ADD, own=None, mode="out")
    given = dict(graph=GRAPH, values=zeros, at=ints)
    yield "look_up", ops.look_up, given, dict(frontier=None, out=None)
    options = dict(rank=zeros, closed=True, mode="out", out=None)
    yield "mark_duplicates", ops.mark_duplicates, dict(**here, key=ints), options
    options = dict(key=ints, budget=[2], rank=zeros, weight=ints, crossing=False)
    yield "take", ops.take, here, options
    options = dict(reduce=ops.MAX, frontier=None)
    yield "deliver", ops.deliver, dict(**given, messages=zeros.copy()), options
    given = dict(**here, message=_message, finish=_note, state=zeros)
    options = dict(reduce=ops.ADD, values=zeros, own=None, mode="out", weights="weight", dtype=None)
    yield "for_rows", ops.for_rows, given, options


def _generator_arguments(name):
    """Small arguments for a generator."""
    small = dict(rmat=4, urand=4, hypercube=3, mycielski=3, named="petersen", lfr_benchmark=200,
                 random_hyperbolic=50)  # fmt: skip
    usual = dict(p_in=0.5, p_out=0.1, average_degree=3.0, edge_factor=4, layers=3, m=6, r=2,
                 height=2)  # fmt: skip
    given, options = {}, {}
    for one in inspect.signature(getattr(generators, name)).parameters.values():
        value = small.get(name, 5) if one.default is one.empty else one.default
        optional = name in ("random_geometric", "gnp_random")
        if one.name in usual and (one.default is one.empty or optional):
            value = usual[one.name]
        (options if one.kind is one.KEYWORD_ONLY else given)[one.name] = value
    if name in ("barabasi_albert", "random_regular", "watts_strogatz"):
        given = dict(zip(given, (9, 2), strict=True))
    return given, options


def fault_of(function, given, options, names=()):
    """None if a call ends as it may, else what it ended in; errors must name one of ``names``."""
    signal.alarm(60)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            warnings.simplefilter("ignore", UserWarning)
            function(*given.values(), **options)
    except ALLOWED as error:
        if isinstance(error, MemoryError):
            return None
        if names and not _names_one(error, names):
            return f"names no argument: {error!r}"
    except BaseException as error:  # everything else is a fault, an interrupt among them
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {error} ({last.filename.split('/')[-1]}:{last.lineno})"
    finally:
        signal.alarm(0)
    return None


def _names_one(error, names):
    """Does an error name an argument, a thing that it holds, or the function at fault?"""
    text = str(error)
    return (
        isinstance(error, CompileError)
        or any(name.rstrip("s") in text for name in names)
        or "there is no edge" in text
    )


def _too_long(*_):
    raise TimeoutError("it took a minute")


def run(seed, count, chosen=None):
    """Make some odd calls; the faults found, as text."""
    rng, sound = random.Random(seed), [one for one in calls() if chosen in (None, one[0])]
    faults = {}
    for _, function, given, options in sound:
        function(*given.values(), **options)
    for k in range(count):
        name, function, given, options = sound[k % len(sound)]
        given, options, text, names = dict(given), dict(options), [], []
        for _ in range(rng.choice((1, 1, 1, 2))):
            places = [(given, key) for key in given] + [(options, key) for key in options]
            if not places:
                break
            where, key = rng.choice(places)
            one = rng.choice(ODD)
            where[key] = one.copy() if isinstance(one, np.ndarray) else one
            names.append(key)
            text.append(" ".join(f"{key}={where[key]!r}".split())[:60])
        print(name, *text, file=sys.stderr, flush=True)
        wrong = fault_of(function, given, options, [*given, *options])
        if wrong:
            print("   ", wrong, file=sys.stderr, flush=True)
            faults.setdefault(
                f"{name} {wrong.split(':')[0]}", f"{name}({', '.join(text)}): {wrong}"
            )
    return list(faults.values())


def main():
    faulthandler.enable()
    faulthandler.dump_traceback_later(500, exit=True)
    signal.signal(signal.SIGALRM, _too_long)
    resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
    chosen = sys.argv[3] if len(sys.argv) > 3 else None
    print(json.dumps(run(int(sys.argv[1]), int(sys.argv[2]), chosen)))


if __name__ == "__main__":
    main()
