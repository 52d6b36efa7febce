"""`edgewise.sklearn`: the functions' results, scikit-learn's own checks, bad arguments."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse

import edgewise as ew
from edgewise.apps import nearest_neighbors, shared_neighbor_graph

pytest.importorskip("sklearn")

from sklearn.base import clone  # noqa: E402
from sklearn.exceptions import ConvergenceWarning  # noqa: E402
from sklearn.utils.estimator_checks import estimator_checks_generator  # noqa: E402

from edgewise.sklearn import (  # noqa: E402
    FastRP,
    Leiden,
    Louvain,
    MarkovClustering,
    Node2Vec,
    SpectralEmbedding,
)

CLUSTERERS = (Leiden(), Louvain(), MarkovClustering())
ESTIMATORS = (*CLUSTERERS, SpectralEmbedding(), FastRP(), Node2Vec(num_walks=2, length=5))

#: Checks of scikit-learn that graphs cannot pass, and why. There is none.
EXPECTED: dict[str, str] = {}


def parts(seed=0, sizes=(60, 40, 20)):
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(len(sizes)), sizes)
    return rng.normal(size=(len(truth), 4)) + 12 * np.eye(4)[truth], truth


def name(estimator):
    return type(estimator).__name__


@pytest.mark.slow
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
def test_scikit_learns_own_checks(estimator):
    failed = []
    for one, check in estimator_checks_generator(estimator):
        called = check.func.__name__
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                check(one)
            except Exception as error:
                if type(error).__name__ != "SkipTest" and called not in EXPECTED:
                    failed.append(f"{called}: {error!r:.300}")
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize("estimator", CLUSTERERS, ids=name)
def test_clusters_of_points_are_numbered_by_size(estimator):
    points, truth = parts()
    made = clone(estimator).set_params(n_neighbors=19)
    if name(made) != "MarkovClustering":
        made.set_params(resolution=0.1)
    else:
        made.set_params(inflation=1.3)
    assert made.fit_predict(points).tolist() == truth.tolist()
    assert made.n_features_in_ == 4 and 0 < made.modularity_ < 1
    wanted = shared_neighbor_graph(nearest_neighbors(points, 19).indices)
    assert abs(made.affinity_matrix_ - wanted.to_scipy()).max() == 0
    again = pickle.loads(pickle.dumps(made))
    assert again.labels_.tolist() == made.labels_.tolist()


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix, sparse.coo_array])
@pytest.mark.parametrize("estimator", CLUSTERERS, ids=name)
def test_affinities_are_a_graph(estimator, kind):
    matrix = np.kron(np.diag([1.0, 2.0]), np.ones((4, 4))) + 0.01
    found = clone(estimator).set_params(affinity="precomputed").fit(kind(matrix))
    assert found.labels_.tolist() == [0] * 4 + [1] * 4


def test_one_direction_counts_half():
    matrix = sparse.csr_array([[0, 4.0, 0], [2.0, 0, 1], [0, 0, 0]])
    found = Louvain(affinity="precomputed").fit(matrix)
    assert found.affinity_matrix_.toarray().tolist() == [[0, 3, 0], [3, 0, 0.5], [0, 0.5, 0]]


def test_the_graph_is_that_of_the_function():
    graph = ew.generators.random_weights(ew.generators.karate_club(), seed=1)
    found = Leiden(affinity="precomputed").fit(graph.to_scipy())
    assert found.modularity_ == pytest.approx(ew.communities.leiden(graph).modularity, abs=0.02)
    there = SpectralEmbedding(2, affinity="precomputed").fit_transform(graph.to_scipy())
    wanted = ew.spectral_embedding(graph, dim=2)
    assert np.allclose(there, wanted, atol=1e-3 * np.abs(wanted).max())


def test_vectors_are_those_of_the_functions():
    graph = ew.generators.random_weights(ew.generators.karate_club(), seed=1)
    walks = {"p": 0.5, "q": 2.0, "num_walks": 3, "length": 9, "window": 3, "negatives": 2}
    powers = {"power_weights": [1.0, 2.0], "degree_power": 0.0}
    for made, function, options in (
        (FastRP, ew.learning.fast_rp, powers),
        (Node2Vec, ew.learning.node2vec, walks | {"learning_rate": 0.05}),
    ):
        model = made(8, affinity="precomputed", random_state=3, **options)
        there = model.fit_transform(graph.to_scipy())
        wanted = function(model._graph(graph.to_scipy()), dim=8, seed=3, **options)
        assert there.shape == (34, 8) and (there == wanted).all()
        assert not np.allclose(
            there, made(8, affinity="precomputed").fit(graph.to_scipy()).embedding_
        )


def test_vectors_of_points_tell_clusters_apart():
    points, truth = parts(6)
    for model in (FastRP(16), Node2Vec(16, num_walks=5, length=20)):
        vectors = model.fit_transform(points)
        unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        near = unit @ unit.T
        same = truth[:, None] == truth
        assert near[same].mean() > near[~same].mean() + 0.3


def test_the_result_does_not_depend_on_threads():
    points, _ = parts(5)
    labels = []
    for team in (1, 2):
        with ew.threads(team):
            labels.append(Leiden(3.0, random_state=4).fit_predict(points).tolist())
    assert labels[0] == labels[1]


def test_seeds_of_every_kind():
    points, _ = parts(1)
    for state in (None, np.random.RandomState(3), 7):
        assert len(Leiden(random_state=state).fit_predict(points)) == len(points)


def test_iterations_are_counted_and_other_observers_hear_of_them():
    points, _ = parts(3)
    with ew.observe(ew.Trace()) as trace:
        made = MarkovClustering().fit(points)
    assert made.n_iter_ == sum("chaos" in row for row in trace.rows) > 1
    assert Leiden(max_iter=1).fit(points).n_iter_ == 1


def test_an_unfinished_clustering_warns():
    points, _ = parts(2)
    with pytest.warns(ConvergenceWarning, match="markov_clustering"):
        MarkovClustering(max_iter=1).fit(points)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
def test_bad_arguments(estimator):
    points, _ = parts()
    with pytest.raises(ValueError, match="affinity must be"):
        clone(estimator).set_params(affinity="rbf").fit(points)
    with pytest.raises(ValueError, match="n_neighbors must be"):
        clone(estimator).set_params(n_neighbors=0).fit(points)
    with pytest.raises(ValueError, match="metric must be"):
        clone(estimator).set_params(metric="taxi").fit(points)
    with pytest.raises(ValueError, match="X must be square"):
        clone(estimator).set_params(affinity="precomputed").fit(np.abs(points))
    with pytest.raises(ValueError, match="Negative values"):
        clone(estimator).set_params(affinity="precomputed").fit(-np.eye(3))
    with pytest.raises(ValueError, match="n_components must be less"):
        SpectralEmbedding(5).fit(points[:4])


@pytest.mark.parametrize("kind", [Node2Vec, FastRP, SpectralEmbedding, Leiden])
def test_a_graph_is_taken_as_it_is(kind):
    graph = ew.generators.karate_club()
    graph = graph.with_weights(np.arange(1.0, graph.num_edges + 1))
    if kind is Leiden:
        labels = kind().fit_predict(graph)
        assert kind().fit(graph).modularity_ == pytest.approx(
            ew.communities.modularity(graph, labels)
        )
        return
    given = {"num_walks": 2, "length": 5} if kind is Node2Vec else {}
    model = kind(4, random_state=5, **given)
    known = {
        Node2Vec: lambda: ew.learning.node2vec(graph, dim=4, seed=5, **given),
        FastRP: lambda: ew.learning.fast_rp(graph, dim=4, seed=5),
        SpectralEmbedding: lambda: ew.spectral_embedding(graph, dim=4, seed=5, tol=1e-4),
    }[kind]()
    assert np.allclose(model.fit_transform(graph), known)
    assert model.n_features_in_ == 34 and (model.affinity_matrix_ != graph.to_scipy()).nnz == 0
    networkx = pytest.importorskip("networkx")
    assert model.fit_transform(networkx.path_graph(9)).shape == (9, 4)
