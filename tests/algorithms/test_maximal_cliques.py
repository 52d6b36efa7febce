"""`maximal_cliques`: NetworkX's cliques, counted, listed, and one after another."""

from __future__ import annotations

from itertools import islice

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, iter_maximal_cliques, maximal_clique_count, maximal_cliques, threads
from edgewise.algorithms.cliques import maximal_cliques as module
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def known(graph, least=1):
    plain = to_networkx(graph)
    plain.remove_edges_from(list(nx.selfloop_edges(plain)))
    return sorted(sorted(one) for one in nx.find_cliques(plain) if len(one) >= least)


def plain(cliques):
    return [clique.tolist() for clique in cliques]


def check(graph, least=1):
    wanted, found = known(graph, least), maximal_cliques(graph, min_size=least)
    assert sorted(plain(found.lists())) == wanted
    assert plain(map(found.row, range(found.num_cliques))) == plain(found.lists())
    assert found.num_cliques == maximal_clique_count(graph, min_size=least) == len(wanted)
    assert plain(iter_maximal_cliques(graph, min_size=least)) == plain(found.lists())


@given(graphs(directed=False), st.sampled_from([1, 2, 3, 9]), st.sampled_from(TEAMS))
def test_any_graph(graph, least, team):
    with threads(team):
        check(graph, least)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(shape(name))


def test_skewed_graphs_in_the_same_order_on_all_teams(monkeypatch):
    monkeypatch.setattr(module, "_BLOCK", 100)
    monkeypatch.setattr(module, "_MEMBERS", 300)
    graph, found = random_graph(600, 10_000), []
    for team in TEAMS:
        with threads(team):
            check(graph, 3)
            found.append(plain(maximal_cliques(graph).lists()))
    assert found[0] == found[1] == found[2]


def test_more_than_a_word_of_neighbors():
    """Everyone knows all but one: 2**10 cliques, among many others who know everybody."""
    u, v = np.triu_indices(90, 1)
    apart = ~((v == u + 10) & (u < 10))
    check(Graph.from_edges(u[apart], v[apart]))


def test_too_many(monkeypatch):
    """3**30 cliques: the first are at hand, and nobody waits for the last."""
    u, v = np.triu_indices(90, 1)
    graph = Graph.from_edges(u[u // 3 != v // 3], v[u // 3 != v // 3])
    with pytest.raises(ValueError, match="max_cliques must be at least .*, got 1000"):
        maximal_cliques(graph, max_cliques=1000)
    with monkeypatch.context() as patch:
        patch.setattr(module, "free_memory", lambda: 1 << 20)
        with pytest.raises(MemoryError, match=r"max_cliques.* iter_maximal_cliques"):
            maximal_cliques(graph)
        assert maximal_cliques(shape("path")).num_cliques == 149
    assert maximal_cliques(shape("path"), max_cliques=149).num_cliques == 149
    few = list(islice(iter_maximal_cliques(random_graph(300, 3000)), 5))
    assert plain(few) == plain(maximal_cliques(random_graph(300, 3000)).lists()[:5])


def test_errors():
    for function in (maximal_cliques, maximal_clique_count, iter_maximal_cliques):
        with pytest.raises(ValueError, match=f"{function.__name__} needs an undirected graph"):
            function(shape("path", directed=True))
        with pytest.raises(ValueError, match="min_size must be at least 1, got 0"):
            function(shape("path"), min_size=0)
    with pytest.raises(TypeError, match="max_cliques must be a whole number"):
        maximal_cliques(shape("path"), max_cliques=0.5)
