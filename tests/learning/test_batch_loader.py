"""Loaders: layer-wise batches, epochs of PyTorch's workers, copies of a loader."""

from __future__ import annotations

import pickle
import sys
from abc import ABC
from types import SimpleNamespace

import numpy as np
import pytest

from edgewise.learning import Batches, layer_batches, neighbor_batches, sample_layers
from tests.algorithms.samples import random_graph

GRAPH = random_graph(120, 600)


@pytest.fixture
def as_worker(monkeypatch):
    """PyTorch's module for data, as a worker of a loader sees it."""
    data = SimpleNamespace(IterableDataset=type("IterableDataset", (ABC,), {}))
    monkeypatch.setitem(sys.modules, "torch.utils.data", data)

    def become(number, workers, seed):
        info = SimpleNamespace(id=number, num_workers=workers, seed=seed + number)
        data.get_worker_info = lambda: info if workers else None
        return data

    return become


def ids(batches):
    return [batch.vertices[batch.sources].tolist() for batch in batches]


def test_layers_of_an_epoch():
    batches = layer_batches(GRAPH, range(50), batch_size=20, layer_sizes=[9, 5], seed=3)
    assert isinstance(batches, Batches) and len(batches) == 3
    assert "3 batches of 20 sources, layer_sizes=[9, 5]" in repr(batches)
    epoch = list(batches)
    assert sorted(v for one in ids(epoch) for v in one) == list(range(50))
    assert ids(batches) != ids(epoch) == ids(batches.epoch(0))
    whole = layer_batches(GRAPH, [3, 4], layer_sizes=[500], shuffle=False)
    (batch,), known = whole, sample_layers(GRAPH, [3, 4], layer_sizes=[500])
    assert (batch.vertices == known.vertices).all()
    with pytest.raises(TypeError, match="layer_sizes must list"):
        layer_batches(GRAPH, layer_sizes=3)
    with pytest.raises(ValueError, match="given together"):
        neighbor_batches(GRAPH, times=np.zeros(GRAPH.num_edges))


@pytest.mark.parametrize("prefetch", [0, 2])
def test_workers_share_an_epoch(as_worker, prefetch):
    """Worker i makes every w-th batch of one epoch; the next loop's seed is another epoch."""
    as_worker(0, 0, 0)
    batches = neighbor_batches(GRAPH, batch_size=25, fanouts=[2], prefetch=prefetch)
    copies, parts = [pickle.loads(pickle.dumps(batches)) for _ in range(3)], []
    for number, copy in enumerate(copies):
        as_worker(number, 3, 70)
        parts.append(ids(copy))
    assert [len(part) for part in parts] == [2, 2, 1]
    assert [parts[i % 3][i // 3] for i in range(5)] == ids(batches.epoch(70))
    assert ids(copies[2]) == ids(batches.epoch(71))[2::3]  # a worker that lives on
    as_worker(0, 1, 99)
    assert ids(pickle.loads(pickle.dumps(batches))) == ids(batches.epoch(99))


def test_pytorch_takes_batches_for_a_data_set(as_worker):
    data = as_worker(0, 0, 0)
    batches = neighbor_batches(GRAPH, batch_size=25)
    assert isinstance(batches, data.IterableDataset)
    assert ids(batches) == ids(batches.epoch(0))  # no worker: epochs are counted
    with pytest.raises(TypeError, match="DataLoader takes them with batch_size=None"):
        batches[0]
