"""The algorithms of the table on a GPU: the same source gives what it gives on CPU threads."""

from __future__ import annotations

from inspect import signature

import numpy as np
import pytest

from edgewise import partitioning
from edgewise.algorithms import ALGORITHMS
from edgewise.algorithms.partitioning.cut_measures import edge_cut
from edgewise.base.errors import DeviceError
from edgewise.cli.sample import without_cycles
from edgewise.generators import grid_2d, rmat, star
from edgewise.graph import Graph
from tests.algorithms.communities.partitions import pieces
from tests.algorithms.samples import SHAPES, random_graph, shape
from tests.operators.engines import no_gpu

pytestmark = pytest.mark.gpu
ROWS = [row for row in ALGORITHMS.values() if "cuda" in row.engines]


@pytest.fixture(autouse=True, scope="module")
def _gpu():
    if reason := no_gpu():
        pytest.skip(reason)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("edgewise.algorithms.communities.hierarchy.SMALL", 0)
        for name, value in (("SMALL", 0), ("FEW", 8), ("PER_PART", 4)):
            patch.setattr(f"edgewise.algorithms.partitioning.by_rounds.{name}", value)
        yield


#: Power iterations that take too long where they change little in a round, as on a path; and
#: cliques that are no triangles; runs that the simulator does one by one.
SOON = {"hits": {"tol": 1e-3}, "eigenvector_centrality": {"tol": 1e-2}, "k_clique_count": {"k": 4},
        "influence.simulate": {"runs": 70}, "influence.place_sensors": {"samples": 20},
        "influence.contain": {"runs": 70, "samples": 20},
        "coloring.distance_2": {"method": "speculative"},
        "partitioning.multilevel": {"method": "rounds"}}  # fmt: skip


def host(result):
    """A result of any kind as a NumPy array; of paths the distances: parents may differ."""
    if isinstance(result, np.ndarray):
        return np.asarray(result)
    if isinstance(result, Graph):
        return np.stack(result.to("cpu").arcs()[:2])
    if hasattr(result, "levels"):
        return np.stack([host(one) for one in result.levels])
    if hasattr(result, "hubs") or hasattr(result, "relevance"):
        return np.stack([host(one) for one in result])
    if hasattr(result, "shares"):  # overlapping communities
        return np.concatenate((result.indptr, result.members))
    if isinstance(result, list):  # a path: another may be as short
        return np.asarray(len(result))
    if isinstance(result, dict):
        return np.array([*result.values()])
    for field in (
        "distance",
        "mate",
        "edges",
        "mapping",
        "vertices",
        "sides",
        "side",
        "seeds",
        "chosen",
        "sensors",
        "sizes",
        "initiator",
    ):
        result = getattr(result, field, result)
    result = result.get() if hasattr(result, "get") else result
    return result.toarray() if hasattr(result, "toarray") else np.asarray(result)


def check(row, graph: Graph, rtol: float = 1e-9, **options) -> None:
    if "undirected" in row.needs and graph.directed:
        return
    if "directed" in row.needs and not graph.directed:
        return
    if "target" in row.needs:
        options = {"target": graph.num_vertices - 1, **options}
        if graph.num_vertices < 2:
            return
    if "acyclic" in row.needs:
        graph = without_cycles(graph)
    groups = np.arange(graph.num_vertices) // 3
    triangle = Graph.from_edges([0, 1, 2], [1, 2, 0], directed=graph.directed)
    needed = {"source": 0, "sources": [0], "b": 1, "communities": groups,
              "vertices": groups % 2 == 0, "vertex_weights": np.sqrt(groups), "attribute": groups,
              "pattern": triangle, "other": triangle,
              "k": 2 if row.returns == "parts" else min(2, graph.num_vertices),
              "parts": groups % 4}  # fmt: skip
    arguments = [needed[name] for name in row.needs if name in needed]
    if row.name == "matching.b_edge_cover":
        options, graph = {"method": "primal_dual"}, covered(graph)
    options = {**SOON.get(row.name, {}), **options}
    function, there = row.load(), graph.to("cuda")
    if "on_disconnected" in signature(function).parameters:
        options = {"on_disconnected": "ignore", **options}
    if "deterministic" in signature(function).parameters:
        options = {"deterministic": True, **options}
    here = host(function(graph, *arguments, **options))
    found = host(function(there, *arguments, **options))
    if row.name == "laplacian_matrix":  # CuPy has no sparse matrices of integers
        here = here.astype(found.dtype)
    assert found.dtype == here.dtype and found.shape == here.shape
    if row.name == "partitioning.spectral":
        check_cuts(graph, found, here)
    elif row.name == "communities.markov_clustering" and graph.max_degree <= 2:
        check_segments(graph, found)
    elif row.name in ("fiedler_vector", "spectral_embedding"):
        check_quotients(graph, found, here, normalized=row.name == "spectral_embedding")
    elif here.dtype.kind == "f":
        np.testing.assert_allclose(found, here, rtol=rtol, atol=1e-12)
    else:
        np.testing.assert_array_equal(found, here)


def check_cuts(graph, found, here):
    """Eigenvectors of equal eigenvalues are not unique: parts are of the same size and quality."""
    np.testing.assert_array_equal(np.sort(np.bincount(found)), np.sort(np.bincount(here)))
    assert edge_cut(graph, found) <= 1.25 * edge_cut(graph, here) + 2


def check_quotients(graph, found, here, *, normalized):
    """Eigenvectors of equal eigenvalues are not unique: their Rayleigh quotients are."""
    if graph.num_vertices == 0:
        return
    graph = graph.without_self_loops()
    name = "normalized_laplacian_matrix" if normalized else "laplacian_matrix"
    matrix = ALGORITHMS[name].load()(graph)
    degrees = np.asarray(graph.to_scipy().sum(1)).ravel()
    scale = np.sqrt(degrees) if normalized else np.ones(graph.num_vertices)

    def quotients(vectors):
        vectors = vectors.reshape(graph.num_vertices, -1) * scale[:, None]
        norms = (vectors**2).sum(0)
        return np.sort(((matrix @ vectors) * vectors).sum(0) / np.where(norms > 0, norms, 1))

    np.testing.assert_allclose(quotients(found), quotients(here), atol=1e-3)


def check_segments(graph, found):
    """Within a long path or cycle all vertices are alike: rounding decides where clusters begin."""
    sources, targets, _ = graph.edges()
    inside = found[sources] == found[targets]
    parts = ALGORITHMS["connected_components"].load()(
        Graph.from_edges(sources[inside], targets[inside], num_vertices=graph.num_vertices)
    )
    np.testing.assert_array_equal(found, parts)


def covered(graph):
    """The graph without the vertices that no proper edge meets: they cannot be covered."""
    u, v, _ = graph.edges()
    return graph.subgraph(np.unique(np.r_[u[u != v], v[u != v]]))


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_shapes(row, name, directed):
    if not (SHAPES[name][0] == 0 and {"source", "sources"} & {*row.needs}):
        check(row, shape(name, directed=directed))


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_random_graphs(row, directed):
    """Sampled sources, because betweenness would take all of them."""
    options = {"k": 5} if row.name.endswith("betweenness_centrality") else {}
    for seed in range(2):
        check(row, random_graph(300, 1500, directed=directed, seed=seed), **options)


#: What makes some algorithms do less, or come nearer to their limit.
LARGE = {
    "bfs": {},
    "sssp": {},
    "pagerank": {"tol": 1e-12},
    "connected_components": {},
    "triangle_count": {},
    "betweenness_centrality": {"k": 1},
}


@pytest.mark.parametrize("scale", [16, 20])
@pytest.mark.parametrize("name", LARGE)
def test_rmat(name, scale):
    graph = rmat(scale, seed=1)
    if name == "sssp":
        drawn = np.random.default_rng(1).integers(1, 65, graph.num_edges)
        graph = graph.with_weights(drawn.astype(np.int32))
    check(ALGORITHMS[name], graph, rtol=1e-6, **LARGE[name])


@pytest.mark.parametrize("name", ["betweenness_centrality", "edge_betweenness_centrality"])
def test_more_paths_than_a_float_can_count(name):
    """From corner to corner there are 2**2190; the same bits every time."""
    graph, row = grid_2d(1100, 1100), ALGORITHMS[name]
    check(row, graph, rtol=1e-7, sources=[0, 45_000], normalized=False)
    there = graph.to("cuda")
    first = host(row.load()(there, sources=[0]))
    np.testing.assert_array_equal(host(row.load()(there, sources=[0])), first)


@pytest.mark.parametrize("method", ["sampling", "hooking", "propagation"])
@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
def test_methods_of_components(method, directed):
    row = ALGORITHMS["weakly_connected_components"]
    for name in ("path", "star", "disconnected"):
        check(row, shape(name, directed=directed), method=method)
    check(row, random_graph(300, 250, directed=directed, seed=1), method=method)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("row", [row for row in ROWS if "weights" in row.needs],
                         ids=lambda row: row.name)  # fmt: skip
def test_weights(row, dtype):
    graph = random_graph(300, 1500, seed=3)
    least = 1 if "betweenness" in row.name else 0
    lengths = np.random.default_rng(4).integers(least, 20, graph.num_edges).astype(dtype)
    check(row, graph.with_weights(lengths), weights="weight")


@pytest.mark.parametrize("name", ["bfs", "sssp"])
def test_trees(name):
    graph = random_graph(500, 900, seed=5)
    graph = graph.with_weights(np.random.default_rng(6).integers(0, 3, graph.num_edges))
    found = ALGORITHMS[name].load()(graph.to("cuda"), 0)
    distance, parent = host(found.distance), host(found.parent)
    for v in np.flatnonzero(parent >= 0):
        if v != 0:
            length = 1 if name == "bfs" else graph_weight(graph, parent[v], v)
            assert distance[parent[v]] + length == distance[v]
    steps = np.where(parent >= 0, parent, np.arange(500))
    for _ in range(10):
        steps = steps[steps]
    assert (steps[parent >= 0] == 0).all(), "parents lead to the source"


def graph_weight(graph, u, v):
    at = graph.indptr[u] + np.searchsorted(graph.neighbors(int(u)), v)
    return graph.weights[at]


@pytest.mark.parametrize("name", ["communities.louvain", "communities.leiden"])
def test_communities_in_place(name):
    """Whoever sees whose move is left to chance; they are as good as on CPU threads."""
    from edgewise.communities import modularity

    function = ALGORITHMS[name].load()
    for graph in (random_graph(3000, 12_000), rmat(14, seed=1), grid_2d(60, 60)):
        here, found = host(function(graph)), host(function(graph.to("cuda")))
        assert modularity(graph, found) > modularity(graph, here) - 0.02
        if name == "communities.leiden":
            assert pieces(graph, found) == len(np.unique(found))


@pytest.mark.parametrize("words", [1 << 25, 1 << 10])
def test_cliques_in_parts(words, monkeypatch):
    monkeypatch.setattr("edgewise.algorithms.scratch._WORDS", words)
    for k in (4, 5, 7):
        check(ALGORITHMS["k_clique_count"], random_graph(60, 700), k=k)


@pytest.mark.parametrize("method", ["clustering", "matching", "aggregates"])
@pytest.mark.parametrize("name", ["grid", "star", "random"])
def test_coarse_graphs(method, name):
    """Each level is the contraction of the one before; only clusters differ from a CPU's."""
    graph = {"grid": grid_2d(7, 8), "star": star(40), "random": random_graph(60, 150)}[name]
    weights = np.random.default_rng(7).integers(1, 5, graph.num_edges).astype(float)
    graph = graph.with_weights(weights)
    mass = np.arange(graph.num_vertices) % 3 + 1.0
    options = {"method": method, "vertex_weights": mass, "min_vertices": 12, "seed": 3}
    found = partitioning.coarsen(graph.to("cuda"), **options)
    assert len(found.all_graphs) > 1 and all(one.device != "cpu" for one in found.all_graphs)
    before, heavy = graph, mass
    below = found.all_graphs[1:], found.mappings, found.vertex_weights[1:]
    for there, mapping, masses in zip(*below, strict=True):
        after, mapping = there.to("cpu"), host(mapping)
        u, v, w = before.edges()
        kept = mapping[u] != mapping[v]
        expected = np.zeros(after.shape)
        np.add.at(expected, (mapping[u[kept]], mapping[v[kept]]), w[kept])
        np.testing.assert_allclose(after.to_scipy().toarray(), expected + expected.T)
        heavy = np.bincount(mapping, heavy)
        np.testing.assert_array_equal(host(masses), heavy)
        before = after
    if method == "clustering":
        assert max(heavy) <= max(1.5 * mass.sum() / 12, mass.max())
    else:
        here = partitioning.coarsen(graph, **options)
        assert len(here.mappings) == len(found.mappings)
        for mine, mapping in zip(here.mappings, found.mappings, strict=True):
            np.testing.assert_array_equal(host(mapping), mine)


def test_partitions_of_graphs_there():
    graph = grid_2d(6, 8).with_weights(np.arange(82) % 3 + 1.0)
    there = graph.to("cuda")
    for options in ({"method": "multilevel"}, {"method": "spectral"}):
        parts = partitioning.partition(there, 2, **options)
        labels = host(parts)
        assert np.bincount(labels, minlength=2).tolist() == [24, 24]
        assert partitioning.edge_cut(there, parts) == edge_cut(graph, labels)
    with pytest.raises(DeviceError, match="kahip"):
        partitioning.partition(there, 2, method="kahip")


def test_reports_on_parts_there():
    graph = grid_2d(6, 8).with_weights(np.arange(82) % 3 + 1.0)
    there, parts = graph.to("cuda"), np.arange(48) % 8 // 2
    on_gpu = there.xp.asarray(parts)
    assert str(partitioning.quality(there, on_gpu)) == str(partitioning.quality(graph, parts))
    small, known = partitioning.quotient(there, on_gpu), partitioning.quotient(graph, parts)
    assert small.device == "cpu" and (small.to_scipy() != known.to_scipy()).nnz == 0
    with pytest.raises(DeviceError, match="subgraphs"):
        partitioning.subgraphs(there, on_gpu)
