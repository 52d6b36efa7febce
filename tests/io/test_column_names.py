"""Columns with any name come back, or a ValueError names them; nothing is lost in silence."""

from __future__ import annotations

import os
import warnings

import pytest
from hypothesis import example, given, settings, strategies as st

import edgewise as ew
from edgewise import Graph

TABLES = [".parquet", ".arrow", ".feather", ".csv"]
FORMATS = [".ew", *TABLES, ".graphml", ".gexf", ".gml", ".dot", ".net", ".gt"]
AWKWARD = [
    "", " ", "  x", "\t", "\n", "\x01", "#c", "0", "ID", "KEY", "Label", "Source", "Type", "Weight",
    "a b", "a,b", "attvalues", "directed", "dst", "edge", "end", "f0", "for", "from", "graphics",
    "graphics.x", "id", "id_2", "inf", "key", "l;m", "label", "missing:x", "name", "networkx_key",
    "node", "parents", "pid", 'q"x', "relation", "shape", "slices", "source", "spells", "src",
    "start", "target", "times", "to", "type", "u", "v", "value", "vertex", "viz", "weight", "x",
    "x'y", "y", "__i", "ä", "\U0001f600",
]  # fmt: skip
VALUES = {
    "whole": [5, 6, None, 8], "number": [0.5, 1.5, 2.5, None], "text": ["p", None, "q r", '"s"'],
    "truth": [True, False, None, True],
}  # fmt: skip
NAMES = st.sampled_from(AWKWARD) | st.text(
    st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4
)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    """Hundreds of files need not reach the disk."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.mark.parametrize("suffix", FORMATS)
@settings(max_examples=60, deadline=None)
@given(
    st.lists(NAMES, min_size=1, max_size=3, unique=True),
    st.lists(NAMES, min_size=1, max_size=3, unique=True),
    st.sampled_from([*VALUES]), st.booleans(), st.booleans(), st.booleans(),
)  # fmt: skip
@example(["id", "key", "type"], ["id", "label", "key"], "whole", False, False, False)
@example(["id", "id_2"], ["year", "viz"], "text", True, True, True)
@example(["start", "end"], ["start", "id"], "truth", False, True, True)
@example(["source", "Weight"], [""], "whole", False, False, True)
@example(["year"], ["Year"], "number", False, True, False)
def test_any_name(tmp_path_factory, suffix, of_edges, of_nodes, kind, directed, weighted, labeled):
    path = tmp_path_factory.getbasetemp() / f"names{suffix}"
    ends = (["b", "c", "d"], ["a", "b", "c"]) if labeled else ([0, 1, 2], [1, 2, 3])
    graph = Graph.from_edges(*ends, [0.5, 2, 4] if weighted else None, directed=directed)
    values, edges = VALUES[kind], [name for name in of_edges if name != "weight"]
    graph = graph.with_columns(
        edges=dict.fromkeys(edges, values[1:]), vertices=dict.fromkeys(of_nodes, values)
    )
    wanted = {} if suffix == ".ew" else {"edge_columns": True}
    if suffix not in (".ew", *TABLES):
        wanted["vertex_columns"] = True
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            ew.write(graph, path)
        except ValueError as error:
            assert suffix in TABLES
            assert any(repr(name) in str(error) for name in (*of_edges, *of_nodes))
            return
    told = " and ".join(str(one.message) for one in caught)
    again = ew.read(path, **wanted)
    assert lists(again, "edges") == lists(graph, "edges")
    if suffix not in TABLES:
        assert lists(again, "vertices") == lists(graph, "vertices")
    assert again.directed == graph.directed or "direction" in told
    assert (again.weights is None) == (graph.weights is None)
    assert again.num_edges == 3 and again.num_vertices == 4
    assert (again.labels is None) == (graph.labels is None)


@pytest.mark.parametrize("suffix", [".ew", ".parquet", ".graphml", ".gexf", ".gml", ".dot", ".net",
                                    ".gt"])  # fmt: skip
@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), min_size=2,
                max_size=2))  # fmt: skip
@example(["\x01", ""])
def test_any_text(tmp_path_factory, suffix, texts):
    path = tmp_path_factory.getbasetemp() / f"texts{suffix}"
    graph = Graph.from_edges(["b", "c"], ["a", "b"]).with_columns(edges={"said": texts})
    try:
        ew.write(graph, path)
    except ValueError as error:
        assert suffix in (".graphml", ".gexf") and "'said'" in str(error)
        return
    again = ew.read(path, **({} if suffix == ".ew" else {"edge_columns": True}))
    if suffix == ".graphml":  # XML has one line end
        texts = [one.replace("\r\n", "\n").replace("\r", "\n") for one in texts]
    assert lists(again, "edges") == {"said": texts}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(NAMES, min_size=1, max_size=3, unique=True),
    st.lists(NAMES, min_size=1, max_size=3, unique=True), st.booleans(),
)  # fmt: skip
@example(["a\0b"], ["\0"], False)
@pytest.mark.parametrize("to", ["pandas", "arrow", "polars", "igraph", "networkx"])
def test_frames_and_graphs_of_others(to, of_edges, of_nodes, weighted):
    """The same for `to_pandas` and its siblings."""
    pytest.importorskip(to if to != "arrow" else "pyarrow")
    if to == "polars":  # which calls it column_0
        of_edges = [name or "empty" for name in of_edges]
    graph = Graph.from_edges(["b", "c"], ["a", "b"], [1.5, 2.5] if weighted else None)
    edges = dict.fromkeys([name for name in of_edges if name != "weight"], [5, 6])
    graph = graph.with_columns(edges=edges, vertices=dict.fromkeys(of_nodes, ["p", "q", "r"]))
    more = {"vertex_columns": True} if to in ("igraph", "networkx") else {}
    try:
        made = getattr(graph, f"to_{to}")()
    except ValueError as error:
        assert any(repr(name) in str(error) for name in (*edges, *of_nodes))
        taken = {*edges, *of_nodes} & {"source", "target", "name"}
        assert taken or (to == "polars" and any("\0" in name for name in edges))
        return
    again = getattr(Graph, f"from_{to}")(made, edge_columns=True, **more)
    assert lists(again, "edges") == lists(graph, "edges")
    assert again.labels.values.tolist() == graph.labels.values.tolist()
    assert (again.weights is None) == (graph.weights is None)
    if more:
        assert lists(again, "vertices") == lists(graph, "vertices")


def test_names_with_null_characters_are_refused_where_they_would_be_cut_off():
    """Arrow's interface ends names there: Polars ends the process, pandas loses letters."""
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    graph = Graph.from_edges([0], [1]).with_columns(vertices={"a\0b": [5, 6]})
    for frame in (pandas.DataFrame({"a\0b": [1]}), polars.DataFrame({"a\0b": [1]})):
        with pytest.raises(ValueError, match=r"column 'a\\x00b' cannot pass"):
            graph.with_columns(edges=frame)
    with pytest.raises(ValueError, match=r"column 'a\\x00b' cannot pass"):
        graph.vertex_table(rank=[1, 2], frame="polars")
    with pytest.raises(ValueError, match=r"column 'a\\x00b' cannot pass"):
        Graph.from_polars(polars.DataFrame({"source": [0], "target": [1], "a\0b": [2]}))
    assert graph.vertex_table(rank=[1, 2])["a\0b"].tolist() == [5, 6]


def lists(graph, part):
    table = None if graph.columns is None else getattr(graph.columns, part)
    return {} if table is None else {one: table.column(one).to_pylist() for one in
                                     table.column_names}  # fmt: skip
