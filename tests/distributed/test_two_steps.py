"""`mark_duplicates`, totals over two steps, and `take`: on a grid as on one device."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.operators import (
    ADD,
    ANY,
    ARGMIN,
    MAX,
    Monoid,
    frontier,
    mark_duplicates,
    reduce_neighbors,
    take,
)
from tests.distributed.grids import EVERY_VARIANT, check, on_ranks, over_vertices, spotted, thirds
from tests.distributed.test_operators import GRAPHS
from tests.operators.graphs import SMALL


def members_of(graph):
    return frontier(graph, np.flatnonzero(thirds(np.arange(graph.num_vertices))))


@EVERY_VARIANT
def test_mark_duplicates(shape, distribution, choice):
    def work(graph):
        key = over_vertices(graph, lambda ids: ids * 3 % 7 - 1, np.int64)
        rank, out = over_vertices(graph, lambda ids: -spotted(ids)), graph.full(False, bool)
        mark_duplicates(graph, members_of(graph), key, rank=rank, mode="in", out=out)
        return [
            mark_duplicates(graph, None, key),
            mark_duplicates(graph, None, key, rank=rank, closed=True),
            mark_duplicates(graph, members_of(graph), key, closed=True),
            out,
        ]

    check(work, GRAPHS, shape, distribution, choice)


@EVERY_VARIANT
def test_one_total_of_two_steps(shape, distribution, choice):
    def work(graph):
        values, own = over_vertices(graph, spotted), over_vertices(graph, lambda ids: ids / 4)
        ids, out = over_vertices(graph, lambda ids: ids, np.int64), graph.full(0.5)
        options = {"via": graph, "reduce": ADD, "own": own}
        reduce_neighbors(
            graph, members_of(graph), all_of_it, values, mode="out", out=out, **options
        )
        either = reduce_neighbors(graph, None, is_marked, ids, via=graph, reduce=ANY)
        return [
            out,
            reduce_neighbors(graph, None, all_of_it, values, **options),
            reduce_neighbors(graph, None, with_id, values, via=graph, reduce=ARGMIN,
                             dtype=(np.float64, np.int64)),
            reduce_neighbors(graph, members_of(graph), as_they_are, (values, ids), via=graph,
                             reduce=BOTH),
            either >= 0,
        ]  # fmt: skip

    check(work, GRAPHS, shape, distribution, choice)


@EVERY_VARIANT
def test_all_keys(shape, distribution, choice):
    def work(graph):
        values, own = over_vertices(graph, spotted), over_vertices(graph, lambda ids: ids / 4)
        key = over_vertices(graph, lambda ids: ids * 3 % 7 - 1, np.int64)
        options = {"reduce": ADD, "own": own, "mode": "out"}
        members = members_of(graph)
        return [
            reduce_neighbors(graph, None, of_one_step, values, key=key, **options),
            reduce_neighbors(graph, members, of_one_step, values, key=key, finish=part_of_row,
                             params={"scale": 0.5}, keep=2, **options),
            reduce_neighbors(graph, None, all_of_it, values, key="source", via=graph, keep=3,
                             **options),
            reduce_neighbors(graph, members, all_of_it, values, key=key, via=graph, least=2.0,
                             **options),
        ]  # fmt: skip

    check(work, GRAPHS, shape, distribution, choice)


def of_one_step(value, weight, own):
    return value * weight + own


def part_of_row(v, key, total, row_sum, scale):
    return total * scale / (1 + row_sum) + v - key


def all_of_it(value, weight, onward, source, own):
    return value * weight + onward + source + own


def with_id(value, source):
    return value, source


def as_they_are(value):
    return value


def is_marked(value):
    return 1 if value % 5 == 2 else -1


def add_and_max(old, new):
    return old[0] + new[0], max(old[1], new[1])


BOTH = Monoid((0, "lowest"), add_and_max, parts=(ADD, MAX))


def test_both_directions_of_a_directed_graph_are_refused():
    def work(graph):
        with pytest.raises(ValueError, match='mark_duplicates with mode="both"'):
            mark_duplicates(graph, None, graph.full(0), mode="both")

    on_ranks(work, (2, 2), SMALL["random, directed"])


@EVERY_VARIANT
def test_take(shape, distribution, choice):
    def work(graph):
        key = over_vertices(graph, lambda ids: ids * 3 % 5 - 1, np.int64)
        rank = over_vertices(graph, lambda ids: -spotted(ids))
        whole = over_vertices(graph, lambda ids: ids % 4, np.int64)
        given = {"key": key, "budget": np.array([3, 0, 9, 2.5])}
        return [
            take(graph, None, **given),
            take(graph, None, rank=rank, weight=whole, **given),
            take(graph, members_of(graph), rank=rank, weight=rank * -0.3, crossing=True, **given),
        ]

    check(work, GRAPHS, shape, distribution, choice)
