"""`cover`: the greedy choice against one that counts anew for every choice; `Sets` packed."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.threads import threads
from edgewise.operators import Sets
from edgewise.operators.covering import covered
from tests.operators.engines import call, cover

TEAMS = pytest.mark.parametrize("team", [1, pytest.param(3, marks=pytest.mark.host)])


def greedy(rows, n, k, weights=None, excluded=()):
    """Choices, gains and bounds."""
    weights = [1] * len(rows) if weights is None else weights
    left, chosen, gains, upper = set(range(len(rows))), [], [], []
    allowed = [v for v in range(n) if v not in excluded]
    for _ in range(k + 1):
        gain = dict.fromkeys(allowed, 0)
        for i in left:
            for v in set(rows[i]) & set(allowed):
                gain[v] += weights[i]
        upper.append(sum(gains) + sum(sorted(gain.values(), reverse=True)[:k]))
        if len(chosen) < k:
            best = max(allowed, key=lambda v: (gain[v], -v))
            chosen.append(best)
            gains.append(gain[best])
            allowed.remove(best)
            left -= {i for i in left if best in rows[i]}
    return chosen, gains, upper


def some_rows(seed, n, count):
    """Small sets, a few that are bitmaps, some that are empty; low ids are in more of them."""
    draw = np.random.default_rng(seed)
    sizes = np.where(draw.random(count) < 0.15, n, draw.integers(0, 8, count))
    return [(n * draw.random(size) ** 2).astype(int).tolist() for size in sizes]


@TEAMS
def test_as_if_counted_anew(team):
    with threads(team):
        for seed, n, count, k in ((0, 40, 60, 9), (1, 700, 90, 12), (2, 1, 3, 1), (3, 20, 0, 4)):
            rows = some_rows(seed, n, count)
            sets = Sets.from_rows(rows, num_vertices=n)
            weights = np.arange(count) % 4
            for given in ({}, {"weights": weights}, {"excluded": np.array([0, 3 % n])}):
                allowed = min(k, n - len(set(given.get("excluded", np.array([])).tolist())))
                wanted = greedy(rows, n, allowed, **given)
                found = cover(sets, k, bounds=True, **given)
                assert tuple(one.tolist() for one in found) == wanted
                assert len(cover(sets, k, **given).upper_bound) == 0
                if "weights" not in given:
                    assert call(covered, sets, found.chosen) == sum(wanted[1])
            assert call(covered, sets, np.zeros(n, bool)) == 0


@TEAMS
def test_those_who_have_no_index(team, monkeypatch):
    """Few candidates: the best vertex is often none of them."""
    monkeypatch.setattr("edgewise.operators.covering._TIMES", 1)
    monkeypatch.setattr("edgewise.operators.covering._LEAST", 1)
    monkeypatch.setattr("edgewise.operators.covering._SHORT", 0)
    for seed in range(5, 12):
        rows = some_rows(seed, 60, 120)
        sets = Sets.from_rows(rows, num_vertices=60)
        for k in (1, 8, 30):
            with threads(team):
                found = cover(sets, k, bounds=seed % 2 == 0)
            chosen, gains, upper = greedy(rows, 60, k)
            assert (found.chosen.tolist(), found.gains.tolist()) == (chosen, gains)
            assert found.upper_bound.tolist() == (upper if seed % 2 == 0 else [])


def test_sets_as_they_were():
    rows = [*some_rows(7, 900, 50), [899], list(range(900)), [0, 127, 128, 256]]
    sets = Sets.from_rows(rows, num_vertices=900)
    indptr, ids = sets.members()
    for i, row in enumerate(rows):
        assert ids[indptr[i] : indptr[i + 1]].tolist() == sorted(set(row)) == sets.row(i).tolist()
    assert sets.sizes.tolist() == [len(set(row)) for row in rows]
    assert repr(sets).startswith("Sets(53 sets of 900 vertices, ")


def test_what_is_refused():
    sets = Sets.from_rows([[0], [1, 2]], num_vertices=4)
    for given, error, said in (
        ({"k": -1}, ValueError, "k must be at least 0, got -1"),
        ({"weights": np.ones(3, int)}, TypeError, "weights must be whole numbers, one for each"),
        ({"weights": np.ones(2)}, TypeError, "weights must be whole numbers, one for each"),
        ({"weights": np.array([1, -1])}, ValueError, "weights must be at least 0, got -1"),
        ({"excluded": [4]}, ValueError, "excluded must be vertex ids from 0 to 3, got 4 to 4"),
        ({"excluded": np.ones(3, bool)}, ValueError, "excluded must have one element per vertex"),
    ):
        with pytest.raises(error, match=said):
            cover(sets, **{"k": 1, **given})
    with pytest.raises(ValueError, match="vertices must be vertex ids from 0 to 3, got -1 to 2"):
        covered(sets, [2, -1])
    with pytest.raises(TypeError, match="sets must be Sets, as reach makes them, got list"):
        cover([[0]], 1)
    with pytest.raises(ValueError, match="rows must hold vertex ids from 0 to 3, got 9 in row 1"):
        Sets.from_rows([[0], [9]], num_vertices=4)
