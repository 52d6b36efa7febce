"""Real graphs against what others published or computed about them, with 1 and 2 threads.

The files lie beside the checkout. Triangles, sizes of components, average clustering and diameters
(found by sampled searches, so a lower bound) are SNAP's; `test_graphalytics.py` has the reference
outputs for p2p-Gnutella31.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import edgewise as ew
from tests.algorithms.verify import brandes, check_paths

pytestmark = pytest.mark.data
TEAMS = (1, 2)
FAR = 2**31 - 1


class Facts(NamedTuple):
    """What is known of the simple undirected graph under a file's graph."""

    options: dict
    triangles: int
    components: int
    largest: int
    diameter: int
    clustering: float


FACTS = {
    "wiki-Vote.txt.gz": Facts({"directed": True}, 608_389, 24, 7066, 7, 0.1409),
    "facebook_combined.txt.gz": Facts({}, 1_612_010, 1, 4039, 8, 0.6055),
    "email-Enron.txt.gz": Facts({"header": "counts"}, 727_044, 1065, 33_696, 11, 0.4970),
    "com-dblp.csv.gz": Facts({"format": "edges"}, 2_224_385, 1, 317_080, 21, 0.6324),
    "ca-AstroPh.txt.gz": Facts({"columns": (0, 1)}, 1_350_014, 1, 17_903, 14, 0.6328),
    "soc-Epinions1.undirected.txt.gz": Facts({}, 1_624_481, 1, 75_877, 14, 0.1378),
    "email-Eu-core.txt.gz": Facts({"directed": True}, 105_461, 20, 986, 7, 0.3994),
    "soc-Slashdot0902.txt.gz": Facts({"directed": True}, 602_592, 1, 82_168, 11, 0.0603),
    "p2p-31.e.gz": Facts({"columns": (0, 1, 2), "directed": True}, 2024, 12, 62_561, 11, 0.0055),
}


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("name", FACTS)
def test_published_facts(shared_graphs, name, team):
    known = FACTS[name]
    graph = read(shared_graphs / name, **known.options)
    simple = graph.to_undirected() if graph.directed else graph
    named = in_file(shared_graphs / name, **known.options)
    with ew.threads(team):
        assert ew.triangle_count(simple) == known.triangles
        assert ew.triangles(simple).sum() == 3 * known.triangles
        label = ew.weakly_connected_components(graph)
        clustering = ew.clustering(simple)
        root, sizes = np.unique(label[named], return_counts=True)
        assert (len(sizes), sizes.max()) == (known.components, known.largest)
        assert round(float(clustering[named].mean()), 4) == known.clustering
        far, reached = sweep(simple, int(root[sizes.argmax()]))
    assert far >= known.diameter and reached == known.largest


@pytest.mark.slow
def test_triangles_and_cliques_as_patterns(shared_graphs):
    """Several ways to the same numbers."""
    graph = read(shared_graphs / "facebook_combined.txt.gz")
    triangle = ew.Graph.from_edges([0, 1, 2], [1, 2, 0])
    known = FACTS["facebook_combined.txt.gz"].triangles
    assert ew.subgraph_match_count(graph, triangle) == known
    assert ew.motif_counts(graph)["triangle"] == known
    clique = ew.Graph.from_edges([0, 0, 0, 1, 1, 2], [1, 2, 3, 2, 3, 3])
    found = ew.motif_counts(graph, size=4)
    assert ew.subgraph_match_count(graph, clique) == found["clique"] == 30_004_668
    assert ew.subgraph_matches(graph, triangle, max_matches=1000).shape == (1000, 3)


def sweep(graph: ew.Graph, source: int) -> tuple[int, int]:
    """The depth of the last of three searches, each from the farthest vertex of the one before."""
    for _ in range(3):
        paths = ew.bfs(graph, source)
        check_paths(graph, source, paths)
        distance = np.where(paths.distance < FAR, paths.distance, -1)
        source = int(distance.argmax())
    return int(distance.max()), int((distance >= 0).sum())


@pytest.mark.parametrize(("name", "directed"), [("github-map-v2", False), ("cnr-2000", True)])
def test_pagerank_by_default_as_scipy(shared_graphs, name, directed):
    """Large graphs that float32 begins: the highest ten and every rank are those of float64."""
    graph = read(shared_graphs / f"{name}.txt.gz", directed=directed)
    assert graph.num_arcs > 1 << 20
    known = power_iteration(graph, 0.85, 140)
    for team in TEAMS:
        with ew.threads(team):
            rank = ew.pagerank(graph)
        assert np.abs(rank - known).sum() < 1e-8 * 0.85 / 0.15
        np.testing.assert_allclose(rank, known, rtol=1e-4)
        tenth = np.sort(known)[-10]
        assert known[np.argsort(rank)[-10:]].min() > tenth * (1 - 1e-9), "up to ties"


def power_iteration(graph: ew.Graph, alpha: float, rounds: int) -> np.ndarray:
    from scipy.sparse import csr_array

    n, degrees = graph.num_vertices, graph.row_lengths()
    shares = np.repeat(1 / np.maximum(degrees, 1), degrees)
    flows = csr_array((shares, graph.indices, graph.indptr), (n, n)).T.tocsr()
    rank = np.full(n, 1 / n)
    for _ in range(rounds):
        rank = alpha * (flows @ rank + rank[degrees == 0].sum() / n) + (1 - alpha) / n
    return rank


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("rome99.gr", {}),
        ("cal-road.cedge.gz", {"columns": (1, 2, 3)}),
        ("cond-mat-2005.weighted.txt.gz", {"columns": (0, 1, 2)}),  # two lengths are infinite
    ],
)
def test_weighted_graphs_as_scipy(shared_graphs, name, options):
    from scipy.sparse.csgraph import dijkstra

    graph = read(shared_graphs / name, **options)
    source = int(graph.degrees().argmax())
    known = dijkstra(graph.to_scipy().astype(np.float64), indices=source)
    for team in TEAMS:
        with ew.threads(team):
            paths = ew.sssp(graph, source)
        check_paths(graph, source, paths, graph.weights)
        distance = np.where(paths.parent < 0, np.inf, paths.distance)
        np.testing.assert_allclose(distance, known, rtol=1e-12)


def test_negative_trust_is_no_length(shared_graphs):
    columns = ("source", "target", "weight")
    graph = read(shared_graphs / "soc-sign-bitcoinotc.csv.gz", directed=True, columns=columns)
    edge = int((graph.weights < 0).argmax())
    with pytest.raises(ValueError, match=f"weights must not be negative .* on edge {edge} "):
        ew.sssp(graph, 1)


def test_sampled_betweenness_by_the_book(shared_graphs):
    graph = read(shared_graphs / "wiki-Vote.txt.gz", directed=True)
    sources = [3, 30, 2565]
    vertices, arcs = brandes(graph, sources)
    for team in TEAMS:
        with ew.threads(team):
            found = ew.betweenness_centrality(graph, sources=sources, normalized=False)
            along = ew.edge_betweenness_centrality(graph, sources=sources, normalized=False)
        np.testing.assert_allclose(found, vertices, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(along, arcs, rtol=1e-9, atol=1e-9)


@cache
def read(path: Path, **options) -> ew.Graph:
    return ew.read(path, **options)


@cache
def in_file(path: Path, **options) -> np.ndarray:
    """The vertices that some line of the file names; other numbers in between do not exist."""
    graph = read(path, **options)
    return np.flatnonzero(graph.degrees() + graph.in_degrees() > 0)
