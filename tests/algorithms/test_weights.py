"""`weights=` of every algorithm: one meaning, one line in its docstring, NetworkX's default."""

from __future__ import annotations

import inspect

import networkx as nx
import numpy as np
import pytest

from edgewise import threads
from edgewise.algorithms import ALGORITHMS
from edgewise.cli.sample import without_cycles
from tests.algorithms.samples import random_graph
from tests.algorithms.test_scale import GIVEN, bipartite, parts, weighted
from tests.tiers import later

ROWS = [row for row in ALGORITHMS.values() if "weights" in row.needs]
USED = "The graph's weights by default (unit weights if it has none); None ignores them."
IGNORED = 'None ignores the graph\'s weights; "weight" uses them (unit weights if it has none).'

#: What NetworkX calls its parameter, in this order.
THEIRS = ("weight", "distance", "capacity")
#: NetworkX's functions for rows of the table that name none.
BESIDE = {
    "label_propagation": nx.community.fast_label_propagation_communities,
    "communities.louvain": nx.community.louvain_communities,
    "communities.leiden": nx.community.leiden_communities,
    "communities.modularity": nx.community.modularity,
    "personalized_pagerank": nx.pagerank,
    "communities.community_conductance": nx.conductance,
    "random_walk": nx.generate_random_paths,
}

#: Whose results are tried in the first tier.
FIRST = {"sssp", "pagerank", "betweenness_centrality", "matching.suitor", "communities.modularity"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_default_is_networkx_own(row):
    default = inspect.signature(row.load()).parameters["weights"].default
    assert default in ("weight", None)
    theirs = BESIDE.get(row.name) or getattr(nx, row.networkx or "", None)
    if theirs is not None:
        known = inspect.signature(theirs).parameters
        found = [known[name].default for name in THEIRS if name in known]
        assert not found or (found[0] is None) == (default is None)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_one_line_says_what_it_is(row):
    function = row.load()
    text = inspect.getdoc(function)
    if "\nweights : " in text:  # else "as for" another
        line = (
            IGNORED if inspect.signature(function).parameters["weights"].default is None else USED
        )
        assert f"\nweights : str, array over edges, or None\n    {line}\n" in text


def call(row, graph, **weights):
    function = row.load()
    options = {need: GIVEN[need] for need in row.needs if need in GIVEN}
    if "deterministic" in inspect.signature(function).parameters:
        options["deterministic"] = True
    with threads(1):
        return list(parts(row.name, function(graph, **weights, **options)))


def same(one, other, rtol=0.0):
    for (name, a), (_, b) in zip(one, other, strict=True):
        np.testing.assert_allclose(a, b, rtol=rtol, err_msg=name)


@pytest.mark.parametrize(
    "row",
    [row if row.name in FIRST else later(row) for row in ROWS],
    ids=lambda row: row.name if hasattr(row, "name") else None,
)
def test_names_and_none(row):
    """None is the graph without weights, "weight" its weights; no other name is known."""
    graph = bipartite() if "bipartite" in row.needs else weighted()
    graph = without_cycles(graph) if {"acyclic", "directed"} & {*row.needs} else graph
    plain = graph.with_weights(None)
    ignored = call(row, graph, weights=None)
    same(ignored, call(row, plain, weights=None))
    same(ignored, call(row, plain, weights="weight"))
    used = call(row, graph, weights="weight")
    same(used, call(row, graph, weights=graph.edges()[2]), rtol=1e-6)  # fewer shortcuts
    default = inspect.signature(row.load()).parameters["weights"].default
    same(ignored if default is None else used, call(row, graph))
    with pytest.raises(ValueError, match="weights must name a column of the graph, got 'unit': "
                                         "the graph has the column 'weight'"):  # fmt: skip
        call(row, graph, weights="unit")
    with pytest.raises(ValueError, match="got 'cost': the graph has no columns"):
        call(row, plain, weights="cost")


def in_pairs(row):
    return {"source", "target"} <= {*row.needs}


def calls(row, n):
    """The arguments of the calls to try: all pairs of vertices where a row needs a pair."""
    if not in_pairs(row):
        return [{need: GIVEN[need] for need in row.needs if need in GIVEN}]
    return [{"source": s, "target": t} for s in range(n) for t in range(n) if s != t]


@pytest.mark.parametrize(
    "row",
    [row if row.name in FIRST or in_pairs(row) else later(row) for row in ROWS],
    ids=lambda row: row.name if hasattr(row, "name") else None,
)
def test_any_column(row):
    """A column serves as the graph's own weights do, whatever those are."""
    function = row.load()
    graph = bipartite() if "bipartite" in row.needs else weighted()
    graph = random_graph(9, 30) if in_pairs(row) else graph
    acyclic = {"acyclic", "directed"} & {*row.needs}
    forms = [without_cycles(graph) if acyclic else graph]
    if in_pairs(row) and "undirected" not in row.needs:
        forms.append(random_graph(9, 30, directed=True))
    for graph in forms:
        cost = 1 + np.arange(graph.num_edges) * 37 % 101 / 128
        own = graph.with_weights(cost[::-1].copy())
        expected, columns = graph.with_weights(cost), {"cost": cost}
        for options in calls(row, graph.num_vertices):
            if "deterministic" in inspect.signature(function).parameters:
                options["deterministic"] = True
            with threads(1):
                known = list(parts(row.name, function(expected, weights="weight", **options)))
                for one in (own, graph.with_weights(None)):
                    found = function(one.with_columns(edges=columns), weights="cost", **options)
                    same(list(parts(row.name, found)), known, rtol=1e-6)
