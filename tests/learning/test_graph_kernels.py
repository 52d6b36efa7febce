"""Graph kernels: relabeling by dictionaries, NetworkX's distances, and dense linear systems."""

from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np
import pytest

from edgewise import Graph, generators, threads
from edgewise.learning import marginalized_kernel, shortest_path_kernel, weisfeiler_lehman_kernel


def molecules(count: int = 7, seed: int = 0) -> list[Graph]:
    """Small graphs with labels of vertices and edges."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(count):
        n = int(rng.integers(2, 9))
        sources = np.r_[np.arange(1, n), rng.integers(0, n, 2)]
        targets = np.r_[(np.arange(1, n) * rng.random(n - 1)).astype(int), rng.integers(0, n, 2)]
        keep = sources != targets
        graph = Graph.from_edges(sources[keep], targets[keep], num_vertices=n)
        columns = {"kind": rng.integers(0, 3, n)}, {"bond": rng.integers(0, 2, graph.num_edges)}
        found.append(graph.with_columns(vertices=columns[0], edges=columns[1]))
    return found


GRAPHS = molecules()
KINDS = [graph.vertices["kind"] for graph in GRAPHS]


def by_dictionaries(graphs, labels, depth):
    """Labels as nested tuples."""
    counts = [Counter() for _ in graphs]
    for i, graph in enumerate(graphs):
        now = {v: (int(labels[i][v]),) for v in range(graph.num_vertices)}
        for turn in range(depth + 1):
            counts[i].update((turn, one) for one in now.values())
            now = {v: (now[v], tuple(sorted(now[u] for u in graph.neighbors(v).tolist())))
                   for v in now}  # fmt: skip
    return [[float(sum(a[key] * b[key] for key in a)) for b in counts] for a in counts]


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_weisfeiler_lehman_is_as_dictionaries_say(depth):
    known = by_dictionaries(GRAPHS, KINDS, depth)
    assert weisfeiler_lehman_kernel(GRAPHS, vertex_labels="kind", depth=depth).tolist() == known
    assert weisfeiler_lehman_kernel(GRAPHS, vertex_labels=KINDS, depth=depth).tolist() == known
    plain = by_dictionaries(GRAPHS, [np.zeros(9)] * len(GRAPHS), depth)
    assert weisfeiler_lehman_kernel(GRAPHS, depth=depth).tolist() == plain


def test_shortest_paths_are_as_networkx_says():
    counts = []
    for graph, kind in zip(GRAPHS, KINDS, strict=True):
        far = dict(nx.all_pairs_shortest_path_length(graph.to_networkx()))
        counts.append(Counter(
            (*sorted((int(kind[u]), int(kind[v]))), far[u][v]) for u in far for v in far[u] if u < v
        ))  # fmt: skip
    known = [[float(sum(a[key] * b[key] for key in a)) for b in counts] for a in counts]
    assert shortest_path_kernel(GRAPHS, vertex_labels="kind").tolist() == known


def dense(one, other, labels, bonds, stop, mismatch, alike=None):
    """The linear system over pairs of vertices as a matrix; ``alike`` compares what is no label."""

    def same(a, b):
        if alike is not None:
            return mismatch + (1 - mismatch) * alike(a, b)
        return 1.0 if a == b else mismatch

    (n, a), (m, b) = ((g.num_vertices, g) for g in (one, other))
    matrix = np.zeros((n * m, n * m))
    weight = [np.zeros((g.num_vertices,) * 2) for g in (a, b)]
    bond = [np.full((g.num_vertices,) * 2, -1.0) for g in (a, b)]
    for side, graph in enumerate((a, b)):
        for e, (u, v) in enumerate(zip(*graph.edges()[:2], strict=True)):
            value = 1.0 if graph.weights is None else graph.edges()[2][e]
            weight[side][u, v] = weight[side][v, u] = value
            bond[side][u, v] = bond[side][v, u] = bonds[side][e]
    for i in range(n):
        for j in range(m):
            degree = (weight[0][i].sum() + stop) * (weight[1][j].sum() + stop)
            matrix[i * m + j, i * m + j] += degree / same(labels[0][i], labels[1][j])
            for k in range(n):
                for x in range(m):
                    equal = same(bond[0][i, k], bond[1][j, x])
                    matrix[i * m + j, k * m + x] -= weight[0][i, k] * weight[1][j, x] * equal
    return np.linalg.solve(matrix, np.full(n * m, stop**2)).mean()


@pytest.mark.parametrize(("stop", "mismatch"), [(0.1, 0.5), (1.0, 0.2)])
def test_marginalized_is_as_a_dense_solve(stop, mismatch):
    given = {"vertex_labels": "kind", "edge_labels": "bond", "stop": stop, "mismatch": mismatch}
    found = marginalized_kernel(GRAPHS, **given)
    bonds = [graph.edges["bond"] for graph in GRAPHS]
    for i, one in enumerate(GRAPHS):
        for j, other in enumerate(GRAPHS):
            known = dense(one, other, (KINDS[i], KINDS[j]), (bonds[i], bonds[j]), stop, mismatch)
            assert found[i, j] == pytest.approx(known, rel=1e-6)
    with threads(1):
        assert (marginalized_kernel(GRAPHS, **given) == found).all()


def near(a, b):
    return 1 / (1 + (a - b) ** 2)


@pytest.mark.parametrize("alike", [None, near])
def test_values_are_compared_by_a_similarity(alike):
    rng = np.random.default_rng(4)
    charges = [rng.normal(size=graph.num_vertices) for graph in GRAPHS]
    lengths = [rng.normal(size=graph.num_edges) for graph in GRAPHS]
    given = {"vertex_values": charges, "edge_values": lengths, "similarity": alike}
    found = marginalized_kernel(GRAPHS, mismatch=0.2, **given)
    known = alike or (lambda a, b: np.exp(-((a - b) ** 2) / 2))
    for i, j in ((0, 1), (2, 3), (4, 4), (5, 2)):
        expected = dense(GRAPHS[i], GRAPHS[j], (charges[i], charges[j]), (lengths[i], lengths[j]),
                         0.1, 0.2, known)  # fmt: skip
        assert found[i, j] == pytest.approx(expected, rel=1e-6)
    assert np.linalg.eigvalsh(found).min() > -1e-9
    both = marginalized_kernel(GRAPHS, vertex_labels="kind", vertex_values=charges)
    assert (both <= marginalized_kernel(GRAPHS, vertex_labels="kind") + 1e-9).all()


def test_weights_are_those_of_steps():
    graphs = [g.with_weights(1.0 + np.arange(g.num_edges)) for g in GRAPHS[:2]]
    found = marginalized_kernel(graphs, edge_labels=[np.zeros(g.num_edges) for g in graphs])
    flat = [np.zeros(9)] * 2
    assert found[0, 1] == pytest.approx(dense(*graphs, flat, [np.zeros(99)] * 2, 0.1, 0.5))


def test_matrices_are_positive_semidefinite_and_normalized():
    graphs = molecules(25, seed=5)
    for gram in (
        weisfeiler_lehman_kernel(graphs, vertex_labels="kind", normalized=True),
        shortest_path_kernel(graphs, vertex_labels="kind", normalized=True),
        marginalized_kernel(graphs, vertex_labels="kind", edge_labels="bond", normalized=True),
    ):
        assert (gram == gram.T).all() and np.allclose(np.diag(gram)[np.diag(gram) > 0], 1)
        assert np.linalg.eigvalsh(gram).min() > -1e-9


def test_odd_graphs():
    odd = [Graph.from_edges([], []), Graph.from_edges([], [], num_vertices=1), generators.path(2)]
    assert marginalized_kernel(odd)[0].tolist() == [0, 0, 0]
    assert marginalized_kernel(odd)[1, 1] == pytest.approx(1.0)  # it stops where it starts
    assert weisfeiler_lehman_kernel(odd, depth=0).tolist() == [[0, 0, 0], [0, 1, 2], [0, 2, 4]]
    assert shortest_path_kernel(odd, normalized=True).tolist() == [[0] * 3, [0] * 3, [0, 0, 1]]
    for kernel in (marginalized_kernel, weisfeiler_lehman_kernel, shortest_path_kernel):
        assert kernel([]).shape == (0, 0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"vertex_labels": "color"}, "graph 0 has no column 'color'"),
        ({"vertex_labels": KINDS[:2]}, r"one array per graph \(7\), got 2"),
        ({"vertex_labels": KINDS[::-1]}, "vertex_labels of graph"),
        ({"edge_labels": [[1]] * 7}, "edge_labels of graph"),
        ({"vertex_values": "charge"}, "graph 0 has no column 'charge'"),
        ({"vertex_values": [["a"] * g.num_vertices for g in GRAPHS]}, "vertex_values must be num"),
        ({"edge_values": [[np.nan] * g.num_edges for g in GRAPHS]}, "edge_values must be finite"),
        ({"similarity": near}, "similarity needs vertex_values or edge_values"),
        ({"vertex_values": [[0] * g.num_vertices for g in GRAPHS], "similarity": 3}, "similarity"),
        ({"stop": 0}, "stop must"),
        ({"mismatch": 0}, "mismatch must"),
        ({"mismatch": 2}, "mismatch must"),
        ({"tol": 0}, "tol must"),
    ],
)
def test_wrong_arguments_are_named(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        marginalized_kernel(GRAPHS, **options)
    with pytest.raises(TypeError, match="list of graphs"):
        weisfeiler_lehman_kernel(GRAPHS[0])
    with pytest.raises(ValueError, match="graph 1 is directed"):
        shortest_path_kernel([GRAPHS[0], Graph.from_edges([0], [1], directed=True)])
    with pytest.raises(ValueError, match="depth must"):
        weisfeiler_lehman_kernel(GRAPHS, depth=-1)
