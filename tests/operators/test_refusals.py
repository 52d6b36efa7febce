"""Wrong calls: the same error, word for word, on CPU threads, CUDA, and grids of one rank and four.

Arguments are checked once, in the modules that hold the contracts, so an engine that has a rule of
its own shows here. What only some engines can say (where arrays must be) is tested with them.
"""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.distributed import Grid, distribute
from edgewise.distributed.rank_threads import run_threads
from edgewise.operators import (
    ADD,
    ARGMIN,
    MAX,
    MIN,
    OR,
    Monoid,
    advance,
    compute,
    deliver,
    filter,
    for_rows,
    frontier,
    look_up,
    multisplit,
    propagate,
    reduce_all,
    reduce_neighbors,
    sample,
    sweep,
    unwind,
)
from tests.operators.engines import ENGINES
from tests.operators.functions import one, pair_through, spread, tally, through, unset
from tests.operators.graphs import random_graph

GRAPH = random_graph(20, 40, 3)


def total_of(v, total, values):
    return total, 0.0


def scaled(value, factor):
    return value * factor


def rating(total, key, size):
    return total * size


def shifted(value, column):
    return value + column


def at_level(value, level):
    return value + level


def kept(v, total, out):
    out[v] = total


def with_own(value, own):
    return value * own


def misnamed(value, wieght):
    return value * wieght


def strange(old, new):
    return old


def traversals(graph, state, ids, **_):
    """Wrong calls of `advance` and `propagate`, by name."""

    def spread_out(values=state, message=through, members=None, **options):
        return propagate(graph, members, message, values, **{"reduce": MIN, **options})

    def one_round(function=through, values=state, **options):
        return advance(graph, None, function, values, **{"reduce": MIN, **options})

    n, depths = graph.num_vertices, graph.full(0, np.int32)
    short = graph.xp.ones(3, np.float16)
    return {
        "edges": lambda: spread_out(mode="up"),
        "direction": lambda: spread_out(direction="down"),
        "schedule": lambda: spread_out(schedule="later", priority=1.0),
        "schedule alone": lambda: spread_out(schedule="near_far"),
        "weights": lambda: spread_out(weights="double"),
        "no monoid": lambda: spread_out(reduce=min),
        "odd monoid": lambda: spread_out(reduce=Monoid(0, strange, early_exit=True)),
        "monoid of one": lambda: spread_out(reduce=Monoid(0, abs)),
        "max_iter": lambda: spread_out(max_iter=-1),
        "max_iter 2": lambda: spread_out(max_iter=1.5),
        "priority": lambda: spread_out(priority=-1.0),
        "priority 2": lambda: spread_out(priority="high"),
        "priority and max_iter": lambda: spread_out(priority=1.0, max_iter=3),
        "priority and depths": lambda: spread_out(priority=1.0, depths=depths),
        "priority and wake": lambda: spread_out(priority=1.0, wake=unset),
        "priority and pull": lambda: spread_out(priority=1.0, direction="pull"),
        "priority and ADD": lambda: spread_out(priority=1.0, reduce=ADD),
        "depths": lambda: spread_out(depths=state),
        "levels and depths": lambda: spread_out(levels=ids, depths=depths),
        "levels and wake": lambda: spread_out(levels=ids, wake=unset),
        "levels and max_iter": lambda: spread_out(levels=ids, max_iter=2),
        "levels and tuples": lambda: spread_out((state, ids), pair_through, reduce=ARGMIN,
                                                levels=ids),
        "levels are values": lambda: spread_out(ids, levels=ids),
        "levels of truths": lambda: spread_out(levels=graph.full(False)),
        "no frontier": lambda: spread_out(members=[1, 2]),
        "message": lambda: spread_out(message=misnamed),
        "message 2": lambda: spread_out(message=3),
        "where": lambda: spread_out(where=through),
        "wake": lambda: spread_out(wake=through),
        "params": lambda: spread_out(message=scaled, params=[1]),
        "params 2": lambda: spread_out(message=scaled, params={"factor": "two"}),
        "params 3": lambda: spread_out(message=scaled, params={"value": 1}),
        "params 4": lambda: spread_out(params={"factor": 1}),
        "params 5": lambda: spread_out(message=scaled, params={"factor": 2**64}),
        "one array twice": lambda: spread_out((state, state), pair_through, reduce=ARGMIN),
        "five arrays": lambda: spread_out((state,) * 5),
        "an array in a tuple": lambda: spread_out((state,)),
        "tuples and MIN": lambda: spread_out((state, ids)),
        "complex numbers": lambda: spread_out(graph.full(0j)),
        "short floats": lambda: spread_out(graph.full(0.0, np.float16)),
        "short params": lambda: spread_out(message=scaled, params={"factor": short}),
        "short edge form": lambda: one_round(tally, graph.full(0.0, np.float16), reduce=None),
        "bits of floats": lambda: spread_out(reduce=OR),
        "too many columns": lambda: spread_out(graph.xp.zeros((n, 65))),
        "columns and levels": lambda: spread_out(graph.xp.zeros((n, 2)), levels=ids),
        "columns and priority": lambda: spread_out(graph.xp.zeros((n, 2)), priority=1.0),
        "columns and tuples": lambda: spread_out((graph.xp.zeros((n, 2)), state), pair_through,
                                                 reduce=ARGMIN),
        "columns and sources": lambda: one_round(values=graph.xp.zeros((n, 2)),
                                                 source_values=state),
        "column without columns": lambda: spread_out(message=shifted),
        "level without levels": lambda: spread_out(message=at_level),
        "edge form and sources": lambda: one_round(tally, (state, state), reduce=None,
                                                   source_values=state),
        "message without reduce": lambda: one_round(reduce=None),
        "message and neighbors": lambda: one_round(neighbors=slice(0, 1)),
        "message and output": lambda: one_round(output="edges"),
        "unwind": lambda: unwind(graph, state, spread, state, reduce=ADD),
        "unwind 2": lambda: unwind(graph, depths, spread, (state, state), reduce=ADD),
        "unwind 3": lambda: unwind(graph, depths, spread, state, reduce=ARGMIN),
        "unwind 4": lambda: unwind(graph, depths, spread, state, reduce=ADD, mode="no"),
        "unwind 5": lambda: unwind(graph, depths, spread, state, reduce=ADD, finish=one),
    }  # fmt: skip


def neighborhoods(graph, state, ids, **_):
    """Wrong calls of `reduce_neighbors` and `sweep`, by name."""

    def look(message=spread, values=state, members=None, **options):
        return reduce_neighbors(graph, members, message, values, **{"reduce": ADD, **options})

    def pass_over(message=spread, finish=total_of, given=state, **options):
        options = {"reduce": ADD, "out": graph.full(0.0), **options}
        return sweep(graph, message, state, finish, given, **options)

    def visit_rows(message=spread, finish=kept, **options):
        options = {"reduce": ADD, "values": state, **options}
        return for_rows(graph, None, message, finish, (graph.full(0.0),), **options)

    n, marks = graph.num_vertices, graph.full(1.0)
    return {
        "look, edges": lambda: look(mode="up"),
        "look, no monoid": lambda: look(reduce=sum),
        "look, no frontier": lambda: look(members=3),
        "look, dtype": lambda: look(dtype="word"),
        "look, short dtype": lambda: look(dtype=np.float16),
        "look, long dtype": lambda: look(dtype=np.longdouble),
        "look, short out": lambda: look(out=graph.full(0.0, np.float16)),
        "look, message": lambda: look(misnamed),
        "look, weights": lambda: look(weights="double"),
        "look, weights 2": lambda: look(one, weights="double"),
        "look, identity": lambda: look(one, ids, reduce=Monoid(0.5, strange)),
        "look, out is values": lambda: look(out=state),
        "look, out of another type": lambda: look(dtype=np.float32, out=graph.full(0.0)),
        "choose alone": lambda: look(choose="max"),
        "stay alone": lambda: look(stay=ids),
        "stay without choose": lambda: look(one, ids, key=ids, stay=ids),
        "stay and absent": lambda: look(None, ids, key=ids, stay=ids, choose="absent"),
        "choose": lambda: look(one, ids, key=ids, choose="best"),
        "key and out": lambda: look(one, ids, key=ids, out=graph.full(0)),
        "keys that are no integers": lambda: look(one, ids, key=state, choose="max"),
        "keys beyond int64": lambda: look(one, ids, key=ids.astype(np.uint64), choose="max"),
        "stay that is no integer": lambda: look(one, ids, key=ids, choose="max", stay=state),
        "key and tuples": lambda: look(pair_through, (state, ids), key=ids, choose="max",
                                       reduce=ARGMIN),
        "by_key alone": lambda: look(one, ids, key=ids, choose="max", by_key={"size": ids}),
        "by_key": lambda: look(one, ids, key=ids, choose=rating, by_key=ids),
        "by_key 2": lambda: look(one, ids, key=ids, choose=rating, by_key={"total": ids}),
        "by_key 3": lambda: look(one, ids, key=ids, choose=rating, by_key={"mass": ids}),
        "staying alone": lambda: look(one, ids, key=ids, choose=lambda staying: staying),
        "by_key 4": lambda: look(one, ids, key=ids, choose=rating,
                                 by_key={"size": graph.xp.ones((3, 2))}),
        "score": lambda: look(one, ids, key=ids, choose=rating),
        "score and params": lambda: look(one, ids, key=ids, choose=rating, params={"total": 1},
                                         by_key={"size": marks}),
        "out of columns": lambda: look(values=graph.xp.zeros((n, 2)), out=state),
        "own of columns": lambda: look(with_own, own=graph.xp.zeros((n, 2))),
        "key of columns": lambda: look(one, graph.xp.zeros((n, 2)), key=ids, choose="max"),
        "out for what is chosen": lambda: look(one, ids, key=ids, choose="max", out=(ids, state)),
        "out for both": lambda: look(one, state, key=ids, choose="max", dtype=np.int64,
                                     out=(graph.full(0),) * 2),
        "out is by_key": lambda: look(one, ids, key=ids, choose=rating, by_key={"size": marks},
                                      out=(graph.full(0), marks)),
        "out for what is absent": lambda: look(None, ids, key=ids, choose="absent",
                                               out=(graph.full(0), state)),
        "for_rows, edges": lambda: visit_rows(mode="up"),
        "for_rows, monoid": lambda: visit_rows(reduce=sum),
        "for_rows, finish": lambda: visit_rows(finish=unset),
        "for_rows, message": lambda: visit_rows(misnamed),
        "for_rows, params": lambda: visit_rows(params={"factor": 2}),
        "for_rows, choose alone": lambda: visit_rows(choose="max"),
        "for_rows, key alone": lambda: visit_rows(key=ids),
        "for_rows, stay alone": lambda: visit_rows(stay=ids),
        "for_rows, absent": lambda: visit_rows(key=ids, choose="absent"),
        "for_rows, keys": lambda: visit_rows(key=state, choose="max"),
        "for_rows, finish by key": lambda: visit_rows(key=ids, choose="max", finish=unset),
        "for_rows, staying": lambda: visit_rows(key=ids, choose=lambda staying: staying),
        "for_rows, params 2": lambda: visit_rows(params={"total": 2}),
        "sweep, short floats": lambda: pass_over(given=graph.full(0.0, np.float16)),
        "sweep, edges": lambda: pass_over(mode="up"),
        "sweep, sums": lambda: pass_over(sums=0),
        "sweep, no finish": lambda: pass_over(finish=None),
        "sweep, finish": lambda: pass_over(finish=unset),
        "sweep, message": lambda: pass_over(misnamed),
        "sweep, monoid": lambda: pass_over(reduce=ARGMIN),
        "sweep, out is values": lambda: pass_over(out=state),
        "sweep, params": lambda: pass_over(params={"factor": 2}),
        "sweep, params 2": lambda: pass_over(params={"total": 2}),
    }  # fmt: skip


def members(graph, state, ids, **_):
    """Wrong calls of the operators on members and pointers, by name."""
    n, short = graph.num_vertices, graph.full(0.0, np.float16)
    return {
        "compute, short floats": lambda: compute(graph, None, total_of, (state, short)),
        "filter, short floats": lambda: filter(graph, None, total_of, (short, state)),
        "reduce_all, short floats": lambda: reduce_all(graph, short, reduce=MAX),
        "reduce_all, short dtype": lambda: reduce_all(graph, state, reduce=MAX, dtype=np.float16),
        "look_up, short floats": lambda: look_up(graph, short, ids),
        "compute, frontier": lambda: compute(graph, 7, total_of, (state, state)),
        "compute, function": lambda: compute(graph, None, unset, (state, state)),
        "filter, function": lambda: filter(graph, None, "even", state),
        "reduce_all, no monoid": lambda: reduce_all(graph, state, reduce=max),
        "reduce_all, dtype": lambda: reduce_all(graph, state, reduce=MAX, dtype=object),
        "look_up, at": lambda: look_up(graph, state, state),
        "look_up, far": lambda: look_up(graph, state, graph.full(n)),
        "look_up, out": lambda: look_up(graph, state, ids, out=graph.full(0)),
        "look_up, out is values": lambda: look_up(graph, state, ids, out=state),
        "deliver, at": lambda: deliver(graph, state, state, state, reduce=MIN),
        "deliver, far": lambda: deliver(graph, state, graph.full(n), state, reduce=MIN),
        "deliver, no monoid": lambda: deliver(graph, state, ids, state, reduce=max),
        "multisplit, frontier": lambda: multisplit(graph, 7, unset, num_buckets=2),
        "multisplit, function": lambda: multisplit(graph, None, "even", num_buckets=2),
        "multisplit, count": lambda: multisplit(graph, None, unset, num_buckets=0),
        "multisplit, count 2": lambda: multisplit(graph, None, unset, num_buckets=1025),
        "multisplit, count 3": lambda: multisplit(graph, None, unset, num_buckets=1.5),
        "multisplit, work": lambda: multisplit(graph, None, unset, num_buckets=2, work=-1),
        "sample, nothing": lambda: sample(graph, None),
        "sample, both": lambda: sample(graph, None, 2, fraction=0.5),
        "sample, count": lambda: sample(graph, None, -1),
        "sample, count 2": lambda: sample(graph, None, 1.5),
        "sample, fraction": lambda: sample(graph, None, fraction=1.5),
        "sample, seed": lambda: sample(graph, None, 2, seed=0.5),
        "sample, edges": lambda: sample(graph, None, 2, mode="up"),
        "sample, weights": lambda: sample(graph, None, 2, weights="double"),
        "frontier": lambda: frontier(graph, [n]),
        "frontier 2": lambda: frontier(graph, [0.5]),
    }


TABLES = (traversals, neighborhoods, members)


def refusals(graph) -> dict[str, str]:
    """What every call of the tables says."""
    found = {}
    ids = graph.xp.arange(graph.num_vertices)
    for table in TABLES:
        for name, call in table(graph, graph.full(0.0), ids).items():
            try:
                call()
            except Exception as error:  # whatever it is, it is compared
                found[name] = f"{type(error).__name__}: {error}"
            else:
                found[name] = "no error"
    return found


@pytest.fixture(scope="module")
def wanted():
    found = refusals(GRAPH)
    assert [name for name, text in found.items() if text == "no error"] == []
    short = {name: text for name, text in found.items() if "short" in name}
    assert all("must be float32 or float64, got float16" in text for text in short.values()), short
    return found


def test_one_device(engine, wanted):
    graph = GRAPH if engine is ENGINES["cpu"] else GRAPH.to("cuda")
    assert refusals(graph) == wanted


@pytest.mark.host
@pytest.mark.parametrize("ranks", [1, 4])
def test_grid(ranks, wanted):
    for found in run_threads(lambda comm: refusals(distribute(GRAPH, grid=Grid(comm))), ranks):
        assert found == wanted
