"""Graphs from and to graph-tool: with the library if it is there, and with a stand-in."""

from __future__ import annotations

import datetime
import sys
import types

import numpy as np
import pytest

import edgewise as ew
from edgewise import Graph

SCALARS = {"bool": np.uint8, "int16_t": np.int16, "int32_t": np.int32, "int64_t": np.int64,
           "double": np.float64, "long double": np.longdouble}  # fmt: skip


class Map:
    """A property map: an array by index for scalars, Python's values for other types."""

    def __init__(self, kind, count):
        self.kind, self.values = kind, None
        self.array = np.zeros(count, SCALARS[kind]) if kind in SCALARS else None
        if self.array is None:
            start = {"string": "", "object": None, "python::object": None}
            self.values = [start.get(kind, ()) for _ in range(count)]

    def value_type(self):
        return "python::object" if self.kind == "object" else self.kind

    @property
    def a(self):
        return self.array

    @a.setter
    def a(self, values):
        self.array[:] = values

    def __getitem__(self, key):
        return (self.values if self.array is None else self.array)[int(key)]

    def __setitem__(self, key, value):
        if self.kind == "string" and not isinstance(value, str):
            raise TypeError("a string is expected")
        (self.values if self.array is None else self.array)[int(key)] = value


class Edge(tuple):
    """An edge: its ends and its index."""

    def __int__(self):
        return self[2]


class Tool:
    """What the conversions use of ``graph_tool.Graph``, with its orders and types.

    Edges are listed by their sources, and have the index of their insertion.
    """

    def __init__(self, directed=True):
        self.directed, self.count, self.rows, self.ep, self.vp = directed, 0, [], {}, {}
        self.hidden = set()

    def add_vertex(self, count):
        self.count += count

    def add_edge_list(self, rows):
        assert rows.dtype == np.int64 and rows.shape[1] == 2
        self.count = max(self.count, int(rows.max(initial=-1)) + 1)
        self.rows += [Edge((u, v, len(self.rows) + i)) for i, (u, v) in enumerate(rows.tolist())]

    def is_directed(self):
        return self.directed

    @property
    def edge_index(self):
        found = Map("int64_t", len(self.rows))
        found.a = np.arange(len(self.rows))
        return found

    def new_ep(self, kind):
        return Map(kind, len(self.rows))

    def new_vp(self, kind):
        return Map(kind, self.count)

    def edges(self):
        shown = [one for one in self.rows if not {*one[:2]} & self.hidden]
        return iter(sorted(shown, key=lambda one: one[0]))

    def get_vertices(self):
        return np.array([v for v in range(self.count) if v not in self.hidden], np.int64)

    def get_edges(self, eprops):
        rows = [[*one[:2], *(prop[one] for prop in eprops)] for one in self.edges()]
        return np.array(rows, np.int64).reshape(-1, 2 + len(eprops))

    def iter_edges(self, eprops):
        return ([*one[:2], *(prop[one] for prop in eprops)] for one in self.edges())

    def iter_vertices(self, vprops):
        return ([v, *(prop[v] for prop in vprops)] for v in self.get_vertices().tolist())


def hide(graph, vertex):
    """A view without a vertex."""
    if isinstance(graph, Tool):
        graph.hidden = {vertex}
        return graph
    return tool_of_this_machine().GraphView(graph, vfilt=lambda v: int(v) != vertex)


def with_edges(tool, rows, directed):
    made = tool(directed=directed)
    made.add_edge_list(np.array(rows))
    return made


def tool_of_this_machine():
    return pytest.importorskip("graph_tool")


@pytest.fixture(params=["stand-in", "graph-tool"])
def tool(request, monkeypatch):
    if request.param == "graph-tool":
        return tool_of_this_machine().Graph
    module = types.ModuleType("graph_tool")
    module.Graph = Tool
    monkeypatch.setitem(sys.modules, "graph_tool", module)
    return Tool


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("kind", [None, np.int32, np.int64, np.float32, np.float64])
def test_there_and_back(tool, directed, kind):
    rng = np.random.default_rng(3)
    us, vs = rng.integers(0, 30, (2, 90))
    weights = None if kind is None else rng.integers(1, 9, 90).astype(kind)
    graph = Graph.from_edges(us, vs, weights, directed=directed, num_vertices=33)
    made = graph.to_graph_tool()
    assert made.is_directed() == directed and len(made.get_vertices()) == 33
    sources, targets, _ = graph.edges()
    rows = made.get_edges([made.edge_index])
    assert sorted(map(tuple, rows.tolist())) == [
        (u, v, i) for i, (u, v) in enumerate(zip(sources.tolist(), targets.tolist(), strict=True))
    ]
    again = Graph.from_graph_tool(made)
    assert again == graph and again.directed == directed
    assert (again.weights is None) == (kind is None)
    if kind is not None:
        assert made.ep["weight"].value_type() == {
            np.int32: "int32_t", np.int64: "int64_t"}.get(kind, "double")  # fmt: skip
    bare = Graph.from_graph_tool(made, weight=None)
    assert bare.weights is None and bare.num_edges == graph.num_edges
    empty = Graph.from_edges([], [], num_vertices=2, directed=directed)
    assert Graph.from_graph_tool(empty.to_graph_tool()) == empty


DAY = datetime.date(2020, 2, 29)
EDGES = {
    "year": [1999, None, 2010], "km": [1.5, 2.25, None], "small": np.array([1, 2, 3], np.int8),
    "open": [True, False, None], "line": ["x", None, "Köln"], "stops": [["a"], [], None],
    "hops": [[1, 2], [3], []], "gaps": [[1, None], [3], []], "day": [DAY, None, DAY],
}  # fmt: skip
VERTICES = {"age": [31, None, 30, 29], "city": ["Rome", "Oslo", None, ""]}


@pytest.mark.parametrize("directed", [False, True])
def test_columns_both_ways(tool, directed):
    graph = Graph.from_edges(["d", "a", "c"], ["b", "c", "b"], [1.0, 2.0, 4.0], directed=directed)
    graph = graph.with_columns(edges=EDGES, vertices=VERTICES)
    graph = graph.with_columns(
        edges={"kind": graph.columns.edges.column("line").dictionary_encode()}
    )
    made = graph.to_graph_tool()
    kinds = {name: one.value_type() for name, one in made.ep.items()}
    assert kinds == {
        "weight": "double", "year": "int64_t", "missing:year": "bool", "km": "double",
        "missing:km": "bool", "small": "int16_t", "open": "bool", "missing:open": "bool",
        "line": "string", "missing:line": "bool", "stops": "vector<string>",
        "missing:stops": "bool", "hops": "vector<int64_t>", "gaps": "python::object",
        "day": "python::object", "missing:day": "bool", "kind": "string", "missing:kind": "bool",
    }  # fmt: skip
    assert made.ep["year"].a.tolist() == [1999, 0, 2010]
    again = Graph.from_graph_tool(made, edge_columns=True, vertex_columns=True)
    assert again.labels == graph.labels and again.edges()[2].tolist() == graph.edges()[2].tolist()
    assert again.columns.edges.to_pydict() == {
        **EDGES, "small": [1, 2, 3], "kind": EDGES["line"]}  # fmt: skip
    assert again.columns.vertices.to_pydict() == VERTICES
    some = Graph.from_graph_tool(made, edge_columns="day", vertex_columns=["age"], label=None)
    assert some.edges.columns == ("weight", "day") and some.vertices.columns == ("age",)
    assert some.labels is None
    assert Graph.from_graph_tool(made).columns is None
    numbered = graph.with_labels([7, 5, 9, 2]).to_graph_tool()
    assert numbered.vp["label"].value_type() == "int64_t"
    assert Graph.from_graph_tool(numbered).labels.values.tolist() == [7, 5, 9, 2]


@pytest.mark.parametrize("directed", [False, True])
def test_parallel_edges_in_any_order(tool, directed):
    made = with_edges(tool, [(2, 3), (1, 0), (3, 2), (0, 1), (1, 1)], directed=directed)
    made.ep["weight"], made.ep["line"] = made.new_ep("int32_t"), made.new_ep("string")
    made.ep["weight"].a = [1, 2, 4, 8, 16]
    for e in made.edges():
        made.ep["line"][e] = "abcde"[int(made.edge_index[e])]
    graph = Graph.from_graph_tool(made, duplicates="max", edge_columns=True)
    found = {
        (u, v): (w, line)
        for u, v, w, line in zip(
            *map(np.ndarray.tolist, graph.edges()), graph.edges["line"].tolist(), strict=True
        )
    }
    if directed:
        assert found == {(0, 1): (8, "d"), (1, 0): (2, "b"), (1, 1): (16, "e"),
                         (2, 3): (1, "a"), (3, 2): (4, "c")}  # fmt: skip
    else:
        assert {ends: w for ends, (w, _) in found.items()} == {(0, 1): 8, (1, 1): 16, (2, 3): 4}
    with pytest.raises(ValueError, match="twice|more than once|duplicate|parallel|repeat"):
        Graph.from_graph_tool(
            with_edges(tool, [(0, 1), (0, 1)], directed=directed), duplicates="raise"
        )


def test_views_and_other_types(tool):
    made = with_edges(tool, [(0, 2), (2, 3), (1, 3)], directed=False)
    made.vp["size"], made.vp["long"] = made.new_vp("bool"), made.new_vp("long double")
    made.vp["size"].a, made.vp["long"].a = [1, 0, 0, 1], [0.5, 1, 2, 4]
    whole = Graph.from_graph_tool(made, vertex_columns=True)
    assert whole.vertices["size"].tolist() == [True, False, False, True]
    assert whole.vertices["long"].dtype == np.float64
    view = Graph.from_graph_tool(hide(made, 1), vertex_columns=True)
    assert view.labels.values.tolist() == [0, 2, 3] and view.num_edges == 2
    assert view.vertices["long"].tolist() == [0.5, 2, 4]
    last = Graph.from_graph_tool(hide(with_edges(tool, [(0, 1), (1, 2)], directed=True), 2))
    assert last.labels is None and (last.num_vertices, last.num_edges) == (2, 1)


def test_wrong_names(tool):
    graph = Graph.from_edges(["a"], ["b"], [2]).with_columns(vertices={"label": [1, 2]})
    with pytest.raises(ValueError, match="columns must not have the name 'label' of weights or"):
        graph.to_graph_tool()
    made = graph.to_graph_tool(label="name", weight="w")
    assert {*made.ep} == {"w"} and {*made.vp} == {"name", "label"}
    again = Graph.from_graph_tool(made, weight="w", label="name", vertex_columns="label")
    assert again.vertices["label"].tolist() == [1, 2] and again.weights.tolist() == [2, 2]
    assert Graph.from_graph_tool(made).weights is None
    for options in ({"weight": "km"}, {"label": "km"}, {"vertex_columns": ["km"]}):
        with pytest.raises(ValueError, match="must name a? ?property maps?, got 'km'; there are"):
            Graph.from_graph_tool(made, **options)
    with pytest.raises(TypeError, match=r"graph must be a graph_tool\.Graph, got Graph"):
        Graph.from_graph_tool(graph)


def test_without_the_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "graph_tool", None)
    with pytest.raises(ImportError, match="graph-tool is not installed, and not on PyPI"):
        Graph.from_edges([0], [1]).to_graph_tool()


def test_an_algorithm_says_how_to_convert():
    other = type("Graph", (), {"__module__": "graph_tool"})()
    with pytest.raises(TypeError, match=r"edgewise\.Graph\.from_graph_tool\(graph\) makes one"):
        ew.pagerank(other)
