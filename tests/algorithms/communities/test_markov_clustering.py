"""`markov_clustering` against a dense oracle, and against the program mcl."""

from __future__ import annotations

import pickle
import shutil
import subprocess
from hashlib import sha256

import numpy as np
import pytest

import edgewise as ew
from edgewise.base.observe import Trace, observe
from edgewise.communities import adjusted_rand_score, markov_clustering
from edgewise.generators import gnm_random, grid_2d, karate_club, planted_partition
from edgewise.graph import Graph
from tests.algorithms.samples import SHAPES, shape

#: Clusters of mcl 22-282 (Debian 12), options ``--abc -I <inflation>``: how many, and `digest`.
RECORDED = {
    ("karate", 1.4): (1, "e4d879a3407de578"),
    ("karate", 2.0): (2, "e7c09ace1cecccf6"),
    ("karate", 4.0): (7, "6a4929ee6333f8a2"),
    ("grid", 1.4): (4, "a6497212787dd00c"),
    ("grid", 2.0): (100, "cf5fc530398ba90e"),
    ("random", 1.4): (4, "8f66a1da45715c9f"),
    ("random", 2.0): (204, "b8bd614955a5997b"),
}
GRAPHS = {"karate": karate_club, "grid": lambda: grid_2d(12, 12),
          "random": lambda: gnm_random(300, 900, seed=1)}  # fmt: skip


def digest(labels):
    """A checksum of the smallest vertex of each vertex's cluster."""
    return sha256(np.asarray(labels).astype("<i8").tobytes()).hexdigest()[:16]


def dense_clusters(graph, inflation=2.0):
    """The definition, without pruning, in dense matrices; whoever meets is one cluster."""
    n = graph.num_vertices
    flow = np.zeros((n, n))
    sources, targets = (np.asarray(one) for one in graph.arcs()[:2])
    flow[sources, targets] = 1 if graph.weights is None else graph.weights
    np.fill_diagonal(flow, 0)
    largest = flow.max(axis=1, initial=0)
    np.fill_diagonal(flow, np.where(largest > 0, largest, 1))
    for _ in range(60):
        flow /= flow.sum(axis=1, keepdims=True)
        flow = (flow @ flow) ** inflation
    meets = np.argwhere(flow / flow.sum(axis=1, keepdims=True) > 1e-3)
    return ew.connected_components(Graph.from_edges(*meets.T, num_vertices=n))


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    found = markov_clustering(graph)
    assert found.dtype == graph.indices.dtype
    assert (found <= np.arange(graph.num_vertices)).all() and (found[found] == found).all()


@pytest.mark.parametrize("seed", range(4))
def test_against_the_definition(seed):
    weights = np.random.default_rng(seed).random(60) + 0.5
    sources, targets, _ = gnm_random(30, 60, seed=seed).edges()
    graph = Graph.from_edges(sources, targets, weights, num_vertices=30)
    found = markov_clustering(graph, threshold=0)
    assert adjusted_rand_score(found, dense_clusters(graph)) == 1


def test_finds_what_was_planted():
    graph, truth = planted_partition(20, 50, p_in=0.3, p_out=0.004, seed=1)
    assert adjusted_rand_score(markov_clustering(graph), truth) > 0.9


@pytest.mark.parametrize(("name", "inflation"), RECORDED)
def test_same_as_recorded_of_mcl(name, inflation):
    found = markov_clustering(GRAPHS[name](), inflation=inflation)
    assert (found.num_communities, digest(found)) == RECORDED[name, inflation]


@pytest.mark.skipif(shutil.which("mcl") is None, reason="the program mcl is not installed")
@pytest.mark.parametrize(("name", "inflation"), RECORDED)
def test_same_as_mcl(name, inflation, tmp_path):
    graph = GRAPHS[name]()
    sources, targets, _ = graph.edges()
    np.savetxt(tmp_path / "a.abc", np.c_[sources, targets], fmt="%d")
    subprocess.run(["mcl", "a.abc", "--abc", "-I", str(inflation), "-o", "out"], cwd=tmp_path,
                   check=True, capture_output=True)  # fmt: skip
    want = np.arange(graph.num_vertices)
    for line in (tmp_path / "out").read_text().splitlines():
        members = np.array(line.split(), int)
        want[members] = members.min()
    assert markov_clustering(graph, inflation=inflation).tolist() == want.tolist()
    assert RECORDED[name, inflation] == (len({*want.tolist()}), digest(want))


def test_pruning_and_threads():
    """Few entries a row, all of them recovered or selected: still the planted groups."""
    graph, truth = planted_partition(8, 40, p_in=0.4, p_out=0.01, seed=3)
    results = []
    for team in (1, 2):
        with ew.threads(team), observe(Trace()) as trace:
            results.append(markov_clustering(graph, threshold=0.01, select=30, recover=35))
        rows = [row for row in trace.rows if row.get("phase") == "expand"]
        assert max(row["entries"] for row in rows) <= 35 * graph.num_vertices
        assert rows[-1]["chaos"] <= 1e-4 < rows[0]["chaos"]
    assert results[0].tolist() == results[1].tolist()
    assert adjusted_rand_score(results[0], truth) > 0.95
    assert markov_clustering(graph, memory="4MiB").tolist() == markov_clustering(graph).tolist()


def test_overlap_is_reported():
    """The vertex in the middle of a path of three pairs belongs to both ends alike."""
    with observe(Trace()) as trace:
        found = markov_clustering(karate_club(), inflation=4.0)
    assert trace.rows[-1]["overlapping"] == 1 and found.num_communities == 7
    overlap = found.overlap
    assert len(set(overlap.vertices.tolist())) == 1 and len(overlap.vertices) > 1
    assert set(overlap.communities.tolist()) <= set(found.tolist())
    assert found[overlap.vertices[0]] in overlap.communities
    assert overlap.shares.sum() == pytest.approx(1, abs=0.01)
    assert found[overlap.vertices[0]] == overlap.communities[overlap.shares.round(3).argmax()]
    again = pickle.loads(pickle.dumps(found))
    assert again.overlap.vertices.tolist() == overlap.vertices.tolist()
    found[0] = 1
    assert found.overlap is None


def test_no_overlap():
    found = markov_clustering(Graph.from_edges([0, 2], [1, 3], num_vertices=5))
    assert [len(one) for one in found.overlap] == [0, 0, 0]
    assert ew.communities.louvain(karate_club()).overlap is None


def test_refusals():
    graph = karate_club()
    with pytest.raises(ValueError, match="inflation must be greater than 1"):
        markov_clustering(graph, inflation=1)
    with pytest.raises(ValueError, match="undirected"):
        markov_clustering(Graph.from_edges([0], [1], directed=True))
    with pytest.raises(ew.ConvergenceError) as caught:
        markov_clustering(graph, max_iter=2)
    assert len(caught.value.best) == graph.num_vertices
    with pytest.raises(ValueError, match="memory must be more than .* bytes for these matrices"):
        markov_clustering(graph, memory=10)
    with pytest.raises(ValueError, match="memory must be at least .* bytes"):
        markov_clustering(graph, memory=30_000)
