"""What messages and scores may name, columns, waking and peeling: on a grid as on one device."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.operators import (
    ADD,
    AND,
    MAX,
    MIN,
    OR,
    advance,
    for_rows,
    frontier,
    propagate,
    reduce_neighbors,
    sweep,
    unwind,
)
from tests.distributed.grids import (
    EVERY_VARIANT,
    VARIANTS,
    assert_close,
    check,
    on_ranks,
    over_arcs,
    over_vertices,
    spotted,
    start,
    thirds,
)
from tests.distributed.test_operators import GRAPHS
from tests.operators.functions import (
    PRODUCT,
    below,
    better_off,
    drawn,
    gain,
    hop,
    one,
    pass_on,
    product,
    spread,
    through,
    tilted,
)
from tests.operators.graphs import SMALL
from tests.tiers import later

pytestmark = pytest.mark.slow  # many kernels; test_operators has the first tier's

SOME_VARIANTS = pytest.mark.parametrize(
    ("shape", "distribution", "choice"), [*VARIANTS[:3], later((1, 1), "random", {})]
)
FEW = [SMALL[name] for name in ("random", "random, directed", "repeated edges", "one vertex")]
KEYS = 7


def members_of(graph):
    return frontier(graph, np.flatnonzero(thirds(np.arange(graph.num_vertices))))


def labels_of(graph):
    return over_vertices(graph, lambda ids: ids * 3 % KEYS, np.int64)


def put_both(v, key, score, keys, scores):
    keys[v], scores[v] = key, score


# Neighborhoods.


@SOME_VARIANTS
def test_the_best_score(shape, distribution, choice):
    """By tables that every rank has and by arrays over vertices, with a key to stay."""

    def work(graph):
        n, found = graph.num_vertices, []
        values, own = over_vertices(graph, spotted), over_vertices(graph, lambda ids: ids / 4)
        stay = over_vertices(graph, lambda ids: ids * 5 % (KEYS + 2) - 2, np.int64)
        many = over_vertices(graph, lambda ids: ids * 7 % max(n, 1), np.int64)
        table = (np.arange(KEYS) * 3 % 5) / 2
        options = {"reduce": ADD, "own": own, "params": {"scale": 0.25}}
        for members, mode, keep in ((None, "in", None), (members_of(graph), "out", stay)):
            for key, size in ((labels_of(graph), table), (many, over_vertices(graph, spotted))):
                if keep is not None and key is many:
                    keep = over_vertices(graph, lambda ids: ids - 1, np.int64)
                found.append(
                    reduce_neighbors(graph, members, spread, values, key=key, mode=mode,
                                     choose=gain if keep is None else better_off, stay=keep,
                                     by_key={"size": size}, **options)
                )  # fmt: skip
        kept, put = (graph.full(77), graph.full(7.5)), (graph.full(77), graph.full(7.5))
        options |= {"key": many, "by_key": {"size": values}}
        reduce_neighbors(graph, members_of(graph), spread, values, out=kept, choose=gain, **options)
        for_rows(graph, members_of(graph), spread, put_both, put, values=values, mode="out",
                 choose=better_off, stay=many, **options)  # fmt: skip
        return [tuple(one) for one in found], kept, put

    check(work, GRAPHS, shape, distribution, choice)


@pytest.mark.parametrize(
    ("shape", "distribution", "choice"), [VARIANTS[0], later((1, 3), "block", {})]
)
def test_two_steps(shape, distribution, choice):
    """By the vertex that is reached and by a key; rows that are asked for come from everywhere."""

    def work(graph):
        values, own = over_vertices(graph, spotted), over_vertices(graph, lambda ids: ids / 4)
        color = over_vertices(graph, lambda ids: ids * 3 % KEYS - 1, np.int64)
        options = {"reduce": ADD, "via": graph}
        return [
            tuple(reduce_neighbors(graph, members_of(graph), all_of_it, values, own=own,
                                   mode="out", key="source", choose="max", **options)),
            tuple(reduce_neighbors(graph, None, product, values, key=labels_of(graph),
                                   choose="min", stay=labels_of(graph), **options)),
            reduce_neighbors(graph, None, None, color, key=color, via=graph,
                             choose="absent").key,
        ]  # fmt: skip

    check(work, FEW, shape, distribution, choice)


def all_of_it(value, weight, onward, source, own):
    return value * weight + onward + source + own


def test_the_second_step_along_another_graph():
    """Rated by a score; on one device the same graph may be given as any matrix."""
    first, second = FEW[0], SMALL["random, directed"]
    assert first.num_vertices == second.num_vertices

    def work(graph, via):
        values = over_vertices(graph, spotted)
        return tuple(
            reduce_neighbors(graph, None, product, values, reduce=ADD, via=via, own=values,
                             key=labels_of(graph), by_key={"size": np.arange(KEYS) / 2},
                             choose=gain, params={"scale": 0.25})
        )  # fmt: skip

    for shape in ((2, 2), (1, 3), (1, 1)):
        assert_close(on_ranks(work, shape, first, second), work(first, second))


@SOME_VARIANTS
def test_the_least_absent_key(shape, distribution, choice):
    def work(graph):
        color = over_vertices(graph, lambda ids: ids * 3 % KEYS - 1, np.int64)
        kept = graph.full(77)
        absent = {"key": color, "choose": "absent"}
        reduce_neighbors(graph, members_of(graph), None, color, out=(kept, None), **absent)
        every = reduce_neighbors(graph, None, None, color, mode="out", **absent)
        return every.key, every.total is None, kept

    check(work, GRAPHS, shape, distribution, choice)


@SOME_VARIANTS
def test_keys_combined_by_any_monoid(shape, distribution, choice):
    def work(graph):
        values, label = over_vertices(graph, lambda ids: ids % 3 + 1, np.int64), labels_of(graph)
        return [
            tuple(reduce_neighbors(graph, None, pass_on, values, reduce=reduce, key=label,
                                   choose=choose))
            for reduce, choose in ((PRODUCT, "max"), (OR, "min"))
        ]  # fmt: skip

    check(work, FEW, shape, distribution, choice)


TABLE = np.array([0.25, 0.5])


def settled(v, total, values, rate):
    return rate * total + (1 - rate) * values[v], abs(total - values[v])


def scaled(total, own, scale):
    return total * scale + own


@SOME_VARIANTS
@pytest.mark.parametrize("mode", ["in", "both"])
def test_own_and_params_of_neighborhoods(mode, shape, distribution, choice):
    def work(graph):
        values, out = over_vertices(graph, spotted), graph.full(0.0)
        given = {"reduce": ADD, "mode": mode}
        table = {"pull": 0.5, "table": TABLE}
        total = reduce_neighbors(graph, None, drawn, values, params=table, weights=over_arcs(graph),
                                 **given)  # fmt: skip
        change = sweep(graph, drawn, values, settled, (values,), out=out,
                       params={**table, "rate": 0.75}, **given)  # fmt: skip
        depths = over_vertices(graph, lambda ids: ids % 4, np.int32)
        under = over_vertices(graph, spotted)
        unwind(graph, depths, drawn, under, finish=scaled, params={**table, "scale": 0.125},
               **given)  # fmt: skip
        return total, change, out, under

    check(work, FEW, shape, distribution, choice)


def shifted(value, own, column):
    return value + own * column


def mixed(v, total, rate, column):
    return total * rate[column], total


def rows_of(graph, columns=3, dtype=np.float64):
    """State of several columns."""
    return over_vertices(graph, lambda ids: (ids[:, None] * 7 + 3 * np.arange(columns)) % 11, dtype)


@SOME_VARIANTS
@pytest.mark.parametrize("mode", ["in", "both"])
def test_columns_of_neighborhoods(mode, shape, distribution, choice):
    def work(graph):
        values, found = rows_of(graph), []
        for members in (None, members_of(graph)):
            found.append(reduce_neighbors(graph, members, tilted, values, reduce=ADD,
                                          mode=mode))  # fmt: skip
        out = rows_of(graph)
        reduce_neighbors(graph, members_of(graph), tilted, values, reduce=ADD, mode=mode,
                         out=out)  # fmt: skip
        rate, made = np.array([0.5, 2.0, 4.0]), rows_of(graph) * 0
        total = sweep(graph, tilted, values, mixed, (), reduce=ADD, out=made, mode=mode,
                      params={"rate": rate})  # fmt: skip
        return found, out, total, made

    check(work, FEW, shape, distribution, choice)


# Traversals.


@SOME_VARIANTS
@pytest.mark.parametrize(
    "reduce",
    [ADD, later(MIN), later(PRODUCT)],
    ids=["ADD", "MIN", "product"],
)
def test_own_and_params_of_rounds(reduce, shape, distribution, choice):
    """Messages see their targets, whatever combines them, along all mode, and who listens."""

    def work(graph):
        found = []
        for members, mode, direction in (
            (members_of(graph), "out", "auto"), (None, "in", "pull"), (members_of(graph), "both",
                                                                       "push"),
        ):  # fmt: skip
            values = over_vertices(graph, lambda ids: ids % 4 + 1)
            changed = advance(
                graph, members, drawn, values, reduce=reduce, mode=mode, direction=direction,
                where=below, params={"pull": 0.5, "table": TABLE, "bound": 4},
                source_values=over_vertices(graph, spotted),
            )  # fmt: skip
            found += [values, changed]
        return found

    check(work, FEW, shape, distribution, choice)


def over(value, limit):
    return value > limit


def further(value, weight, most):
    return min(value + weight, most)


@SOME_VARIANTS
def test_who_wakes(shape, distribution, choice):
    def work(graph):
        near, first = start(graph, np.inf, 0)
        left = propagate(graph, first, hop, near, reduce=MIN, wake=below,
                         params={"bound": 3})  # fmt: skip
        return near, left

    check(work, FEW, shape, distribution, choice)


@SOME_VARIANTS
@pytest.mark.parametrize("direction", ["auto", "pull"])
def test_who_wakes_of_sums(direction, shape, distribution, choice):
    def work(graph):
        depths = graph.full(0, np.int32)
        some = over_vertices(graph, lambda ids: ids % 5, np.int64)
        rest = propagate(graph, None, one, some, reduce=ADD, wake=below, direction=direction,
                         params={"bound": 9}, max_iter=2, depths=depths)  # fmt: skip
        return depths, some, rest

    check(work, FEW, shape, distribution, choice)


def one_less():
    return -1


@EVERY_VARIANT
def test_peeling(shape, distribution, choice):
    """Degrees fall as vertices leave: the levels are core numbers."""

    def work(graph):
        found = []
        for mode in ("out", "both"):
            for members in (None, members_of(graph)):
                values, levels = graph.row_lengths() * 1, graph.full(-1)
                left = propagate(graph, members, one_less, values, reduce=ADD, levels=levels,
                                 mode=mode)  # fmt: skip
                found += [values, levels, left]
        return found

    check(work, GRAPHS, shape, distribution, choice)


@SOME_VARIANTS
def test_columns_and_bits(shape, distribution, choice):
    """Searches from many vertices at once: a column each, and a bit each."""

    def work(graph):
        n = graph.num_vertices
        far = graph.xp.full((n, 3), np.inf)
        far[[0, n // 2, n - 1], [0, 1, 2]] = 0
        left = propagate(graph, None, through, far, reduce=MIN)
        seen = over_vertices(graph, lambda ids: np.where(ids < 60, 1 << ids % 60, 0), np.int64)
        rest = propagate(graph, None, pass_on, seen, reduce=OR)
        return far, left, seen, rest

    check(work, FEW, shape, distribution, choice)


@SOME_VARIANTS
def test_columns_that_listen_and_wake(shape, distribution, choice):
    def work(graph):
        sums, wide = rows_of(graph, dtype=np.int64), rows_of(graph)
        changed = advance(graph, members_of(graph), shifted, sums, reduce=ADD, where=below,
                          mode="both", params={"bound": 6})  # fmt: skip
        left = propagate(graph, None, further, wide, reduce=MAX, wake=over,
                         params={"most": 12, "limit": 9})  # fmt: skip
        bits = over_vertices(graph, lambda ids: ids, np.int64)
        heard = advance(graph, members_of(graph), pass_on, bits, reduce=AND, mode="both",
                        source_values=bits.copy())  # fmt: skip
        return sums, changed, wide, left, bits, heard

    check(work, FEW, shape, distribution, choice)
