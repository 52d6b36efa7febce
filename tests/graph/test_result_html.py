"""What notebooks show of graphs and results: every fact there, and all text escaped."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import NamedTuple

import numpy as np
import pytest

import edgewise as ew
from edgewise.algorithms import ALGORITHMS
from edgewise.algorithms.partition import Partition
from edgewise.graph.foreign import takes_graph


class Cells(HTMLParser):
    """The rows of a table as a dict, and the titles of bars; every element is closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.rows, self.titles, self._cells = [], {}, [], []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        if tag == "tr":
            self._cells = ["", ""]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        if tag == "tr":
            self.rows[self._cells[0]] = self._cells[1].strip()

    def handle_data(self, data):
        if "title" in self.open:
            self.titles.append(data)
        elif "th" in self.open or "td" in self.open:
            self._cells["td" in self.open] += data


def test_a_graph_shows_sizes_degrees_labels_columns_and_memory():
    graph = ew.Graph.from_edges(["<a>", "b", "b"], ["b", "c", "d"], [1.5, 2.5, 3.5])
    graph = graph.with_columns(edges={"<year>": [1, 2, 3]}, vertices={"age": [1, 2, 3, 4]})
    text = graph._repr_html_()
    found = Cells(text)
    assert "<a>" not in text and "<year>" not in text
    assert found.rows["vertices"] == "4" and found.rows["edges"] == "3"
    assert found.rows["degrees"] == "1 to 3, mean 1.5"
    assert found.titles == ["degree 1: 3 vertices", "degree 2 to 3: 1 vertices"]
    assert found.rows["weights"] == "float64, 1.5 to 3.5"
    assert found.rows["labels"] == "<a>, b, c, ..."
    assert found.rows["columns of edges"] == "<year> (int64)"
    assert found.rows["columns of vertices"] == "age (int64)"
    assert found.rows["memory"].endswith("on cpu")


@pytest.mark.parametrize("directed", [False, True])
def test_graphs_without_anything(directed):
    for n in (0, 1):
        graph = ew.Graph.from_edges([], [], directed=directed, num_vertices=n)
        assert Cells(graph._repr_html_()).rows["vertices"] == str(n)


def test_communities_show_their_sizes_and_quality():
    graph = ew.Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    found = Cells(ew.communities.louvain(graph)._repr_html_())
    assert found.rows == {"vertices": "6", "communities": "2", "sizes": "3 to 3, mean 3",
                          "largest": "3, 3", "modularity": "0.3571"}  # fmt: skip
    components = Cells(ew.connected_components(graph)._repr_html_())
    assert components.rows["components"] == "1" and "modularity" not in components.rows


def test_partitions_of_many_groups_and_none():
    found = Cells(Partition(np.arange(1000))._repr_html_())
    assert found.rows["largest"] == "1, 1, 1, 1, 1, 1, 1, 1, ..."
    assert Cells(Partition(np.zeros(0, int))._repr_html_()).rows["groups"] == "0"
    assert Partition([0, 0, 1, 1]).view()[None] is not None
    assert np.asarray(Partition([0, 1])).ndim == 1


def test_paths_show_what_was_reached():
    found = Cells(ew.bfs(ew.Graph.from_edges([0, 1, 3], [1, 2, 4]), 0)._repr_html_())
    assert found.rows[""] == "3 of 5 vertices reached, the farthest at distance 2"
    assert found.rows["distance"].endswith("0 to 2, mean 1, 2 without a value")
    assert found.titles[:3] == ["0: 1", "1: 1", "2: 1"]


class Odd(NamedTuple):
    text: str
    number: float
    count: int
    missing: None
    flags: np.ndarray
    infinite: np.ndarray
    table: np.ndarray
    empty: np.ndarray
    wide: np.ndarray


def test_fields_of_every_kind():
    @takes_graph
    def odd(graph) -> Odd:
        return Odd("<b>", 0.5, 12345, None, np.array([True]), np.array([np.inf]), np.eye(2),
                   np.array([]), np.arange(1000.0))  # fmt: skip

    # an annotation may be the class itself, or its name in the module
    found = Cells(odd(ew.generators.cycle(3))._repr_html_())
    assert found.rows["text"] == "<b>" and found.rows["count"] == "12,345"
    assert found.rows["flags"] == "1 bool" and found.rows["infinite"] == "1 float64"
    assert found.rows["table"] == "2 x 2 float64, 0 to 1, mean 0.5"
    assert found.rows["empty"] == "0 float64" and found.rows["missing"] == "None"
    assert len(found.titles) == 24


def test_every_named_tuple_of_an_algorithm_shows_itself():
    import importlib
    import inspect

    for row in ALGORITHMS.values():
        module = importlib.import_module(f"edgewise.algorithms.{row.module}")
        name = str(inspect.signature(row.load()).return_annotation)
        kind = getattr(module, name, None)
        if hasattr(kind, "_fields"):
            assert hasattr(kind, "_repr_html_"), f"{row.name} returns {name}"


def test_the_memory_of_columns():
    graph = ew.generators.cycle(1000)
    assert "memory of columns" not in Cells(graph._repr_html_()).rows
    more = graph.with_columns(edges={"km": np.arange(1000.0)}, vertices={"age": np.arange(1000)})
    rows = Cells(more._repr_html_()).rows
    assert rows["memory of columns"] == "16 kB on cpu" and more.nbytes == graph.nbytes
    assert rows["memory"] == Cells(graph._repr_html_()).rows["memory"]
