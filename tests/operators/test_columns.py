"""State of several columns in `advance` and `propagate`: each column as if it were alone."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.threads import threads
from edgewise.operators import ADD, AND, ANY, MIN, OR
from tests.operators import oracles
from tests.operators.engines import advance, propagate
from tests.operators.functions import aimed, below, drawn, pass_on, sender, through, tilted, unset
from tests.operators.graphs import SMALL, random_graph

DIRECTIONS = ("push", "pull", "auto")
GRAPHS = {name: SMALL[name] for name in ("empty", "no edges", "star", "random", "random, directed")}


def table(graph, columns):
    n = graph.num_vertices
    return (np.arange(n * columns).reshape(n, columns) * 5 % 11) / 4


def check(engine, operator, graph, members, message, values, **options):
    """The operator and the oracle agree in every direction."""
    chosen = range(graph.num_vertices) if members is None else members
    expected = getattr(oracles, operator)(graph, list(chosen), message, values, **options)
    for direction in DIRECTIONS:
        result, ids = engine.send(
            operator, graph, members, message, values, direction=direction, **options
        )
        np.testing.assert_array_equal(result, expected[0])
        assert ids == expected[1]


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("columns", [1, 5])
def test_sums(engine, graph, columns):
    some = list(range(0, graph.num_vertices, 2))
    options = {"reduce": ADD, "params": {"pull": 0.5, "table": np.array([0.0, 0.25])}}
    check(engine, "advance", graph, some, drawn, table(graph, columns), **options)
    options["source_values"] = table(graph, columns) * 2
    check(engine, "advance", graph, None, drawn, table(graph, columns), **options)


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("bound", [2.0, np.inf])
def test_distances_from_several_sources(engine, graph, bound):
    """A vertex wakes if one of its columns is awake."""
    values = np.full((graph.num_vertices, 4), np.inf)
    start = list(range(min(4, graph.num_vertices)))
    values[start, start] = 0
    options = {"reduce": MIN, "wake": below, "params": {"bound": bound}}
    check(engine, "propagate", graph, start, through, values, **options)


def test_where_asks_of_each_column(engine):
    for graph in (SMALL["two parts"], SMALL["random, directed"]):
        values = np.zeros((graph.num_vertices, 3), np.int64)
        values[[0, 1, 2], [0, 1, 2]] = 1
        options = {"reduce": ADD, "where": unset}
        check(engine, "propagate", graph, [0, 1, 2], aimed, values, weights=None, **options)


@pytest.mark.parametrize("team", [1, 3])
def test_many_searches_in_words_of_bits(engine, team):
    """Reachability from 128 vertices at once."""
    graph = random_graph(700, 900, 4, directed=True)
    n = graph.num_vertices
    words = np.zeros((n, 2), np.uint64)
    lanes = np.arange(128)
    words[lanes, lanes // 64] = np.uint64(1) << (lanes % 64).astype(np.uint64)
    with threads(team):
        for direction in DIRECTIONS:
            result, left = engine.send(
                "propagate", graph, None, pass_on, words, reduce=OR, direction=direction
            )
            assert left == []
    for lane in (0, 63, 64, 127):
        reached = graph.full(-1, np.int32)
        reached[lane] = lane
        reached, _, _ = oracles.propagate(graph, [lane], sender, reached, reduce=ANY)
        bit = (result[:, lane // 64] >> np.uint64(lane % 64)) & np.uint64(1)
        np.testing.assert_array_equal(bit.astype(bool), reached >= 0)


def test_who_has_all_bits_is_passed_over(engine):
    """Words that are full from the start, or become so; nothing else differs."""
    for graph in (SMALL["random"], SMALL["random, directed"]):
        words = np.zeros((graph.num_vertices, 2), np.uint64)
        words[:, 1] = 2**64 - 1
        words[::3, 0] = 2**64 - 1
        words[1::3, 0] = np.arange(len(words[1::3]))
        check(engine, "advance", graph, None, pass_on, words, reduce=OR, source_values=words.copy())


@pytest.mark.slow
def test_bits_of_one_column(engine):
    graph = SMALL["two parts"]
    for dtype in (np.uint8, np.bool_):
        values = np.ones(8, dtype)
        values[[1, 5]] = 0
        check(engine, "propagate", graph, None, pass_on, values, reduce=AND)
        check(engine, "propagate", graph, [0, 4], pass_on, values, reduce=OR)


@pytest.mark.slow
def test_any_of_each_column(engine):
    graph = SMALL["random"]
    values = np.full((graph.num_vertices, 2), -1, np.int32)
    values[0, 0] = values[1, 1] = 7
    for direction in DIRECTIONS:
        result, ids = engine.send(
            "propagate", graph, [0, 1], pass_on, values, reduce=ANY, direction=direction
        )
        assert ids == [] and set(np.unique(result)) <= {-1, 7}
        for j, source in enumerate((0, 1)):
            alone = values[:, j].copy()
            alone, _, _ = oracles.propagate(graph, [source], pass_on, alone, reduce=ANY)
            np.testing.assert_array_equal(result[:, j] == 7, alone == 7)


class TestErrors:
    graph = SMALL["two parts"]

    def test_shapes(self):
        for shape in ((8, 0), (8, 65)):
            with pytest.raises(ValueError, match="values must have 1 to 64 columns"):
                propagate(self.graph, None, pass_on, np.zeros(shape), reduce=MIN)
        with pytest.raises(ValueError, match="source_values must have the shape of values"):
            advance(self.graph, None, pass_on, np.zeros((8, 2)), source_values=np.zeros((8, 3)),
                    reduce=ADD)  # fmt: skip
        with pytest.raises(ValueError, match="source_values must have the shape of values"):
            advance(
                self.graph, None, pass_on, np.zeros((8, 2)), source_values=np.zeros(8), reduce=ADD
            )

    def test_what_has_no_columns(self):
        with pytest.raises(ValueError, match="priority needs reduce=MIN or MAX over one array"):
            propagate(self.graph, None, through, np.zeros((8, 2)), reduce=MIN, priority=1.0)
        with pytest.raises(TypeError, match="may name value, weight, .*, target here"):
            advance(self.graph, None, tilted, np.zeros(8), reduce=ADD)
