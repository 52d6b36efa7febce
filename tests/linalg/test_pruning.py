"""The step of Markov clustering: rows summed one by one and in groups, against dense matrices."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.threads import threads
from edgewise.linalg import Matrix
from edgewise.linalg.cpu import row_groups
from edgewise.linalg.pruning import Pruning, inflated_square


def stochastic(n, density, seed):
    """A matrix of random rows that sum to 1; some entries are equal."""
    draw = np.random.default_rng(seed)
    dense = draw.integers(1, 40, (n, n)) * (draw.random((n, n)) < density) + np.eye(n)
    dense = (dense / dense.sum(axis=1, keepdims=True)).astype(np.float32)
    at = np.nonzero(dense)
    return Matrix.from_entries(*at, dense[at], shape=dense.shape), dense


def pruned(row, pruning):
    """One row by the definition; of equal values, the ones of smaller columns."""
    order = np.argsort(-row, kind="stable")
    kept = [k for k in order if row[k] >= pruning.threshold]
    if row[kept].sum() < pruning.share and len(kept) < pruning.recover:
        kept = [k for k in order if row[k] > 0][: pruning.recover]
    elif len(kept) > pruning.select:
        fewer = kept[: pruning.select]
        if row[fewer].sum() < pruning.share and pruning.select < pruning.recover:
            fewer = kept[: pruning.recover]
        kept = fewer
    made = np.zeros(len(row))
    made[kept] = row[kept].astype(np.float64) ** pruning.inflation
    return made / made.sum()


PRUNINGS = [
    Pruning(1e-3, 20, 30, 0.9, 2.0),
    Pruning(0.02, 20, 30, 0.9, 2.0),
    Pruning(0.02, 20, 10, 0.5, 1.5),
    Pruning(0.0, 5, 40, 0.95, 3.0),
]


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("pruning", PRUNINGS, ids=map(str, range(len(PRUNINGS))))
def test_against_dense_matrices(pruning, grouped, monkeypatch):
    monkeypatch.setattr(row_groups, "_FULL", 0)
    monkeypatch.setattr(row_groups, "_MANY", 0 if grouped else 1 << 40)
    for n, density in ((3, 1.0), (16, 0.5), (50, 0.3), (130, 0.1)):
        matrix, dense = stochastic(n, density, n)
        found, chaos = inflated_square(matrix, pruning, None)
        square = dense.astype(np.float64) @ dense
        wanted = np.array([pruned(row.astype(np.float32), pruning) for row in square])
        made = found.to_dense()
        assert np.diff(found.indptr).max() <= max(pruning.select, pruning.recover)
        np.testing.assert_allclose(made.sum(axis=1), 1, rtol=1e-5)
        same = abs(made - wanted).max(axis=1) < 1e-3
        assert same.mean() > 0.9  # at the limit, rounding decides
        assert chaos > 0


def test_groups_batches_and_threads_agree(monkeypatch):
    monkeypatch.setattr(row_groups, "_FULL", 0)
    monkeypatch.setattr(row_groups, "_MANY", 0)
    matrix, _ = stochastic(150, 0.2, 1)
    pruning = Pruning(1e-3, 40, 50, 0.9, 2.0)
    first = inflated_square(matrix, pruning, None)
    with threads(2):
        found, chaos = inflated_square(matrix, pruning, None)
    assert found.indices.tobytes() == first[0].indices.tobytes()
    assert found.values.tobytes() == first[0].values.tobytes() and chaos == first[1]
    monkeypatch.setattr(row_groups, "_BATCH", 32)
    for memory in (None, 1 << 20):
        found, chaos = inflated_square(matrix, pruning, memory)
        difference = abs(found.to_dense() - first[0].to_dense()).max(axis=1)
        assert (difference < 1e-5).mean() > 0.9  # at the limit, rounding decides
        assert chaos == pytest.approx(first[1], rel=1e-3)


def test_memory_must_hold_both_matrices():
    matrix, _ = stochastic(100, 0.3, 2)
    with pytest.raises(ValueError, match="memory must be more than .* bytes for these matrices"):
        inflated_square(matrix, PRUNINGS[0], matrix.nbytes + 100)
