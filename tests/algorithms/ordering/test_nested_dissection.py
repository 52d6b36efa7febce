"""`nested_dissection`: an order of little fill; its separators separate."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sparse
from hypothesis import given, strategies as st
from scipy.sparse.linalg import splu

from edgewise import Trace, generators, observe, ordering, threads
from edgewise.algorithms.ordering.nested_dissection import _components
from edgewise.algorithms.ordering.separators import CUT, separate
from edgewise.base.errors import DeviceError
from edgewise.base.random import hashed
from tests.algorithms.ordering.oracles import GRAPHS, is_order, neighborhoods
from tests.algorithms.samples import graphs, random_graph

pytestmark = pytest.mark.slow  # many kernels; the doctests are in the first tier

MESH = generators.triangular_mesh(40, 40)


def minimum_degree(graph):
    """SuperLU's order by multiple minimum degree."""
    n, (u, v, _) = graph.num_vertices, graph.arcs()
    matrix = sparse.coo_matrix((-np.ones(len(u)), (u, v)), (n, n)) + sparse.diags([99.0] * n)
    return splu(matrix.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
                options={"SymmetricMode": True}).perm_c  # fmt: skip


@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name):
    for leaf in (1, 5, 128):
        assert is_order(GRAPHS[name], ordering.nested_dissection(GRAPHS[name], leaf_size=leaf))


@given(graphs(), st.integers(1, 4), st.integers(0, 9))
def test_any_graph(graph, leaf, seed):
    assert is_order(graph, ordering.nested_dissection(graph, leaf_size=leaf, seed=seed))


@given(graphs(directed=False))
def test_a_leaf_is_ordered_by_minimum_degree(graph):
    """Who goes first has least neighbors, and so on as vertices are eliminated."""
    order = ordering.nested_dissection(graph)
    rows, label = [*map(set, neighborhoods(graph))], _components(graph).of.tolist()
    left = set(range(graph.num_vertices))
    for v in np.argsort(order).tolist():
        assert len(rows[v]) == min(len(rows[u]) for u in left if label[u] == label[v])
        left.remove(v)
        for u in rows[v]:
            rows[u] = (rows[u] | rows[v]) - {u, v}


@pytest.mark.parametrize("graph", [MESH, random_graph(2000, 3000)], ids=["mesh", "random"])
def test_separators_separate(graph):
    parts = _components(graph.without_self_loops())
    chosen = np.diff(parts.bounds) > 50
    side = separate(graph.without_self_loops(), parts, chosen, hashed(0, 0))
    u, v, _ = graph.arcs()
    assert not ((side[u] == 0) & (side[v] == 1)).any()
    assert (side[~chosen[parts.of]] == 0).all()
    for part in np.flatnonzero(chosen):
        counts = np.bincount(side[parts.of == part], minlength=3)
        assert counts[CUT] > 0 and counts.max() < counts.sum()


def test_a_mesh_is_halved_across():
    parts = _components(MESH)
    side = separate(MESH, parts, np.ones(1, bool), hashed(0, 0))
    cut = int((side == CUT).sum())
    assert cut <= 60, "about one of 40 rows"
    assert 0.35 < (side == 0).mean() < 0.6 and 0.35 < (side == 1).mean() < 0.6


def test_fill_of_a_mesh():
    order = ordering.nested_dissection(MESH)
    found = ordering.fill_in(MESH, order)
    assert found < 0.7 * ordering.fill_in(MESH, ordering.reverse_cuthill_mckee(MESH))
    assert found < 1.3 * ordering.fill_in(MESH, minimum_degree(MESH))


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("name", ["4elt.graph.gz", "delaunay_n16.mtx.gz", "copter2.graph.gz"])
def test_fill_of_real_meshes(shared_graphs, name):
    from edgewise import read

    banner = {"format": "edges", "directed": False} if ".mtx" in name else {}
    graph = read(shared_graphs / name, **banner)
    found = ordering.fill_in(graph, ordering.nested_dissection(graph))
    assert found < 0.3 * ordering.fill_in(graph, ordering.reverse_cuthill_mckee(graph))
    assert found < 1.2 * ordering.fill_in(graph, minimum_degree(graph))


def test_equal_for_any_number_of_threads():
    graph = generators.grid_2d(60, 60)
    found = []
    for team in (1, 2, 3):
        with threads(team):
            found.append(ordering.nested_dissection(graph, seed=2).tolist())
    assert found[0] == found[1] == found[2]


def test_observers_hear_of_depths():
    with observe(Trace()) as trace:
        ordering.nested_dissection(MESH)
    told = [row for row in trace.rows if row.get("phase") == "dissect"]
    assert told[0]["parts"] == 1 and told[1]["parts"] >= 2 and len(told) > 3


def test_errors():
    with pytest.raises(ValueError, match="leaf_size must be at least 1, got 0"):
        ordering.nested_dissection(MESH, leaf_size=0)

    class Elsewhere:
        device, engine, one_device = "cuda:0", "local", True

    with pytest.raises(DeviceError, match="nested_dissection needs a graph in host memory"):
        ordering.nested_dissection(Elsewhere())
