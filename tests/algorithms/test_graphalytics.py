"""p2p-Gnutella31: the reference outputs of LDBC Graphalytics, with 1 and 2 threads.

Another system computed them, and they come with the graph: searches and shortest paths from vertex
6, ten rounds of PageRank and of label propagation, components, clustering. Distances must be equal,
real numbers to rounding, and labels up to their names, as the benchmark's own rules have it.
"""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import edgewise as ew
from tests.algorithms.verify import check_paths

pytestmark = pytest.mark.data
TEAMS = (1, 2)
FAR = 2**31 - 1


def test_reference_breadth_first_search(gnutella):
    for directed in (False, True):
        graph = gnutella.graph(directed)
        known = gnutella.reference("BFS", directed).astype(np.float64)
        known[known > FAR] = FAR  # the reference's own "unreached" is int64's largest
        for team in TEAMS:
            with ew.threads(team):
                paths = ew.bfs(graph, gnutella.source)
            np.testing.assert_array_equal(paths.distance, known)
            check_paths(graph, gnutella.source, paths)


def test_reference_shortest_paths(gnutella):
    for directed in (False, True):
        graph = gnutella.graph(directed)
        known = gnutella.reference("SSSP", directed).astype(np.float64)
        for team in TEAMS:
            with ew.threads(team):
                paths = ew.sssp(graph, gnutella.source)
            distance = np.where(paths.parent < 0, np.inf, paths.distance)
            np.testing.assert_array_equal(distance, known)
            check_paths(graph, gnutella.source, paths, graph.weights)


def test_reference_pagerank(gnutella):
    """Ten rounds, not until convergence: the work that the error keeps."""
    known = gnutella.reference("PR", False).astype(np.float64)
    for team in TEAMS:
        with ew.threads(team), pytest.raises(ew.ConvergenceError) as caught:
            ew.pagerank(gnutella.graph(False), weights=None, max_iter=10, tol=0)
        np.testing.assert_allclose(caught.value.best, known, rtol=1e-9)


def test_reference_clustering(gnutella):
    known = gnutella.reference("LCC", False).astype(np.float64)
    for team in TEAMS:
        with ew.threads(team):
            found = ew.clustering(gnutella.graph(False))
        np.testing.assert_allclose(found, known, rtol=1e-12)


def test_reference_components(gnutella):
    known = np.unique(gnutella.reference("WCC", False), return_inverse=True)[1]
    for team in TEAMS:
        for directed in (False, True):
            with ew.threads(team):
                label = ew.weakly_connected_components(gnutella.graph(directed))
            assert_same_groups(label, known)


def test_reference_labels(gnutella):
    known = gnutella.reference("CDLP", False).astype(np.int64)
    for team in TEAMS:
        with ew.threads(team):
            label = ew.communities.label_propagation(
                gnutella.graph(False), weights=None, max_iter=10, schedule="all"
            )
        assert_same_groups(label, known)


def test_reference_directed_pagerank(gnutella):
    """The directed reference is not PageRank: its ranks sum to 0.46.

    There, vertices without out-edges hand on what they have, evenly, but receive nothing by their
    in-edges. A program of one operator reproduces it; on the same graph `pagerank` sums to one.
    """
    known = gnutella.reference("PR", True).astype(np.float64)
    graph = gnutella.graph(True)
    n, degree = graph.num_vertices, graph.row_lengths()
    sent, following = 1 / n / np.maximum(degree, 1), np.empty(n)
    lost = np.count_nonzero(degree == 0) / n
    for _ in range(10):
        base = (0.15 + 0.85 * lost) / n
        lost = ew.sweep(graph, lambda value: value, sent, only_senders_hear, (degree, base),
                        reduce=ew.ADD, out=following, weights=None)  # fmt: skip
        sent, following = following, sent
    np.testing.assert_allclose(sent * np.maximum(degree, 1), known, rtol=1e-9)
    assert known.sum() < 0.47 and ew.pagerank(graph, weights=None).sum() == pytest.approx(1)


def only_senders_hear(v, total, degree, base):
    if degree[v] == 0:
        return base, base
    return (base + 0.85 * total) / degree[v], 0.0


def test_directed_clustering_by_hand(gnutella):
    """There is no reference for it; a few vertices, counted edge by edge."""
    graph = gnutella.graph(True)
    found = ew.clustering(graph, definition="ldbc")
    both = graph.to_undirected()
    for v in np.argsort(-found, kind="stable")[:50].tolist():
        near = both.neighbors(v)
        edges = sum(len(np.intersect1d(graph.neighbors(u), near)) for u in near.tolist())
        assert found[v] == pytest.approx(edges / (len(near) * (len(near) - 1)))


def assert_same_groups(label: np.ndarray, known: np.ndarray) -> None:
    pairs = len(np.unique(np.stack([label, known]), axis=1).T)
    assert len(np.unique(label)) == len(np.unique(known)) == pairs


class Gnutella(NamedTuple):
    """p2p-Gnutella31 with random lengths, and what another system computed on it."""

    folder: Path
    source: int = 5  # vertex 6 of the file, which counts from one

    def graph(self, directed: bool) -> ew.Graph:
        return _from_one(self.folder / "p2p-31.e.gz", directed)

    def reference(self, name: str, directed: bool) -> np.ndarray:
        kind = "-directed" if directed else ""
        path = self.folder / "p2p-31-reference" / f"p2p-31-{name}{kind}.gz"
        with gzip.open(path, "rt") as file:
            rows = sorted((int(vertex), value) for vertex, value in map(str.split, file))
        assert [vertex for vertex, _ in rows] == list(range(1, len(rows) + 1))
        return np.array([value for _, value in rows])


@cache
def _from_one(path: Path, directed: bool) -> ew.Graph:
    """The file counts from one: vertex 1 is at position 0."""
    return ew.read(path, columns=(0, 1, 2), directed=directed)


@pytest.fixture(scope="module")
def gnutella(shared_graphs) -> Gnutella:
    return Gnutella(shared_graphs)
