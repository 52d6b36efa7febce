"""`Communities` and `Components`: arrays for all that takes arrays, with more to ask."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import numba
import numpy as np
import pandas as pd
import pytest

import edgewise as ew
from edgewise import Graph, generators
from edgewise.communities import (
    Communities,
    ecg,
    infomap,
    label_propagation,
    leiden,
    louvain,
    modularity,
)
from tests.algorithms.samples import random_graph

METHODS = [louvain, leiden, ecg, infomap, label_propagation]
SIDES = [0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5]


@pytest.fixture
def found() -> Communities:
    return louvain(Graph.from_edges(*SIDES))


@pytest.mark.parametrize("method", METHODS)
def test_every_method_gives_communities(method):
    graph = generators.planted_partition(6, 20, p_in=0.5, p_out=0.01, seed=1).graph
    found = method(graph)
    assert type(found) is Communities and isinstance(found, np.ndarray)
    assert type(found.labels) is np.ndarray and found.labels.tolist() == found.tolist()
    assert found.num_communities == len(np.unique(found)) == len(found.groups())
    assert found.modularity == modularity(graph, found)
    assert method(Graph.from_edges([], [])).num_communities == 0


def test_sizes_and_groups(found):
    assert found.sizes().tolist() == [3, 3]
    assert [group.tolist() for group in found.groups()] == [[0, 1, 2], [3, 4, 5]]
    graph = random_graph(300, 700)
    found = louvain(graph)
    for size, group in zip(found.sizes(), found.groups(), strict=True):
        assert len(group) == size and (found[group] == group[0]).all()
    assert sorted(np.concatenate(found.groups())) == list(range(300))


def test_modularity_is_by_the_weights_given():
    graph = Graph.from_edges(*SIDES, np.arange(1.0, 8.0))
    light = np.linspace(2, 1, graph.num_edges)
    for options in ({}, {"weights": None}, {"weights": light}):
        found = louvain(graph, resolution=1.5, **options)
        assert found.modularity == pytest.approx(modularity(graph, found, **options))


def test_what_is_made_of_it_is_a_plain_array(found):
    makers = [
        lambda: found[1:],
        lambda: found[found > 0],
        lambda: found == 3,
        lambda: found + found,
        lambda: 2 * found,
        lambda: np.maximum(found, 1),
        lambda: np.unique(found),
        lambda: np.concatenate([found, found]),
        lambda: np.where(found > 1, found, 0),
        lambda: np.asarray(found),
        lambda: found.astype(np.int64),
        lambda: found.argsort(),
        lambda: found.copy(),
        lambda: found.reshape(2, 3),
        lambda: np.add.reduceat(found, [0, 3]),
        lambda: np.arange(9)[found],
    ]
    assert [type(make()) for make in makers] == [np.ndarray] * len(makers)
    assert found.max() == 3 and found[4] == 3 and list(found) == found.tolist()
    out = np.zeros(6, found.dtype)
    assert np.add(found, 1, out=out) is out and out.tolist() == [1, 1, 1, 4, 4, 4]


def test_it_goes_where_arrays_go(found):
    @numba.njit
    def total(labels):
        return labels.sum()

    assert total(found) == 9
    frame = pd.DataFrame({"community": found})
    assert type(frame["community"].to_numpy()) is np.ndarray
    assert frame.groupby("community").size().tolist() == [3, 3]
    graph = Graph.from_edges(*SIDES)
    assert graph.contract(found).graph.num_vertices == 2
    assert graph.table(found, kind="members")["value"].tolist() == found.tolist()
    assert ew.reduce_all(graph, found, reduce=ew.MAX) == 3
    out = graph.full(0)

    def put(v, labels, out):
        out[v] = labels[v]

    ew.compute(graph, None, put, (found, out))
    assert out.tolist() == found.tolist()


def test_copies(found):
    known = found.modularity
    for again in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert type(again) is Communities and again.modularity == known
        assert again.tolist() == found.tolist()
    fresh = pickle.loads(pickle.dumps(louvain(Graph.from_edges(*SIDES))))
    with pytest.raises(ValueError, match=r"edgewise\.communities\.modularity\(graph, labels\)"):
        fresh.modularity  # noqa: B018
    assert repr(fresh) == "Communities(2 communities of 6 vertices)\n[0 0 0 3 3 3]"


def test_a_pickle_has_no_graph_in_it():
    found = louvain(random_graph(100, 2000))
    assert len(pickle.dumps(found)) < 1000 + found.nbytes


def test_labels_do_not_keep_the_graph():
    graph = random_graph(50, 200)
    seen = weakref.ref(graph)
    labels = louvain(graph).labels
    del graph
    gc.collect()
    # A view keeps the array that it looks at, not what is written on it.
    assert labels.copy().shape == (50,)
    labels = labels.copy()
    gc.collect()
    assert seen() is None


def test_a_change_is_noticed(found):
    before = found.modularity
    found[3:] = 0
    assert found.num_communities == 1 and found.modularity == pytest.approx(0) != before


def test_it_shows_itself(found):
    text = "Communities(2 communities of 6 vertices, modularity 0.3571)\n[0 0 0 3 3 3]"
    assert repr(found) == text and str(found) == "[0 0 0 3 3 3]"
    assert repr(found.labels).startswith("array(")
    long = repr(louvain(generators.cycle(5000)))
    assert " of 5,000 vertices, modularity 0.9" in long and len(long) < 250


def test_from_labels_of_ones_own():
    graph = Graph.from_edges(*SIDES)
    made = Communities([7, 7, 7, -1, -1, -1], graph)
    assert made.modularity == pytest.approx(0.3571, abs=1e-4)
    assert made.sizes().tolist() == [3, 3] and made.num_communities == 2
    assert [group.tolist() for group in made.groups()] == [[3, 4, 5], [0, 1, 2]]
    for wrong in ([0.5, 1.0], [[0, 1]], "ab"):
        with pytest.raises(TypeError, match="labels must be one integer per vertex"):
            Communities(wrong)


def test_components():
    graph = Graph.from_edges([0, 3], [2, 4])
    found = ew.connected_components(graph)
    assert type(found) is ew.Components and found.num_components == 3
    assert found.sizes().tolist() == [2, 1, 2]
    assert repr(found) == "Components(3 components of 5 vertices)\n[0 1 0 3 3]"
    assert type(pickle.loads(pickle.dumps(found))) is ew.Components
    assert type(ew.two_edge_connected_components(graph)) is ew.Components
    around = Graph.from_edges([0, 1], [1, 0], directed=True)
    assert ew.strongly_connected_components(around).num_components == 1
    assert ew.weakly_connected_components(around).num_components == 1
