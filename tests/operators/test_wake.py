"""`own` and `params` in messages and conditions, and `wake`: who sends of those that changed."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.operators import ADD, ANY, MIN
from tests.operators import oracles
from tests.operators.engines import advance, propagate
from tests.operators.functions import (
    at_least,
    below,
    drawn,
    hop,
    pass_on,
    sender,
    through,
    unset,
)
from tests.operators.graphs import SMALL, random_graph

DIRECTIONS = ("push", "pull", "auto")
GRAPHS = [SMALL["random"], SMALL["random, directed"], SMALL["star"], random_graph(900, 4000, 3)]


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_own_and_params(engine, direction):
    """`own` is the target's value from before the call; params may change between calls."""
    for graph in GRAPHS[:2]:
        values = (np.arange(graph.num_vertices) * 5) % 11 / 4
        members = list(range(0, graph.num_vertices, 2))
        for pull, table in ((0.5, np.array([0.0, 2.0])), (0.25, np.arange(9.0))):
            options = {"reduce": ADD, "params": {"pull": pull, "table": table}}
            expected, changed = oracles.advance(graph, members, drawn, values, **options)
            result, ids = engine.send(
                "advance", graph, members, drawn, values, direction=direction, **options
            )
            np.testing.assert_array_equal(result, expected)
            assert ids == changed


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(
    ("bound", "least"), [(3, 0), (1, 3), (100, 3)], ids=["where", "both", "wake"]
)
def test_who_listens_and_who_sends(engine, direction, bound, least):
    """Where messages are added up apart: whoever does not wake keeps its value all the same."""
    for graph in GRAPHS:
        values, depths = graph.full(0), graph.full(0, np.int32)
        values[:2] = 1
        options = {"reduce": ADD, "where": below, "wake": at_least, "max_iter": 5,
                   "params": {"bound": bound, "least": least}}  # fmt: skip
        expected, left, turns = oracles.propagate(graph, [0, 1], pass_on, values, **options)
        result, ids = engine.send(
            "propagate", graph, [0, 1], pass_on, values,
            direction=direction, depths=depths, **options,
        )  # fmt: skip
        np.testing.assert_array_equal(result, expected)
        assert ids == left and depths.tolist() == turns


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_who_sends_where_values_change_in_place(engine, direction):
    for graph in GRAPHS:
        hops = graph.full(np.inf)
        hops[0] = 0
        for bound in (0, 2, 4):
            options = {"reduce": MIN, "wake": below, "params": {"bound": bound}}
            expected, _, turns = oracles.propagate(graph, [0], hop, hops, **options)
            depths = graph.full(0, np.int32)
            result, left = engine.send(
                "propagate", graph, [0], hop, hops, direction=direction, depths=depths, **options
            )
            np.testing.assert_array_equal(result, expected)
            assert left == [] and depths.tolist() == turns


def is_even(value):
    return value % 2 == 0


@pytest.mark.slow
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_wake_with_early_exit(engine, direction):
    graph = SMALL["two parts"]
    values = graph.full(-1, np.int32)
    options = {"reduce": ANY, "wake": is_even}
    expected, _, _ = oracles.propagate(graph, [0, 5], sender, values, **options)
    result, left = engine.send(
        "propagate", graph, [0, 5], sender, values, direction=direction, **options
    )
    np.testing.assert_array_equal(result, expected)
    assert left == []


class TestErrors:
    graph = SMALL["two parts"]

    def fails(self, pattern, message=through, operator=propagate, **options):
        options = {"reduce": MIN, **options}
        with pytest.raises(TypeError, match=pattern):
            operator(self.graph, None, message, self.graph.full(0.0), **options)

    def test_params(self):
        self.fails("params has 'bound', which no function", params={"bound": 1})
        self.fails("params must be a dict", params=[1])
        self.fails("may name value, weight, source, edge, own, target here", message=below)
        self.fails(r"params\['bound'\] must be a number or an array", where=below,
                   params={"bound": "one"})  # fmt: skip

    def test_wake(self):
        self.fails("wake must take 1 argument", wake=below)
        self.fails("wake has no meaning with priority", wake=unset, priority=1.0)
        self.fails("unexpected keyword argument 'wake'", operator=advance, wake=unset)
