"""from_edges against a dict: every choice, every weight type, the same bits on every team."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise.base.threads import threads
from edgewise.graph import Graph, Labels

DTYPES = ("float32", "float64", "int32", "int64")
MERGE = {
    "sum": sum,
    "min": min,
    "max": max,
    "first": lambda values: values[0],
}


def oracle(edges, directed, duplicates, drop, symmetrize):
    """Arc to weight, by a dict of lists; the slow and obvious way."""
    lists: dict[tuple[int, int], list] = {}
    ways: dict[tuple[int, int], set] = {}
    for u, v, w in edges:
        if drop and u == v:
            continue
        key = (u, v) if directed else (min(u, v), max(u, v))
        lists.setdefault(key, []).append(w)
        ways.setdefault(key, set()).add((u, v))
    arcs = {}
    for (u, v), weights in lists.items():
        if symmetrize == "intersection" and u != v and len(ways[u, v]) < 2:
            continue
        arcs[u, v] = MERGE[duplicates](weights)
        if not directed:
            arcs[v, u] = arcs[u, v]
    return arcs


def as_dict(graph):
    sources, targets, weights = graph.arcs()
    weights = [None] * len(sources) if weights is None else weights.tolist()
    pairs = list(zip(sources.tolist(), targets.tolist(), strict=True))
    assert pairs == sorted(set(pairs)), "rows must be sorted, without repeats"
    return dict(zip(pairs, weights, strict=True))


@st.composite
def edge_lists(draw, most=12):
    n = draw(st.integers(1, most))
    end = st.integers(0, n - 1)
    return n, draw(st.lists(st.tuples(end, end, st.integers(-50, 50)), max_size=60))


@given(
    edge_lists(),
    st.booleans(),
    st.sampled_from(list(MERGE)),
    st.booleans(),
    st.sampled_from([None, "union", "intersection"]),
    st.sampled_from(DTYPES),
    st.sampled_from([1, 2, 3]),
)
def test_agrees_with_a_dict(edges, directed, duplicates, drop, symmetrize, dtype, team):
    n, edges = edges
    symmetrize = None if directed else symmetrize
    sources, targets, weights = ([e[i] for e in edges] for i in range(3))
    with threads(team):
        graph = Graph.from_edges(
            np.array(sources, np.int32),
            np.array(targets, np.int32),
            np.array(weights, dtype),
            directed=directed,
            num_vertices=n,
            duplicates=duplicates,
            self_loops="drop" if drop else "keep",
            symmetrize=symmetrize,
        )
        graph.validate()
    assert as_dict(graph) == oracle(edges, directed, duplicates, drop, symmetrize)
    assert graph.num_vertices == n
    assert graph.weights.dtype == dtype
    assert graph.num_self_loops == sum(u == v for u, v in as_dict(graph))


@given(edge_lists(), st.booleans(), st.sampled_from(["union", "intersection"]))
def test_without_weights(edges, directed, symmetrize):
    n, edges = edges
    symmetrize = None if directed else symmetrize
    ends = np.array([e[:2] for e in edges], np.int64).reshape(-1, 2)
    graph = Graph.from_edges(
        ends[:, 0], ends[:, 1], num_vertices=n, directed=directed, symmetrize=symmetrize
    )
    assert graph.weights is None
    assert set(as_dict(graph)) == set(oracle(edges, directed, "first", False, symmetrize))


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_same_bits_for_every_team(directed, weighted):
    rng = np.random.default_rng(3)
    sources = (rng.random(40_000) ** 3 * 5000).astype(np.int32)
    targets = rng.integers(0, 5000, 40_000, dtype=np.int32)
    weights = rng.random(40_000) if weighted else None
    graphs = []
    for team in (1, 2, 3, 5):
        with threads(team):
            graph = Graph.from_edges(sources, targets, weights, directed=directed)
            graphs.append((graph, graph.transposed.arc_ids))
    first, ids = graphs[0]
    first.validate()
    for graph, others in graphs[1:]:
        for name in ("indptr", "indices", "weights"):
            one, other = getattr(first, name), getattr(graph, name)
            assert (one is None and other is None) or one.tobytes() == other.tobytes()
        np.testing.assert_array_equal(ids, others)


def test_one_huge_row():
    star = Graph.from_edges(np.zeros(50_000, np.int32), np.arange(50_000)[::-1], directed=True)
    assert star.degrees()[0] == 50_000
    np.testing.assert_array_equal(star.indices, np.arange(50_000))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "uint32", "uint64", "int64"])
def test_any_integer_type(dtype):
    graph = Graph.from_edges(np.array([0, 3], dtype), np.array([1, 2], np.int32))
    assert graph.indices.dtype == np.int32
    assert graph.edges()[0].tolist() == [0, 2]


@pytest.mark.parametrize(
    ("given_type", "kept"),
    [
        ("bool", "int64"),
        ("int8", "int64"),
        ("uint32", "int64"),
        ("uint64", "int64"),
        ("float16", "float32"),
        ("longdouble", "float64"),
        ("object", "float64"),
        *((name, name) for name in DTYPES),
    ],
)
def test_weight_types(given_type, kept):
    graph = Graph.from_edges([0], [1], np.array([1], given_type), directed=True)
    assert graph.weights.dtype == kept
    assert graph.weights.tolist() == [1]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_nan_and_infinity(dtype):
    ends = [0, 0, 1, 1, 2], [1, 1, 2, 2, 2]
    weights = np.array([1, np.nan, np.inf, 2, -0.0], dtype)
    for duplicates, expected in {
        "sum": [math.nan, math.inf, -0.0],
        "min": [math.nan, 2.0, -0.0],
        "max": [math.nan, math.inf, -0.0],
        "first": [1.0, math.inf, -0.0],
    }.items():
        graph = Graph.from_edges(*ends, weights, directed=True, duplicates=duplicates)
        np.testing.assert_array_equal(graph.weights, expected)
        assert math.copysign(1, graph.weights[2]) == -1


def test_sums_are_taken_in_wide_types():
    graph = Graph.from_edges([0] * 3, [1] * 3, np.array([1, 2**-24, 2**-24], np.float32))
    assert graph.weights[0] == np.float32(1 + 2**-23)


def test_sums_that_overflow():
    with pytest.raises(ValueError, match=r"edge \(0, 1\) has a summed weight beyond int32"):
        Graph.from_edges([0, 0], [1, 1], np.array([2**31 - 1, 1], np.int32))
    with pytest.raises(ValueError, match=r"edge \('a', 'b'\) has a summed weight beyond int64"):
        Graph.from_edges(["a", "a"], ["b", "b"], np.array([-(2**63), -1]))
    fits = Graph.from_edges([0] * 3, [1] * 3, np.array([2**31 - 1, 1, -1], np.int32))
    assert fits.weights[0] == 2**31 - 1


def test_duplicates_error_names_the_first_edge():
    with pytest.raises(ValueError, match=r"edge \(1, 2\) is given more than once"):
        Graph.from_edges([5, 1, 3, 2, 3], [6, 2, 4, 1, 4], duplicates="raise")
    assert Graph.from_edges([1, 2], [2, 1], directed=True, duplicates="raise").num_edges == 2


def test_first_is_first_in_the_input_whatever_the_direction():
    graph = Graph.from_edges([2, 1], [1, 2], [7, 8], duplicates="first")
    assert graph.weights.tolist() == [7, 7]


def test_given_takes_both_directions_as_they_are():
    ends = [0, 1, 1, 2, 2], [1, 0, 2, 1, 2]
    graph = Graph.from_edges(*ends, [3, 3, 4, 4, 5], symmetrize="given")
    assert graph.weights.tolist() == [3, 3, 4, 4, 5]
    assert not graph.directed
    with pytest.raises(ValueError, match="got 1 to 2 but not 2 to 1"):
        Graph.from_edges([0, 1, 1], [1, 0, 2], symmetrize="given")
    with pytest.raises(ValueError, match="equal weights in both directions, got 3 from 0 to 1"):
        Graph.from_edges([0, 1], [1, 0], [3, 4], symmetrize="given")


@pytest.mark.parametrize("directed", [True, False])
def test_nothing_and_one_vertex(directed):
    empty = Graph.from_edges([], [], directed=directed)
    assert (empty.num_vertices, empty.num_edges, empty.transposed.num_arcs) == (0, 0, 0)
    alone = Graph.from_edges([], [], [], num_vertices=3, directed=directed)
    assert (alone.num_vertices, alone.num_edges, alone.weights.dtype) == (3, 0, "float64")
    loop = Graph.from_edges([0], [0], [2.5], directed=directed)
    assert (loop.num_vertices, loop.num_edges, loop.num_arcs) == (1, 1, 1)
    dropped = Graph.from_edges([0], [0], self_loops="drop", directed=directed)
    assert (dropped.num_vertices, dropped.num_edges) == (1, 0)
    for graph in (empty, alone, loop, dropped):
        graph.validate()


def test_inputs_are_left_alone():
    arrays = np.array([3, 0, 1]), np.array([0, 1, 3]), np.array([1.0, 2.0, 3.0])
    for array in arrays:
        array.flags.writeable = False
    graph = Graph.from_edges(*arrays)
    assert graph.num_edges == 3
    assert [a.tolist() for a in arrays] == [[3, 0, 1], [0, 1, 3], [1.0, 2.0, 3.0]]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0, -2], [1, 1]), {}, "sources must not be negative, got -2 at position 1"),
        (([0, 0], [1, 5]), {"num_vertices": 3}, r"targets must be below num_vertices \(3\), got 5"),
        (([0], [1, 2]), {}, "sources and targets must be equally long, got 1 and 2"),
        (([0], [1], [1, 2]), {}, r"weights must have one entry per edge \(1\), got 2"),
        (([[0]], [1]), {}, "one-dimensional"),
        (([0], [1]), {"duplicates": "add"}, "duplicates must be one of 'sum', .*, got 'add'"),
        (([0], [1]), {"self_loops": True}, "self_loops must be one of 'keep', 'drop', got True"),
        (([0], [1]), {"symmetrize": "both"}, "symmetrize must be one of"),
        (([0], [1]), {"symmetrize": "union", "directed": True}, "makes an undirected graph"),
        (([0], [1]), {"num_vertices": -1}, "num_vertices must be at least 0, got -1"),
        (([0], [1]), {"num_vertices": 2**31 + 1}, r"at most 2\*\*31 to build a graph"),
        ((["a"], ["b"]), {"num_vertices": 3}, r"num_vertices must be the number of labels \(2\)"),
        (([0], [1], np.array([2**63], np.uint64)), {}, "weights must fit int64"),
    ],
)
def test_bad_values(arguments, options, message):
    arguments = tuple(np.asarray(a) if isinstance(a[0], list) else a for a in arguments)
    with pytest.raises(ValueError, match=message):
        Graph.from_edges(*arguments, **options)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0], [1], ["heavy"]), {}, "weights must be real numbers"),
        (([0], [1], [1j]), {}, "weights must be real numbers, got dtype complex128"),
        (([1j], [1j]), {}, "sources must be vertex ids or labels, got dtype complex128"),
        (([0.5], [1]), {"labels": False}, "must be integers when labels=False, got dtypes float64"),
        (([0], [1]), {"labels": ["a", "b"]}, "labels must be None, True, False or Labels"),
        ((5, 6), {}, "sources must be an array or a list, got "),
        (([0], [1]), {"num_vertices": 2.0}, "num_vertices must be a whole number, got 2.0"),
    ],
)
def test_bad_types(arguments, options, message):
    arguments = tuple(np.asarray(a) for a in arguments)
    with pytest.raises(TypeError, match=message):
        Graph.from_edges(*arguments, **options)


@pytest.mark.parametrize("last", [900_000, 2_000_000])
def test_integers_are_positions_however_sparse_they_are(last):
    ends = [10, 500_000], [500_000, last]
    assert Graph.from_edges(*ends).num_vertices == last + 1
    assert Graph.from_edges(*ends).labels is None
    assert Graph.from_edges(*ends, labels=True).labels == Labels([10, 500_000, last])


def test_integers_are_labels_if_told_so():
    sparse = [5, 2**40], [2**40, 77]
    graph = Graph.from_edges(*sparse, labels=True)
    assert graph.labels == Labels([5, 77, 2**40])
    assert graph.vertex(2**40) == 2
    with pytest.raises(ValueError, match="ids up to 1099511627776.* labels=True"):
        Graph.from_edges(*sparse)
    assert Graph.from_edges([0], [2**20], num_vertices=2**21).labels is None
    assert Graph.from_edges([-5], [4], labels=True).label([0, 1]).tolist() == [-5, 4]


def test_known_labels_are_looked_up():
    labels = Labels(["c", "b", "a"])
    graph = Graph.from_edges(["a"], ["b"], labels=labels, directed=True)
    assert graph.labels is labels
    assert as_dict(graph) == {(2, 1): None}
    with pytest.raises(ValueError, match="label must be one of the graph's labels, got 'z'"):
        Graph.from_edges(["a"], ["z"], labels=labels)
