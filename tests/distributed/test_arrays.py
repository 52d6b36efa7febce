"""Arrays over a grid: they behave like the whole array, on every rank."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.distributed import Grid, distribute
from edgewise.distributed.arrays import ArcArray, VertexArray
from edgewise.distributed.rank_threads import run_threads
from edgewise.graph.edges import per_edge
from edgewise.operators import ADD, compute, filter, frontier, reduce_all
from tests.distributed.grids import DISTRIBUTIONS, check_copies
from tests.operators.graphs import SMALL, random_graph

GRAPH = SMALL["random"]
N = GRAPH.num_vertices
IDS = np.arange(N)


def ranks(work, shape=(2, 3), graph=GRAPH, distribution="random"):
    """Run ``work(graph on a grid)`` on all ranks."""
    grid = lambda comm: Grid(comm, shape)  # noqa: E731
    return run_threads(
        lambda comm: work(distribute(graph, grid=grid(comm), distribution=distribution, seed=9)),
        shape[0] * shape[1],
    )


def equal(found, wanted):
    """An array over the vertices is this one, type included, with all copies in line."""
    assert isinstance(found, VertexArray)
    check_copies(found)
    wanted = np.asarray(wanted)
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    np.testing.assert_array_equal(found.gather(), wanted)


@given(
    st.tuples(st.integers(1, 3), st.integers(1, 4)),
    st.sampled_from(DISTRIBUTIONS),
    st.integers(0, 30),
    st.sampled_from(["i4", "i8", "f8", "f4", "?"]),
)
@settings(max_examples=40)
def test_whole_arrays_there_and_back(shape, distribution, n, dtype):
    graph, whole = random_graph(max(n, 1), n, n), (np.arange(max(n, 1)) * 7 % 11).astype(dtype)

    def work(graph):
        spread = graph.share(whole)
        equal(spread, whole)
        assert spread.tolist() == whole.tolist()
        assert np.asarray(spread).dtype == whole.dtype
        for name in ("sum", "min", "max", "mean"):
            if dtype != "?":
                assert getattr(spread, name)() == pytest.approx(getattr(whole, name)())
        assert (spread > 3).any() == (whole > 3).any()
        assert (spread > 3).all() == (whole > 3).all()

    ranks(work, shape, graph, distribution)


def test_arithmetic_and_ufuncs():
    a, b = IDS * 2 + 1, (IDS % 7) / 4

    def work(graph):
        x, y = graph.share(a), graph.share(b)
        for found, wanted in (
            (x + 1, a + 1),
            (1 - y, 1 - b),
            (x * y, a * b),
            (y / x, b / a),
            (x // 3 % 2, a // 3 % 2),
            (-y, -b),
            (abs(y - 1), abs(b - 1)),
            (x == 3, a == 3),
            ((x > 5) & ~(y < 1), (a > 5) & ~(b < 1)),
            (np.sqrt(y), np.sqrt(b)),
            (np.maximum(x, 10), np.maximum(a, 10)),
            (np.isfinite(y), np.isfinite(b)),
            (x + b, a + b),  # with an array of the whole
            (b - y, b - b),
            (x.astype(np.float32), a.astype(np.float32)),
            (x.copy(), a),
            (x[:], a),
        ):
            equal(found, wanted)
        whole, rest = np.divmod(x, 3)
        equal(whole, a // 3)
        equal(rest, a % 3)
        z = y.copy()
        z += x
        z *= 2
        equal(z, (b + a) * 2)
        made = graph.full(0.0)
        assert np.add(x, y, out=made) is made
        equal(made, a + b)
        equal(y, b)

    ranks(work)


def test_single_vertices():
    def work(graph):
        values = graph.full(0, np.int32)
        values[5] = 7
        values[np.int64(6)] = 8
        values[[1, 3, N - 1]] = 9
        values[5] += 1
        wanted = np.zeros(N, np.int32)
        wanted[[5, 6]], wanted[[1, 3, N - 1]] = 8, 9
        equal(values, wanted)
        assert [values[v] for v in (0, 5, N - 1)] == [0, 8, 9]
        assert values[5].dtype == np.int32
        values[:] = IDS
        equal(values, IDS.astype(np.int32))
        values[:] = 4
        values.fill(values[0] + 1)
        equal(values, np.full(N, 5, np.int32))

    ranks(work)


def test_read_at_the_vertices_of_a_smaller_graph():
    def work(graph):
        small, vertices = graph.contract(graph.share(IDS % 7))
        found = (small.xp.arange(7) * 2)[vertices]
        assert found.graph is graph
        equal(found, IDS % 7 * 2)

    ranks(work)


def test_masks():
    def work(graph):
        values = graph.share(IDS)
        values[values > 100] = -1
        equal(values, np.where(IDS > 100, -1, IDS))
        values[IDS < 10] = 3  # a mask over the whole
        equal(values, np.where(IDS > 100, -1, np.where(IDS < 10, 3, IDS)))
        chosen = graph.xp.where(values > 5, values, 0)
        equal(chosen, np.where(values.gather() > 5, values.gather(), 0))
        equal(graph.xp.where(values > 5, IDS, values), np.where(values.gather() > 5, IDS,
                                                                values.gather()))  # fmt: skip
        marked = frontier(graph, values == 3)
        assert marked.ids.tolist() == list(range(10)) and len(marked) == 10

    ranks(work)


def test_reductions_of_any_type():
    def work(graph):
        tiny = graph.share((IDS % 3).astype(np.int8))
        assert tiny.sum() == (IDS % 3).sum() and tiny.max() == 2 and tiny.min() == 0
        mask = graph.share(IDS % 3 == 0)
        assert mask.sum() == 50 and mask.any() and not mask.all() and (mask | True).all()
        assert graph.full(np.inf).min() == np.inf
        holes = graph.full(1.0)
        holes[7] = np.nan
        assert np.isnan(holes.min()) and np.isnan(holes.sum())
        return float(graph.share(np.sqrt(IDS)).sum()).hex()

    assert len(set(ranks(work))) == 1


def test_modules_make_arrays_over_the_grid():
    def work(graph):
        xp = graph.xp
        equal(xp.arange(N), IDS)
        equal(xp.arange(N, dtype=np.int32), IDS.astype(np.int32))
        equal(xp.zeros(N), np.zeros(N))
        equal(xp.ones((N,), np.int32), np.ones(N, np.int32))
        equal(xp.full(N, 3), np.full(N, 3))
        equal(xp.asarray(IDS.tolist(), dtype=np.float64), IDS.astype(float))
        assert xp.empty(N, bool).dtype == bool
        values = graph.full(2.0)
        assert xp.asarray(values) is values and xp.ascontiguousarray(values) is values
        equal(xp.asarray(values, np.int32), np.full(N, 2, np.int32))
        for plain in (xp.arange(3), xp.zeros(4), xp.arange(0, N), xp.asarray([1, 2])):
            assert isinstance(plain, np.ndarray)
        assert xp.int32 is np.int32 and xp.inf == np.inf
        assert xp.where(True, 1, 2) == 1

    ranks(work)


@pytest.mark.parametrize(
    "graph", [SMALL["random, directed"], GRAPH], ids=["directed", "undirected"]
)
def test_arrays_over_edges_count_every_edge_once(graph):
    lengths = graph.edges()[2]

    def work(graph):
        found = per_edge(graph, graph.weights)
        assert len(found) == found.size == graph.num_edges
        assert found.sum() == lengths.sum() and found.mean() == lengths.mean()
        assert len((found * 2)[found > 1]) == (lengths > 1).sum()
        assert (found > 1).any() and not (found > 1).all()
        with pytest.raises(TypeError, match="arcs on a grid have no numbers"):
            found[0]
        return found.gather().tolist()

    assert ranks(work, (2, 2), graph) == [lengths.tolist()] * 4


def test_arrays_over_arcs():
    def work(graph):
        weights = graph.weights
        assert isinstance(weights, ArcArray) and len(weights) == weights.size == GRAPH.num_arcs
        assert weights.sum() == GRAPH.weights.sum()  # quarters: exact
        assert weights.max() == GRAPH.weights.max() and weights.mean() == GRAPH.weights.mean()
        doubled = weights * 2
        assert doubled.sum() == 2 * weights.sum() and (doubled >= weights).all()
        heavy = weights[weights > 1]
        assert len(heavy) == (GRAPH.weights > 1).sum()
        assert graph.indices.dtype == GRAPH.indices.dtype
        assert graph.indices.sum() == GRAPH.indices.sum()
        equal_ends = graph.indices + 1
        assert type(equal_ends) is ArcArray and equal_ends.max() == GRAPH.indices.max() + 1
        return repr(weights)

    assert ranks(work)[0].startswith("ArcArray(")


def refuses(kind, text, work):
    with pytest.raises(kind, match=text):
        ranks(work)


def test_errors():
    other = random_graph(20, 30, 1)
    refuses(ValueError, f"from 0 to {N - 1}, got {N}", lambda graph: graph.full(0)[N])
    refuses(ValueError, "got -1", lambda graph: graph.full(0).__setitem__(-1, 5))
    refuses(ValueError, f"got {N + 3}", lambda graph: graph.full(0).__setitem__([1, N + 3], 5))
    refuses(TypeError, "vertices must be ids, got dtype float64",
            lambda graph: graph.full(0).__setitem__([0.5], 5))  # fmt: skip
    refuses(TypeError, "one vertex at a time", lambda graph: graph.full(0)[3:5])
    refuses(TypeError, "read at vertex ids, got an index of dtype bool",
            lambda graph: graph.full(0)[graph.full(True)])  # fmt: skip
    refuses(TypeError, "must be a mask", lambda graph: graph.full(0).__setitem__(graph.full(1), 5))
    refuses(TypeError, "are set to one number",
            lambda graph: graph.full(0).__setitem__([1, 2], [3, 4]))  # fmt: skip
    refuses(ValueError, f"has {N} entries, got 3", lambda graph: graph.full(0) + np.ones(3))
    refuses(TypeError, "do not go together", lambda graph: graph.full(0) + graph.weights)
    refuses(TypeError, "array of the whole", lambda graph: graph.weights + np.ones(GRAPH.num_arcs))
    refuses(TypeError, "arcs on a grid have no numbers", lambda graph: graph.weights[3])
    refuses(ValueError, "different graphs",
            lambda graph: graph.full(0) + distribute(other, grid=graph.grid).full(0))  # fmt: skip
    refuses(TypeError, "ids or a mask", lambda graph: frontier(graph, graph.full(0.5)))
    refuses(ValueError, "got 150", lambda graph: frontier(graph, [150]))
    refuses(ValueError, "as a mask must have", lambda graph: frontier(graph, np.ones(3, bool)))
    refuses(ValueError, "not of edges", lambda graph: frontier(graph, edges=[1]))


def test_functions_get_arrays_over_vertices_alone():
    """Anything else would be indexed by local numbers, which mean nothing to it."""
    refuses(TypeError, "arrays over vertices", lambda graph: compute(
        graph, None, _double, graph.weights))  # fmt: skip
    refuses(TypeError, "spread over it", lambda graph: filter(
        graph, None, _double, np.zeros(N)))  # fmt: skip
    refuses(TypeError, "spread over it", lambda graph: reduce_all(
        graph, np.zeros(N), reduce=ADD))  # fmt: skip


def _double(v, values):
    values[v] *= 2


def test_columns():
    """Rows of several numbers: whole, by column, by vertex and column, and from nothing."""
    table = (IDS[:, None] * 3 + np.arange(4)) % 7
    table = table.astype(np.float64)

    def work(graph):
        spread = graph.share(table)
        equal(spread, table)
        equal(spread * 2 + np.arange(4), table * 2 + np.arange(4))
        equal(spread[:, 2], table[:, 2])
        equal(spread * graph.share(IDS)[:, None], table * IDS[:, None])
        assert spread.sum() == table.sum() and spread.mean() == pytest.approx(table.mean())
        assert spread[5].tolist() == table[5].tolist() and spread[5, 1] == table[5, 1]
        assert spread[np.array([7, 3]), np.array([1, 0])].tolist() == [table[7, 1], table[3, 0]]
        changed, wanted = spread.copy(), table.copy()
        changed[[5, 9, 5], [0, 1, 3]] = -1
        wanted[[5, 9, 5], [0, 1, 3]] = -1
        changed[:, 2] = graph.xp.arange(N)
        wanted[:, 2] = IDS
        changed[graph.share(IDS % 5 == 0)] = 8
        wanted[IDS % 5 == 0] = 8
        equal(changed, wanted)
        equal(graph.xp.zeros((N, 3), np.int32), np.zeros((N, 3), np.int32))
        equal(graph.xp.asarray(table), table)

    ranks(work)
    ranks(work, (1, 1), distribution="striped")
