"""Matrix completion: NumPy's least squares, steps one by one, and planted matrices."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import edgewise as ew
from edgewise import generators, threads
from edgewise.learning import complete_matrix


def planted(rows=150, columns=90, rank=3, known=0.3, noise=0.1, seed=0):
    """Known and hidden entries of a matrix of low rank with noise."""
    rng = np.random.default_rng(seed)
    whole = rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, columns)) + 3
    whole += noise * rng.normal(size=whole.shape)
    shown = rng.random(whole.shape) < known
    part = [np.nonzero(one) for one in (shown, ~shown)]
    return [(*one, whole[one]) for one in part]


def rmse(found, entries):
    return np.sqrt(np.mean((found.predict(entries[0], entries[1]) - entries[2]) ** 2))


@pytest.mark.parametrize(("method", "turns"), [("als", 15), ("sgd", 60)])
def test_hidden_entries_of_a_planted_matrix(method, turns):
    known, hidden = planted()
    given = {"rank": 3, "method": method, "max_iter": turns, "regularization": 0.01}
    found = complete_matrix(known, **given)
    assert rmse(found, hidden) < 0.2 < hidden[2].std() / 5
    assert found.errors[-1] == pytest.approx(rmse(found, known)) and len(found.errors) == turns
    with threads(1):
        again = complete_matrix(known, **given)
    assert (again.rows == found.rows).all() and (again.columns == found.columns).all()


@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e4])
def test_steps_suit_values_of_every_unit(unit):
    known, hidden = planted()
    scaled = (known[0], known[1], known[2] * unit)
    given = {"rank": 3, "method": "sgd", "max_iter": 60, "regularization": 0.01 * unit}
    found = complete_matrix(scaled, **given)
    assert rmse(found, (hidden[0], hidden[1], hidden[2] * unit)) < 0.2 * unit
    with pytest.raises(ValueError, match="learning_rate must be smaller than 1000"):
        complete_matrix(scaled, **given, learning_rate=1000)


def test_a_round_of_least_squares():
    known, _ = planted(20, 15, known=0.5)
    found = complete_matrix(known, rank=4, max_iter=3, regularization=0.1)
    for j in range(15):  # columns were solved last
        mine = known[1] == j
        fixed, wanted = found.rows[known[0][mine]], known[2][mine] - found.mean
        normal = fixed.T @ fixed + 0.1 * mine.sum() * np.eye(4)
        assert np.allclose(found.columns[j], np.linalg.solve(normal, fixed.T @ wanted))


def test_forms_of_entries_and_shapes():
    known, _ = planted(30, 20)
    matrix = scipy.sparse.coo_array((known[2], known[:2]), shape=(32, 25))
    one = complete_matrix(known, rank=2, max_iter=2, shape=(32, 25))
    two = complete_matrix(matrix.tocsr(), rank=2, max_iter=2)
    assert np.allclose(one.rows, two.rows) and one.columns.shape == (25, 2)
    assert (one.rows[30:] == 0).all() and one.predict(31, 3) == one.mean
    empty = complete_matrix(([], [], []), shape=(2, 3))
    assert empty.rows.shape == (2, 16) and empty.mean == 0 and empty.errors[-1] == 0


@pytest.mark.parametrize(
    ("entries", "options", "message"),
    [
        ([[1, 2], [3, 4]], {}, "sparse matrix, a graph or three arrays"),
        (7, {}, "sparse matrix, a graph or three arrays"),
        (([0], [0, 1], [1.0]), {}, "three arrays of one length"),
        (([-1], [0], [1.0]), {}, "rows must be numbers from 0, got -1"),
        (([0], [0.5], [1.0]), {}, "columns must be whole numbers, got .*0.5"),
        ((["ann"], [0], [1.0]), {}, "rows must be whole numbers, got .*'ann'.*numpy.unique.rows"),
        (([0], [0], [np.nan]), {}, "finite numbers"),
        (([3], [0], [1.0]), {"shape": (2, 2)}, r"shape must be at least \(4, 1\)"),
        (([0], [0], [1.0]), {"rank": 0}, "rank must"),
        (([0], [0], [1.0]), {"method": "svd"}, "method must"),
        (([0], [0], [1.0]), {"regularization": 0}, "regularization must"),
        (([0], [0], [1.0]), {"learning_rate": 0}, "learning_rate must"),
        (([0], [0], [1.0]), {"max_iter": 0}, "max_iter must"),
    ],
)
def test_wrong_arguments_are_named(entries, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        complete_matrix(entries, **options)


def test_data_frames_are_refused_with_a_hint():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"user": [0, 1], "item": [0, 1], "stars": [3.0, 5.0]})
    with pytest.raises(TypeError, match="three of its columns .* here of 'user', 'item', 'stars'"):
        complete_matrix(frame)
    columns = frame["user"], frame["item"], frame["stars"]
    assert complete_matrix(columns, rank=2, max_iter=1).rows.shape == (2, 2)


def test_a_bipartite_graph_is_its_biadjacency_matrix():
    (rows, columns, values), _ = planted(30, 20)
    wanted = complete_matrix((rows, columns, values), rank=2, max_iter=2)
    graph = ew.Graph.from_edges(rows, columns + 30, values)
    options = {"rank": 2, "max_iter": 2}
    unnamed = graph.with_columns(edges={"stars": graph.edges()[2]})
    for given, more in (
        (graph, {}),
        (graph, {"sides": np.arange(50) < 30}),
        (unnamed, {"weights": "stars"}),
        (graph.to_networkx(), {}),
        (ew.linalg.Matrix.from_scipy(scipy.sparse.coo_array((values, (rows, columns)))), {}),
    ):
        found = complete_matrix(given, **options, **more)
        assert found.rows.shape == (30, 2)
        assert np.allclose(found.rows @ found.columns.T, wanted.rows @ wanted.columns.T)
    turned = complete_matrix(graph, **options, sides=np.arange(50) >= 30)
    assert turned.rows.shape == (20, 2) and turned.mean == pytest.approx(wanted.mean)


@pytest.mark.parametrize(
    ("graph", "options", "message"),
    [
        (generators.cycle(3), {}, "not bipartite: edge . - . closes an odd cycle"),
        (generators.path(3), {}, "entries must be a graph with weights"),
        (ew.Graph.from_edges([0], [1], [2.0], directed=True), {}, "undirected"),
        (ew.Graph.from_edges([0], [1], [2.0]), {"sides": [True]}, "sides must have one bool"),
        (ew.Graph.from_edges([0], [1], [2.0]), {"sides": [True, True]}, "sides must differ"),
        (ew.Graph.from_edges([0], [1], [np.inf]), {}, "weight.* finite"),
        (ew.Graph.from_edges([0], [1], [2.0]), {"weights": "stars"}, "stars"),
        (([0], [0], [1.0]), {"sides": [True]}, "sides and weights need a graph, got tuple"),
    ],
)
def test_wrong_graphs_are_named(graph, options, message):
    with pytest.raises((ValueError, TypeError, KeyError), match=message):
        complete_matrix(graph, **options)


def test_estimates_of_entries_outside_are_refused():
    found = complete_matrix(([0, 1], [0, 2], [1.0, 2.0]), rank=2, max_iter=1)
    assert found.predict([[0], [1]], [[0, 1, 2]]).shape == (2, 3)
    for i, j, message in ((-1, 0, "rows must be numbers from 0 to 1, got -1"),
                          ([0, 1], [0, 3], "columns must be numbers from 0 to 2, got 3"),
                          ("ann", 0, "rows must be whole numbers")):  # fmt: skip
        with pytest.raises((ValueError, TypeError), match=message):
            found.predict(i, j)
