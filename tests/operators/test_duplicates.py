"""`mark_duplicates`: the neighbors in a row that have the key of a better one, against an oracle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.threads import threads
from edgewise.operators import frontier
from tests.operators import oracles
from tests.operators.engines import mark_duplicates
from tests.operators.graphs import SMALL, any_graph, random_graph, star
from tests.operators.test_reduce_neighbors import EVERY_SMALL, some

RNG = np.random.default_rng(5)


def ranks(n):
    """Ranks with ties and NaN."""
    rank = RNG.integers(0, 4, n) / 2
    rank[RNG.random(n) < 0.2] = np.nan
    return rank


@EVERY_SMALL
def test_every_small_graph(graph):
    n = graph.num_vertices
    key = RNG.integers(-1, 5, n)
    for members in (None, some(graph)):
        start = None if members is None else frontier(graph, members)
        rows = range(n) if members is None else members
        for rank, closed, mode in ((None, False, "out"), (ranks(n), True, "in"),
                                   (ranks(n), False, "both")):  # fmt: skip
            options = {"rank": rank, "closed": closed, "mode": mode}
            found = mark_duplicates(graph, start, key, **options)
            assert found.dtype == bool
            assert found.tolist() == oracles.duplicates(graph, rows, key, **options)


@settings(max_examples=25)
@given(graph=any_graph(), data=st.data())
def test_random_graphs(graph, data):
    n, closed = graph.num_vertices, data.draw(st.booleans())
    draw = np.random.default_rng(data.draw(st.integers(0, 99)))
    key, rank = draw.integers(-1, 4, n), draw.integers(0, 3, n) / 2
    found = mark_duplicates(graph, None, key, rank=rank, closed=closed)
    assert found.tolist() == oracles.duplicates(graph, range(n), key, rank, closed=closed)


@pytest.mark.host
@pytest.mark.parametrize("team", [1, 3])
@pytest.mark.parametrize("scale", [1, 10**12])
def test_long_rows_and_keys_of_any_size(team, scale):
    """A hub is the work of all threads; large keys are found by hash."""
    for graph in (star(20_000), random_graph(600, 9000, 7)):
        n = graph.num_vertices
        key, rank = (np.arange(n) * 7 % 90 - 1) * scale, RNG.integers(0, 50, n)
        with threads(team):
            found = mark_duplicates(graph, None, key, rank=rank)
        if n > 600:
            best = np.lexsort((np.arange(n), rank))
            first = {key[v]: v for v in best[::-1].tolist() if v}
            expected = [v > 0 and key[v] >= 0 and first[key[v]] != v for v in range(n)]
        else:
            expected = oracles.duplicates(graph, range(n), key, rank)
        assert found.tolist() == expected


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32"])
def test_types_of_keys(dtype):
    graph = SMALL["random"]
    key = (np.arange(150) % 11).astype(dtype)
    assert mark_duplicates(graph, None, key).tolist() == oracles.duplicates(graph, range(150), key)


def test_marks_are_added_to_those_that_are_there():
    graph, out = star(3), np.array([True, False, False, False])
    key = np.array([-1, 7, 7, 8])
    assert mark_duplicates(graph, frontier(graph, [0]), key, out=out) is out
    assert out.tolist() == [True, False, True, False]
    mark_duplicates(graph, frontier(graph, []), np.zeros(4, np.int64), out=out)
    assert out.tolist() == [True, False, True, False]


def test_a_valid_coloring_has_no_marks():
    graph = star(4)
    assert not mark_duplicates(graph, None, np.arange(5), closed=True).any()
    assert mark_duplicates(graph, None, np.array([1, 1, 2, 3, 4])).sum() == 0
    assert mark_duplicates(graph, None, np.array([1, 1, 2, 3, 4]), closed=True).sum() == 1


class TestErrors:
    graph = SMALL["path"]

    def fails(self, error, pattern, **options):
        given = {"key": np.zeros(9, np.int64), **options}
        with pytest.raises(error, match=pattern):
            mark_duplicates(self.graph, None, **given)

    def test_arguments(self):
        self.fails(ValueError, r"key must have one entry per vertex \(9\)", key=np.zeros(3, int))
        self.fails(TypeError, "key must be an array of integers", key=np.zeros(9))
        self.fails(ValueError, r"rank must have one entry per vertex \(9\)", rank=np.zeros(3))
        self.fails(TypeError, "rank must be one array", rank=(np.zeros(9), np.zeros(9)))
        self.fails(TypeError, "closed must be True or False", closed=np.zeros(2))
        self.fails(ValueError, "mode must be", mode="around")
        self.fails(TypeError, "out must be an array of bool", out=np.zeros(9))
        with pytest.raises(TypeError, match="frontier must be a Frontier or None"):
            mark_duplicates(self.graph, [1], np.zeros(9, np.int64))

    @pytest.mark.host
    def test_out_is_not_read(self):
        flags = np.zeros(9, bool)
        self.fails(ValueError, "out must not be an array that the call reads", rank=flags,
                   out=flags)  # fmt: skip
