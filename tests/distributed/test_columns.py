"""Columns on a grid: distributed with the arcs, through transformations, as weights, and back."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import edgewise as ew
from edgewise.distributed import Grid, distribute, read
from edgewise.distributed.arrays import ArcArray
from edgewise.distributed.comm import RankError
from edgewise.distributed.cut import Cut
from edgewise.distributed.output import collect
from edgewise.distributed.rank_threads import run_threads
from edgewise.graph import Graph
from edgewise.graph.subgraphs import named_part, only_edges
from tests.tiers import later

SHAPES = pytest.mark.parametrize("shape", [(2, 3), later((1, 1)), later((2, 2))])


def sample(directed):
    rng = np.random.default_rng(3)
    us, vs = rng.integers(0, 40, (2, 150))
    graph = Graph.from_edges(us, vs, directed=directed, num_vertices=43)
    m, n = graph.num_edges, graph.num_vertices
    return graph.with_columns(
        edges={"km": rng.integers(1, 9, m), "line": [f"line {i % 7}" * (i % 3) for i in range(m)],
               "gap": [None if i % 4 else i for i in range(m)],
               "kind": pa.array([["a", "b", None][i % 3] for i in range(m)]).dictionary_encode()},
        vertices={"name": [f"v{i}" for i in range(n)], "age": np.arange(n) % 50},
    )  # fmt: skip


def lists(graph):
    return [None if table is None else table.to_pydict() for table in graph.columns]


def on_grid(work, shape, graph, *, distribution="random"):
    def program(comm):
        return work(distribute(graph, grid=Grid(comm, shape), distribution=distribution, seed=5))

    return run_threads(program, shape[0] * shape[1])


@SHAPES
@pytest.mark.parametrize("directed", [False, True])
def test_there_and_back(shape, directed):
    graph = sample(directed)

    def work(grid_graph):
        assert grid_graph.edges.columns == ("km", "line", "gap", "kind")
        assert "age" in grid_graph.vertices and "gone" not in grid_graph.vertices
        table = grid_graph.columns.edges
        assert table.num_rows == grid_graph.block.num_arcs
        assert grid_graph.vertices["age"].gather().tolist() == graph.vertices["age"].tolist()
        assert grid_graph.edges["gap"].dtype == np.float64
        with pytest.raises(TypeError, match="'line' holds string, and arrays on a grid hold"):
            grid_graph.edges["line"]
        with pytest.raises(KeyError, match="no column 'gone' of edges; there are: 'km'"):
            grid_graph.edges["gone"]
        with pytest.raises(AttributeError, match="cannot list its edges"):
            grid_graph.edges()
        return collect((grid_graph, grid_graph.edges["km"]))

    (whole, km), *others = on_grid(work, shape, graph)
    assert lists(whole) == lists(graph) and km.tolist() == graph.edges["km"].tolist()
    assert all(one == (None, None) for one in others)
    cut = Cut(graph, shape, distribution="block")
    whole, *_ = run_threads(lambda comm: collect(cut.block(Grid(comm, shape))),
                            shape[0] * shape[1])  # fmt: skip
    assert lists(whole) == lists(graph)


@SHAPES
@pytest.mark.parametrize("directed", [False, True])
def test_transformations_take_columns_along(shape, directed):
    graph = sample(directed)

    def work(one):
        small = one.vertices["age"] % 3 != 1
        made = [
            one.without_self_loops(),
            one.with_weights(None),
            only_edges(one, one.edges["km"] > 4) if one.directed else one,
            one.to_undirected(),
            named_part(one, small),
        ]
        return [collect(each) for each in made]

    found, *_ = on_grid(work, shape, graph)
    far = graph.where(edges=graph.edges["km"] > 4) if directed else graph
    expected = [graph.without_self_loops(), graph, far, graph.to_undirected(),
                graph.subgraph(graph.vertices["age"] % 3 != 1)]  # fmt: skip
    for mine, theirs in zip(found, expected, strict=True):
        assert lists(mine) == lists(theirs)


@SHAPES
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("named", [False, True])
def test_where_takes_masks_over_columns(shape, directed, named):
    graph = sample(directed)
    graph = graph.with_labels([f"v{i}" for i in range(43)]) if named else graph

    def parts(one):
        far, old = one.edges["km"] > 4, one.vertices["age"] % 3 != 1
        return [one.where(edges=far), one.where(vertices=old), one.where(edges=far, vertices=old),
                one.where(), one.where(edges=one.edges["gap"] > 60)]  # fmt: skip

    found, *_ = on_grid(lambda one: [collect(part) for part in parts(one)], shape, graph)
    for mine, theirs in zip(found, parts(graph), strict=True):
        assert mine == theirs and lists(mine) == lists(theirs)


def test_masks_that_where_refuses_on_a_grid():
    graph = sample(False)

    def work(one):
        with pytest.raises(TypeError, match="edges must be a boolean array over arcs of the"):
            one.where(edges=one.edges["km"])
        with pytest.raises(TypeError, match="vertices must be a boolean array over vertices of"):
            one.where(vertices=np.ones(43, bool))
        with pytest.raises(ValueError, match="the same value in both directions of an edge"):
            one.where(edges=ArcArray(one, one.row_of_arcs() < one.block.indices))

    on_grid(work, (2, 2), graph)


@SHAPES
@pytest.mark.parametrize("directed", [False, True])
def test_weights_by_name(shape, directed):
    graph = sample(directed)

    def work(one):
        found = ew.sssp(one, 0, weights="km").distance.gather()
        rank = ew.pagerank(one, weights="km").gather()
        with pytest.raises(ValueError, match="weights must name a column of the graph, got 'no'"):
            ew.sssp(one, 0, weights="no")
        with pytest.raises((TypeError, RankError), match="must name a column of numbers"):
            ew.sssp(one, 0, weights="line")
        with pytest.raises((ValueError, RankError), match="without missing values"):
            ew.sssp(one, 0, weights="gap")
        return found, rank

    distance, rank = on_grid(work, shape, graph)[-1]
    assert distance.tolist() == ew.sssp(graph, 0, weights="km").distance.tolist()
    np.testing.assert_allclose(rank, ew.pagerank(graph, weights="km"), rtol=1e-6)


@SHAPES
@pytest.mark.parametrize("directed", [False, True])
def test_ew_files(tmp_path, shape, directed):
    path, graph = tmp_path / "graph.ew", sample(directed)
    graph = graph.with_weights(graph.edges["km"] * 0.5)
    ew.write(graph, path)

    def program(comm):
        return collect(read(path, grid=Grid(comm, shape)))

    whole, *_ = run_threads(program, shape[0] * shape[1])
    assert lists(whole) == lists(graph) and whole.weights.tolist() == graph.weights.tolist()


def test_other_files_have_no_columns_on_a_grid(tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("source target km\n0 1 5\n")

    def program(comm):
        return read(path, grid=Grid(comm), edge_columns=["km"])

    with pytest.raises(RankError, match=r"a grid reads columns of \.ew, Parquet and CSV"):
        run_threads(program, 2)


def test_contract_on_a_grid_refuses_rules_of_columns():
    def work(one):
        return one.contract(one.vertices["age"] % 4, edge_columns={"km": "sum"})

    with pytest.raises((ValueError, RankError), match="contract with columns"):
        on_grid(work, (2, 2), sample(False))
