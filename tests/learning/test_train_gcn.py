"""Graph convolutions: gradients by differences, grids of ranks, counted words, and cora."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

import edgewise as ew
from edgewise.base.random import check_seed
from edgewise.distributed import Grid, distribute, simulate_grid
from edgewise.distributed.rank_threads import run_threads
from edgewise.generators import planted_partition
from edgewise.graph import Graph
from edgewise.learning import train_gcn
from edgewise.learning.feature_blocks import OneProcess
from edgewise.learning.train_gcn import _Network

GRAPH = planted_partition(3, 16, p_in=0.3, p_out=0.04, seed=1).graph
N, CLASSES = 48, np.repeat([0, 1, 2], 16)
FEATURES = np.random.default_rng(0).normal(size=(N, 6))
OPTIONS = {"classes": CLASSES, "train": [0, 1, 16, 17, 32, 33], "hidden": [4], "epochs": 6}
WAYS = [("4x1", "1.5d"), ("2x2", "1.5d"), ("2x2", "2d"), ("2x3", "2d"), ("1x4", "2d")]


def on_grid(shape, partition, graph=GRAPH, **more):
    """What every rank returns."""

    def program(comm):
        there = distribute(graph, grid=Grid(comm, shape))
        return train_gcn(there, FEATURES, partition=partition, **(OPTIONS | more))

    rows, columns = map(int, shape.split("x"))
    return run_threads(program, rows * columns)


def dense_loss(graph, features, classes, train, weights):
    """The loss of a network without dropout, by dense matrices."""
    matrix = graph.to_scipy().toarray() + np.eye(graph.num_vertices)
    scale = 1 / np.sqrt(matrix.sum(axis=1))
    matrix, x = scale[:, None] * matrix * scale, features
    for layer, one in enumerate(weights):
        x = matrix @ x @ one
        x = np.maximum(x, 0) if layer + 1 < len(weights) else x
    logs = x - np.log(np.exp(x).sum(axis=1, keepdims=True))
    return -logs[train, classes[train]].mean()


@pytest.mark.parametrize("hidden", [[], [4], [5, 3]])
def test_gradients_are_those_of_differences(hidden):
    rng, train = np.random.default_rng(1), np.array(OPTIONS["train"])
    graph = GRAPH.with_weights(rng.uniform(0.5, 2, GRAPH.num_edges))
    widths = [6, *hidden, 3]
    weights = [rng.normal(size=two) for two in zip(widths, widths[1:], strict=False)]
    labeled = np.isin(np.arange(N), train)
    network = _Network(OneProcess(graph), weights, 0.0, check_seed(0), CLASSES, labeled, 6)
    loss, gradients = network.gradients(FEATURES, 0)
    assert loss == pytest.approx(dense_loss(graph, FEATURES, CLASSES, train, weights))
    for one, gradient in zip(weights, gradients, strict=True):
        for at in [(0, 0), (1, 2), (2, 1)]:
            ends = []
            for step in (1e-6, -1e-6):
                before, one[at] = one[at], one[at] + step
                ends.append(dense_loss(graph, FEATURES, CLASSES, train, weights))
                one[at] = before
            assert gradient[at] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-4, abs=1e-8)


@pytest.mark.parametrize(("shape", "partition"), WAYS)
def test_grids_compute_the_same_network(shape, partition):
    alone, every = train_gcn(GRAPH, FEATURES, **OPTIONS), on_grid(shape, partition)
    assert len(alone.losses) == 6 and alone.losses[-1] != alone.losses[0]
    assert np.allclose(every[0].losses, alone.losses, rtol=1e-12)
    assert (every[0].classes == alone.classes).all()
    for k, one in enumerate(alone.weights):
        assert np.allclose(every[0].weights[k], one, rtol=1e-10)
        assert all((other.weights[k] == every[0].weights[k]).all() for other in every)


def test_rows_are_the_default_on_a_grid():
    first, second = on_grid("2x2", None), on_grid("2x2", "1.5d")
    assert (first[0].losses == second[0].losses).all()


def test_weights_of_edges_and_other_distributions():
    weighted = GRAPH.with_weights(np.random.default_rng(3).uniform(0, 2, GRAPH.num_edges))
    alone = train_gcn(weighted, FEATURES, **OPTIONS)
    assert not np.allclose(alone.losses, train_gcn(GRAPH, FEATURES, **OPTIONS).losses)
    assert np.allclose(on_grid("2x2", "2d", weighted)[0].losses, alone.losses, rtol=1e-12)

    def program(comm):
        there = distribute(GRAPH, grid=Grid(comm, "3x1"), distribution="random", seed=5)
        return train_gcn(there, FEATURES, **OPTIONS)

    plain = train_gcn(GRAPH, FEATURES, **OPTIONS)
    assert np.allclose(run_threads(program, 3)[0].losses, plain.losses, rtol=1e-12)


@pytest.mark.parametrize(("shape", "partition"), [("4x1", "1.5d"), ("4x2", "1.5d"), ("2x2", "2d")])
def test_words_are_those_of_the_formulas(shape, partition):
    """48 vertices and widths 6, 4, 4 divide evenly; 2 epochs and a prediction: 5 products a layer.

    A product receives the rows of all others (R - 1) n f times, over all ranks. In 1.5D, partial
    sums are added along rows. In 2D, rows are gathered for a product by W and for the loss, in 3
    forward passes (6, 4 and 4 columns), and in 2 backward ones (4 and 4). A rank receives whole
    rows, but for the one that gathers them and has a part already.
    """
    classes, words = np.repeat([0, 1, 2, 3], 12), 8
    options = OPTIONS | {"classes": classes, "train": [0, 12, 24, 36], "epochs": 2}

    def program(comm):
        there = distribute(GRAPH, grid=Grid(comm, shape))
        train_gcn(there, FEATURES, partition=partition, **options)

    rows, columns = map(int, shape.split("x"))
    report = simulate_grid(program, rows * columns).report
    count, widths, n = 5, (4, 4), N
    assert report.total("received", "features") == words * count * (rows - 1) * n * sum(widths)
    if partition == "1.5d":
        added = 2 * (columns - 1) * n * sum(widths) * count
        assert report.total("received", "sums") == words * added
        assert "rows" not in report.phases
    else:
        arcs = GRAPH.num_arcs * 4 * 2 * count  # a pattern: columns of entries, 4 bytes each
        starts = n * 4 * columns * 2 * count  # lengths of rows, in each of the stages
        assert report.total("received", "broadcast") == (columns - 1) * (arcs + starts)
        gathered = n * (3 * (6 + 4 + 4) + 2 * (4 + 4))
        assert report.total("received", "rows") == words * gathered * (columns - 1 / columns)


@pytest.mark.slow
def test_cora_reaches_the_published_accuracy(shared_graphs):
    """81.5 percent [Kipf and Welling 2017]: here of one seed, so a little less is accepted."""
    graph = ew.read(shared_graphs / "cora.csv.gz")
    with gzip.open(shared_graphs / "cora_vertices.tsv.gz", "rt") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    features, n = np.zeros((len(rows), 1433), np.float32), len(rows)
    for v, row in enumerate(rows):
        features[v, [int(word) for word in row[3].split()]] = 1
    features /= np.maximum(features.sum(axis=1, keepdims=True), 1)
    assert graph.labels is None and graph.num_vertices == n
    classes, part = np.array([int(row[1]) for row in rows]), np.array([row[2] for row in rows])
    found = train_gcn(graph, features, classes=classes, train=part == "train")
    test = part == "test"
    assert test.sum() == 1000 and (found.classes == classes)[test].mean() > 0.8


def test_labels_and_types_of_arguments():
    names = Graph.from_edges([("a", "b"), ("b", "c")])
    options = {"classes": [0, 1, -1], "hidden": [2], "epochs": 3}
    found = train_gcn(names, np.eye(3, dtype=np.int64), train=["a", "b", "a"], **options)
    assert found.weights[0].dtype == np.float32 and found.weights[0].shape == (3, 2)
    masked = train_gcn(names, np.eye(3), train=[True, True, False], **options)
    assert masked.weights[0].dtype == np.float64
    assert np.allclose(masked.losses, found.losses, rtol=1e-4)
    none = train_gcn(names, np.eye(3), train=["a"], **(options | {"epochs": 0}))
    assert none.losses.shape == (0,) and none.classes.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"features": np.zeros((3, 2))}, ValueError, "features must have shape"),
        ({"features": np.full((N, 2), np.nan)}, ValueError, "features must be finite"),
        ({"features": [["a"]]}, TypeError, "features must be numbers"),
        ({"classes": [0, 1]}, ValueError, "classes must have one number per vertex"),
        ({"classes": np.zeros(N)}, TypeError, "classes must be whole numbers"),
        ({"classes": np.full(N, -1)}, ValueError, "classes must be at least 0 for train"),
        ({"train": []}, ValueError, "train must have at least one"),
        ({"train": [N]}, ValueError, "train"),
        ({"train": [True]}, ValueError, "train must have one boolean"),
        ({"hidden": 4}, TypeError, "hidden must list"),
        ({"hidden": [0]}, ValueError, "hidden must be at least 1"),
        ({"dropout": 1}, ValueError, "dropout must lie in"),
        ({"partition": "3d"}, ValueError, "partition must be one of"),
        ({"partition": "2d"}, ValueError, "partition must be left out"),
    ],
)
def test_errors_name_the_argument(change, error, message):
    given = {"features": FEATURES} | OPTIONS | change
    with pytest.raises(error, match=message):
        train_gcn(GRAPH, given.pop("features"), **given)


def test_graphs_that_do_not_fit():
    with pytest.raises(ValueError, match="weights must be finite and nonnegative"):
        train_gcn(GRAPH.with_weights(np.full(GRAPH.num_edges, -3.0)), FEATURES, **OPTIONS)
    with pytest.raises(ValueError, match="undirected"):
        train_gcn(Graph.from_edges([0], [1], directed=True), np.eye(2), **OPTIONS)
