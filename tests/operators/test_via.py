"""`reduce_neighbors` over two steps: rows of a product of matrices, colors at distance two."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.check_bounds import check_bounds
from edgewise.base.threads import threads
from edgewise.graph.csr import CSR
from edgewise.operators import ADD, ANY, ARGMIN, MAX, frontier
from tests.operators import oracles
from tests.operators.engines import reduce_neighbors
from tests.operators.functions import APART, best_sender, pass_on, product
from tests.operators.graphs import SMALL, any_graph, random_graph, star
from tests.operators.test_reduce_neighbors import EVERY_SMALL, floats, some


def both_weights(value, weight, onward, source, own):
    return value * weight + onward + source + own


def check_rows(found, rows):
    assert found.indptr.tolist() == np.cumsum([0, *map(len, rows)]).tolist()
    for v, row in enumerate(rows):
        part = slice(found.indptr[v], found.indptr[v + 1])
        assert found.keys[part].tolist() == sorted(row)
        assert found.totals[part].tolist() == [row[k] for k in sorted(row)]


@EVERY_SMALL
def test_rows_of_a_square(graph):
    values = floats(graph)
    options = {"reduce": ADD, "mode": "out", "via": graph}
    found = reduce_neighbors(graph, None, product, values, key="source", **options)
    everyone = range(graph.num_vertices)
    check_rows(found, oracles.grouped(graph, everyone, product, values, **options))
    chosen = some(graph)
    start = frontier(graph, chosen)
    found = reduce_neighbors(graph, start, product, values, key="source", **options)
    check_rows(found, oracles.grouped(graph, chosen, product, values, **options))


def rectangle(rows, columns, seed):
    """A matrix with rows of 0 to 4 entries; weights are quarters."""
    draw = np.random.default_rng(seed)
    lengths = np.minimum(draw.integers(0, 5, rows), columns)
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    indices = np.concatenate(
        [np.sort(draw.permutation(columns)[:k]) for k in lengths], dtype=np.int64
    )
    return CSR(indptr, indices, draw.integers(1, 9, len(indices)) / 4, num_columns=columns)


@pytest.mark.slow
def test_a_message_may_name_all_and_the_matrix_may_be_wide():
    graph = SMALL["random, directed"]
    via = rectangle(graph.num_vertices, 40, 1)
    values, own = np.arange(40) / 4, floats(graph)
    for mode in ("in", "out"):
        options = {"reduce": ADD, "mode": mode, "via": via, "own": own}
        found = reduce_neighbors(graph, None, both_weights, values, key="source", **options)
        everyone = range(graph.num_vertices)
        check_rows(found, oracles.grouped(graph, everyone, both_weights, values, **options))


@pytest.mark.parametrize("team", [1, 3])
def test_rows_of_any_length(team):
    """More keys than are sorted by insertion, or by one digit; a hub that is met twice."""
    for graph in (star(300), random_graph(600, 9000, 7)):
        with threads(team):
            found = reduce_neighbors(graph, None, product, None, reduce=ADD, mode="out",
                                     via=graph, key="source", dtype=np.float64)  # fmt: skip
        matrix = graph.to_scipy()
        expected = (matrix @ matrix).tocsr()
        expected.sort_indices()
        assert found.indptr.tolist() == expected.indptr.tolist()
        assert found.keys.tolist() == expected.indices.tolist()
        assert found.totals.tolist() == expected.data.tolist()


@settings(max_examples=25)
@given(graph=any_graph(), data=st.data())
def test_random_graphs(graph, data):
    via = rectangle(graph.num_vertices, data.draw(st.integers(1, 9)), data.draw(st.integers(0, 9)))
    options = {"reduce": ADD, "mode": "out", "via": via}
    values, everyone = np.zeros(via.shape[1]), range(graph.num_vertices)
    found = reduce_neighbors(graph, None, product, values, key="source", **options)
    check_rows(found, oracles.grouped(graph, everyone, product, values, **options))


@EVERY_SMALL
def test_the_best_key_two_steps_away(graph):
    values, key = floats(graph), (np.arange(graph.num_vertices) * 3) % 5 - 1
    options = {"reduce": ADD, "mode": "out", "via": graph}
    found = reduce_neighbors(graph, None, product, values, key=key, choose="max", **options)
    rows = oracles.grouped(graph, range(graph.num_vertices), product, values, key, **options)
    best = oracles.chosen(rows, lambda total: total, values)
    assert found.key.tolist() == [k for k, _ in best]
    assert found.total.tolist() == [0 if total is None else total for _, total in best]


@EVERY_SMALL
def test_colors_two_steps_away(graph):
    """The vertex itself is behind every neighbor: its own color is not counted."""
    key = (np.arange(graph.num_vertices) * 3) % 5 - 1
    found = reduce_neighbors(graph, None, None, floats(graph), reduce=None, key=key,
                             choose="absent", via=graph, mode="out")  # fmt: skip
    for v in range(graph.num_vertices):
        behind = {w for u in graph.neighbors(v) for w in graph.neighbors(u).tolist()} - {v}
        taken = {int(key[w]) for w in behind}
        assert found.key[v] == next(k for k in range(len(taken) + 1) if k not in taken)


def check_total(graph, members, message, values, *, via, like=None, **options):
    """One total per member: those of the oracle by vertex, combined."""
    everyone = range(graph.num_vertices) if members is None else members
    start = None if members is None else frontier(graph, members)
    found = reduce_neighbors(graph, start, message, values, via=via, **options)
    options.pop("dtype", None)
    expected = oracles.two_steps(graph, everyone, message, values, via=via, result=like, **options)
    np.testing.assert_equal(found, expected)


@EVERY_SMALL
def test_one_total_of_two_steps(graph):
    values, own = floats(graph), floats(graph)[::-1].copy()
    for members, mode in ((None, "in"), (some(graph), "out"), (None, "both")):
        check_total(graph, members, both_weights, values, via=graph, own=own, like=values,
                    mode=mode, reduce=ADD)  # fmt: skip
    check_total(graph, some(graph), pass_on, values, via=graph, like=values, reduce=MAX)


@EVERY_SMALL
def test_tuples_of_two_steps(graph):
    values, ids = floats(graph), np.arange(graph.num_vertices)
    dtype = (np.float64, np.int64)
    for members in (None, some(graph)):
        check_total(graph, members, best_sender, values, via=graph, dtype=dtype, like=(values, ids),
                    reduce=ARGMIN)  # fmt: skip
    several = values, ids, ids % 3
    check_total(graph, None, pass_on, several, via=graph, like=several, reduce=APART)


@settings(max_examples=25)
@given(graph=any_graph(), data=st.data())
def test_totals_over_any_matrix(graph, data):
    via = rectangle(graph.num_vertices, data.draw(st.integers(1, 9)), data.draw(st.integers(0, 9)))
    values, like = np.arange(via.shape[1]) / 4, np.zeros(graph.num_vertices)
    check_total(graph, None, both_weights, values, via=via, own=like, like=like, reduce=ADD)


@EVERY_SMALL
def test_early_exit_of_two_steps(graph):
    """The result is one of the messages that are not the identity, if there is one."""
    marked = np.arange(graph.num_vertices) % 5 == 2
    found = reduce_neighbors(graph, None, marked_source, marked, reduce=ANY, via=graph, mode="out",
                             dtype=np.int64)  # fmt: skip
    for v in range(graph.num_vertices):
        behind = {w for u in graph.neighbors(v) for w in graph.neighbors(u).tolist() if marked[w]}
        assert found[v] in behind if behind else found[v] == -1


def marked_source(value, source):
    return source if value else -1


@pytest.mark.host
def test_early_exit_skips_the_rest_of_a_row():
    """Behind the first message is a division by zero, which nobody gets to."""
    graph = star(300)
    values = np.zeros(301, np.int64)
    values[1:] = 1
    with check_bounds():
        found = reduce_neighbors(graph, frontier(graph, [5]), reciprocal, values, reduce=ANY,
                                 via=graph, mode="out")  # fmt: skip
    assert found[5] == 1


def reciprocal(value, source):
    return 1 // (2 - source)


@pytest.mark.parametrize("team", [1, 3])
@pytest.mark.host
def test_totals_do_not_depend_on_threads(team):
    """A hub, of more edges than a thread takes at once, and fractions that are rounded."""
    graph = star(40_000)
    values = 1 / (1 + np.arange(graph.num_vertices))
    with threads(team):
        found = reduce_neighbors(graph, frontier(graph, [0, 7]), pass_on, values, reduce=ADD,
                                 via=graph)  # fmt: skip
    with threads(2):
        again = reduce_neighbors(graph, frontier(graph, [0, 7]), pass_on, values, reduce=ADD,
                                 via=graph)  # fmt: skip
    assert found[0] == again[0] == 40_000 and found[7] == again[7]
    assert np.isclose(found[7], values[1:].sum()) and found[1] == 0


def test_results_go_into_out():
    graph, out = SMALL["path"], np.full(9, 7.0)
    options = {"reduce": ADD, "via": graph, "out": out, "mode": "out"}
    assert reduce_neighbors(graph, frontier(graph, [0]), product, floats(graph), **options) is out
    assert (out[1:] == 7).all() and out[0] != 7
    wide = rectangle(9, 40, 1)
    found = reduce_neighbors(graph, None, pass_on, np.ones(40), reduce=ADD, via=wide, mode="out")
    assert found.tolist() == [sum(wide.indptr[u + 1] - wide.indptr[u] for u in graph.neighbors(v))
                              for v in range(9)]  # fmt: skip


class TestErrors:
    graph = SMALL["path"]

    def fails(self, error, pattern, *, values=None, message=product, **options):
        given = {"reduce": ADD, "via": self.graph, "mode": "out", **options}
        values = self.graph.full(0.0) if values is None else values
        with pytest.raises(error, match=pattern):
            reduce_neighbors(self.graph, None, message, values, **given)

    def test_two_steps(self):
        self.fails(ValueError, "via must have a row for each of 9", via=SMALL["star"])
        self.fails(TypeError, "via must be a Graph or CSR", via=[1, 2])
        self.fails(TypeError, "via must be a Graph or CSR", via=self.graph.to_scipy())
        self.fails(
            ValueError, "values must have one entry", values=np.zeros(3), message=both_weights
        )
        self.fails(ValueError, "key must have one entry", key=np.zeros(3, np.int64))
        self.fails(TypeError, "message may name", message=lambda edge: edge)

    def test_keys_and_totals(self):
        rule = 'key must be an array of integers, or with via "source"'
        self.fails(TypeError, rule, key="target")
        self.fails(TypeError, rule, key="source", via=None)
        self.fails(TypeError, "choose belongs to key", choose="max")
        self.fails(TypeError, "needs an array as key", key="source", choose="absent")
        self.fails(TypeError, "out with key requires choose", key="source", out=np.zeros(9))
        self.fails(TypeError, "own must be given with via", message=both_weights)
        self.fails(ValueError, "values must have one entry", values=np.zeros((9, 2)))
        two = (np.zeros(9), np.zeros(9, np.int64))
        self.fails(TypeError, "key needs one array of values", key="source", values=two)
