"""From and to SciPy, NetworkX, pandas and Arrow: round trips, choices, and what they refuse."""

from __future__ import annotations

import networkx
import numpy as np
import pandas
import pyarrow as pa
import pytest
import scipy.sparse
from hypothesis import given, strategies as st

from edgewise.graph import Graph
from edgewise.graph.edges import Arcs


@st.composite
def graphs(draw):
    n = draw(st.integers(1, 12))
    pairs = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=40))
    ends = np.array(pairs, np.int64).reshape(-1, 2)
    dtype = draw(st.sampled_from(["float32", "float64", "int32", "int64", None]))
    weights = None if dtype is None else np.arange(len(pairs)).astype(dtype)
    directed = draw(st.booleans())
    return Graph.from_edges(ends[:, 0], ends[:, 1], weights, directed=directed, num_vertices=n)


@given(graphs())
def test_scipy_round_trip(graph):
    matrix = graph.to_scipy()
    back = Graph.from_scipy(matrix, directed=graph.directed)
    expected = graph if graph.weights is not None else graph.with_weights(np.ones(graph.num_edges))
    assert back == expected
    for format in ("coo", "csc", "lil", "dok"):
        if graph.weights is None or (graph.weights != 0).all():  # these two drop zeros
            assert Graph.from_scipy(matrix.asformat(format), directed=graph.directed) == expected
    twin = networkx.to_scipy_sparse_array(graph.to_networkx(), nodelist=range(graph.num_vertices))
    assert (abs(twin - matrix) > 0).nnz == 0


def test_scipy_arrays_are_shared():
    matrix = scipy.sparse.csr_array(np.array([[0, 1.5], [1.5, 0]]))
    graph = Graph.from_scipy(matrix)
    assert np.shares_memory(graph.indices, matrix.indices)
    assert np.shares_memory(graph.weights, matrix.data)
    assert np.shares_memory(graph.to_scipy().data, graph.weights)
    assert np.shares_memory(graph.to_scipy().indices, graph.indices)
    assert (graph.to_scipy() @ np.ones(2)).tolist() == [1.5, 1.5]


def test_scipy_choices():
    matrix = scipy.sparse.csr_array(np.array([[0, 2, 0], [3, 0, 4], [0, 0, 0]]))
    with pytest.raises(ValueError, match="got 1 to 2 but not 2 to 1"):
        Graph.from_scipy(matrix)
    assert Graph.from_scipy(matrix, symmetrize="union").edges()[2].tolist() == [5, 4]
    assert Graph.from_scipy(matrix, symmetrize="intersection").edges()[2].tolist() == [5]
    assert Graph.from_scipy(matrix, directed=True).num_edges == 3
    assert Graph.from_scipy(matrix != 0, directed=True).weights is None
    named = Graph.from_scipy(matrix, directed=True, labels=["a", "b", "c"])
    assert named.vertex("c") == 2
    twice = scipy.sparse.coo_array(([1, 2, 3], ([0, 0, 1], [1, 1, 0])), (2, 2))
    assert Graph.from_scipy(twice).weights.tolist() == [3, 3]
    assert Graph.from_scipy(twice, directed=True, duplicates="max").weights.tolist() == [2, 3]
    with pytest.raises(ValueError, match=r"matrix must be square, got shape \(2, 3\)"):
        Graph.from_scipy(scipy.sparse.csr_array((2, 3)))
    with pytest.raises(TypeError, match="matrix must be a SciPy sparse array, got ndarray"):
        Graph.from_scipy(np.eye(2))
    for form in (matrix, matrix.tocoo()):
        with pytest.raises(ValueError, match="symmetrize"):
            Graph.from_scipy(form, directed=True, symmetrize="given")


def test_unsorted_scipy_rows_are_sorted_and_the_matrix_left_alone():
    matrix = scipy.sparse.csr_array(([1.0, 2.0], [1, 0], [0, 2, 2]), shape=(2, 2))
    graph = Graph.from_scipy(matrix, directed=True)
    assert graph.indices.tolist() == [0, 1]
    assert matrix.indices.tolist() == [1, 0]


@given(graphs())
def test_networkx_round_trip(graph):
    back = Graph.from_networkx(graph.to_networkx())
    if graph.weights is not None and graph.num_edges:
        wide = "float64" if graph.weights.dtype.kind == "f" else "int64"
        assert back == graph.with_weights(Arcs(graph.weights.astype(wide)))
    else:
        assert back == graph.with_weights(None)


def test_networkx_nodes():
    twin = networkx.Graph([("b", "a"), ("a", (1, 2))])
    twin.add_node("alone")
    graph = Graph.from_networkx(twin)
    assert graph.labels.values.tolist() == ["b", "a", (1, 2), "alone"]
    assert graph.degrees().tolist() == [1, 2, 1, 0]
    assert networkx.utils.graphs_equal(graph.to_networkx(), twin)
    shuffled = networkx.Graph([(2, 0), (0, 1)])
    assert Graph.from_networkx(shuffled).labels is None
    assert Graph.from_networkx(shuffled).neighbors(0).tolist() == [1, 2]
    assert Graph.from_networkx(networkx.Graph([(1, 2)])).labels.values.tolist() == [1, 2]
    assert Graph.from_networkx(networkx.DiGraph([(1, 0)])).edges()[0].tolist() == [1]


def test_networkx_weights():
    twin = networkx.Graph()
    twin.add_edge(0, 1, weight=2.5, length=7)
    twin.add_edge(1, 2, length=8)
    assert Graph.from_networkx(twin).edges()[2].tolist() == [2.5, 1.0]
    assert Graph.from_networkx(twin, weight="length").edges()[2].tolist() == [7, 8]
    assert Graph.from_networkx(twin, weight="absent").weights is None
    assert Graph.from_networkx(twin, weight=None).weights is None
    twin.edges[0, 1]["weight"] = "heavy"
    with pytest.raises(TypeError, match="weight must be real numbers"):
        Graph.from_networkx(twin)
    renamed = Graph.from_networkx(twin, weight="length").to_networkx(weight="km")
    assert renamed.edges[0, 1] == {"km": 7}


def test_networkx_multigraphs():
    twin = networkx.MultiGraph()
    twin.add_edge(0, 1, weight=1)
    twin.add_edge(1, 0, weight=5)
    assert Graph.from_networkx(twin).weights.tolist() == [6, 6]
    assert Graph.from_networkx(twin, duplicates="max").weights.tolist() == [5, 5]
    assert Graph.from_networkx(twin, duplicates="first").weights.tolist() == [1, 1]
    with pytest.raises(ValueError, match=r"edge \(0, 1\) is given more than once"):
        Graph.from_networkx(twin, duplicates="raise")
    arrows = networkx.MultiDiGraph([(0, 1), (0, 1), (1, 0)])
    assert Graph.from_networkx(arrows).num_edges == 2


@given(graphs())
def test_table_round_trips(graph):
    options = {"directed": graph.directed, "num_vertices": graph.num_vertices}
    frame, table = graph.to_pandas(), graph.to_arrow()
    assert len(frame) == table.num_rows == graph.num_edges
    assert Graph.from_pandas(frame, **options) == graph
    assert Graph.from_arrow(table, **options) == graph


@pytest.mark.parametrize("dtype", ["object", "str", "string", "category", "string[pyarrow]"])
def test_pandas_strings(dtype):
    frame = pandas.DataFrame({"from": ["b", "a"], "to": ["c", "b"], "km": [1.5, 2.5]})
    frame[["from", "to"]] = frame[["from", "to"]].astype(dtype)
    graph = Graph.from_pandas(frame, source="from", target="to", weight="km")
    assert graph.labels.values.tolist() == ["a", "b", "c"]
    assert graph.to_pandas()["source"].tolist() == ["a", "b"]
    assert graph.edges()[2].tolist() == [2.5, 1.5]


def test_columns():
    frame = pandas.DataFrame({"source": [0], "target": [1], "weight": [2]})
    assert Graph.from_pandas(frame).weights.tolist() == [2, 2]
    assert Graph.from_pandas(frame, weight=None).weights is None
    assert Graph.from_pandas(frame.drop(columns="weight")).weights is None
    with pytest.raises(ValueError, match="must be a column 'km', got 'source', 'target', 'weight'"):
        Graph.from_pandas(frame, weight="km")
    with pytest.raises(
        ValueError, match="'from', got .*; choose others by source=, target= and weight="
    ):
        Graph.from_arrow(pa.Table.from_pandas(frame), source="from")
    assert Graph.from_pandas(frame).to_pandas(weight="km").columns.tolist()[-1] == "km"
    with pytest.raises(TypeError, match="undirected"):
        Graph.from_pandas(frame, undirected=True)


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())]
)
def test_arrow_strings(kind):
    table = pa.table({"source": pa.array(["b", "a"], kind), "target": pa.array(["c", "b"], kind)})
    graph = Graph.from_arrow(table)
    assert graph.labels.values.tolist() == ["a", "b", "c"]
    assert graph.to_arrow().column("target").to_pylist() == ["b", "c"]
    batch = table.to_batches()[0]
    assert Graph.from_arrow(batch) == graph


def test_arrow_integers_and_missing_values():
    table = pa.table({"source": pa.chunked_array([[0], [1]]), "target": [1, None]})
    with pytest.raises(ValueError, match="column 'target' must not have missing values.*row 1"):
        Graph.from_arrow(table)
    small = pa.table(
        {"source": pa.array([0, 1], pa.uint8()), "target": pa.array([1, 2], pa.int32())}
    )
    assert Graph.from_arrow(small).num_edges == 2
    frame = pandas.DataFrame({"source": ["a", None], "target": ["b", "c"]})
    with pytest.raises(ValueError, match="missing"):
        Graph.from_pandas(frame)


def test_tables_without_titles_are_read_by_their_first_two_columns():
    frame = pandas.DataFrame({"who": ["a", "b"], "whom": ["b", "c"], "n": [1, 2]})
    wanted = Graph.from_edges(["a", "b"], ["b", "c"])
    assert Graph.from_pandas(frame) == wanted
    assert Graph.from_arrow(pa.table(frame)) == wanted
    assert Graph.from_pandas(frame, weight="n").weights is not None
    assert Graph.from_pandas(frame[["n", "who", "whom"]], source="who", target="whom") == wanted
    titled = pandas.DataFrame({"date": [1, 2], "From": ["a", "b"], "To": ["b", "c"]})
    assert Graph.from_pandas(titled) == wanted
    numbers = pandas.DataFrame(np.array([[0, 1], [1, 2]]))
    assert Graph.from_pandas(numbers).num_edges == 2
    with pytest.raises(ValueError, match="columns of sources and targets, got"):
        Graph.from_pandas(frame[["who"]])


class Frame:
    """A data frame of another library: all that is known is that it gives a stream of Arrow's."""

    def __init__(self, table):
        self.table, self.columns = table, table.column_names

    def __arrow_c_stream__(self, schema=None):
        return self.table.__arrow_c_stream__(schema)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_whatever_gives_a_stream_of_arrow(kind):
    ends = [pa.array(column, kind) for column in (["a", "b"], ["b", "c"])]
    frame = Frame(pa.table({"source": ends[0], "target": ends[1]}))
    wanted = Graph.from_edges(["a", "b"], ["b", "c"])
    assert Graph.from_arrow(frame) == Graph.from_polars(frame) == wanted
    with pytest.raises(TypeError, match="table must be an Arrow table or have __arrow_c_stream__"):
        Graph.from_arrow([1, 2])


_NODES = {
    "ids": list,
    "negative": lambda n: [-1, *n[1:]],
    "strings": lambda n: [*map(str, n)],
    "huge": lambda n: [2**70, *n[1:]],
    "NumPy": lambda n: [np.int64(v) for v in n],
    "booleans": lambda n: [False, *n[1:]],
}
_KINDS = [networkx.Graph, networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph]


@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize("nodes", _NODES.values(), ids=_NODES)
def test_networkx_edges_are_those_of_its_iterator(kind, nodes):
    """Loops, parallel edges, nodes in any order, edges without the attribute."""
    draw = np.random.default_rng(7)
    names = nodes([*range(12)])
    twin = kind()
    twin.add_nodes_from(names[v] for v in draw.permutation(12))
    for u, v in draw.integers(0, 12, (40, 2)).tolist():
        twin.add_edge(names[u], names[v], **({"weight": u + v} if v % 3 else {}))
    graph = Graph.from_networkx(twin)
    label = (lambda v: v) if graph.labels is None else graph.label
    total: dict = {}
    for u, v, w in twin.edges(data="weight", default=1):
        pair = (u, v) if twin.is_directed() else frozenset((u, v))
        total[pair] = total.get(pair, 0) + w
    found = {}
    for u, v, w in zip(*(one.tolist() for one in graph.edges()), strict=True):
        pair = (label(u), label(v))
        found[pair if twin.is_directed() else frozenset(pair)] = w
    assert found == total
    assert (graph.labels is None) == (nodes([*range(12)]) == [*range(12)] and names[0] is not False)
    part = Graph.from_networkx(twin.subgraph(names[:7]))
    assert part.num_vertices == 7
    assert part.num_edges == Graph.from_networkx(kind(twin.subgraph(names[:7]))).num_edges


def test_columns_do_not_replace_labels_or_weights():
    graph = Graph.from_edges(["ROM"], ["OSL"], [2.5])
    graph = graph.with_columns(vertices={"name": ["Gardermoen", None]}, edges={"km": [2004]})
    with pytest.raises(ValueError, match="'name', which label= names too: choose another label"):
        graph.to_igraph()
    again = Graph.from_igraph(graph.to_igraph(label="code"), label="code", vertex_columns=True)
    assert again.labels == graph.labels and again.vertices["name"].tolist() == ["Gardermoen", None]
    for convert in (graph.to_igraph, graph.to_networkx, graph.to_pandas, graph.to_arrow):
        with pytest.raises(ValueError, match="'km', which weight= names too"):
            convert(weight="km")
    found = graph.with_columns(edges={"source": ["x"]}).to_pandas(source="from", target="to")
    assert found.columns.tolist() == ["from", "to", "weight", "km", "source"]
