"""`reduce_neighbors` by key, all keys: rows unsorted, finished and shortened."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.errors import CompileError
from edgewise.base.threads import threads
from edgewise.operators import ADD, frontier
from tests.operators import oracles
from tests.operators.engines import reduce_neighbors
from tests.operators.functions import one, product, spread
from tests.operators.graphs import SMALL, any_graph, random_graph, star
from tests.operators.test_reduce_neighbors import EVERY_SMALL, floats, some


def share(total, row_sum):
    return total / (1 + row_sum)


def every_name(v, key, total, row_sum, scale):
    return total * scale + row_sum - v + key % 3


def halved(total):
    return total // 2


def as_rows(found, sort=True):
    """The rows as dicts; with ``sort``, keys must ascend."""
    rows = []
    for low, high in zip(found.indptr[:-1], found.indptr[1:], strict=True):
        keys = found.keys[low:high].tolist()
        assert len(set(keys)) == len(keys) and (not sort or keys == sorted(keys))
        rows.append(dict(zip(keys, found.totals[low:high].tolist(), strict=True)))
    return rows


def finished(rows, finish=None, keep=None, least=None, params=None):
    """The definition: finish all totals, drop the small ones, keep the largest."""
    made = []
    for v, row in enumerate(rows):
        total = sum(row.values())
        if finish is not None:
            row = {k: oracles.call(finish, v=v, key=k, total=t, row_sum=total, **(params or {}))
                   for k, t in row.items()}  # fmt: skip
        if least is not None:
            row = {k: t for k, t in row.items() if t >= least}
        if keep is not None:
            order = sorted(row, key=lambda k: (row[k] != row[k], -row[k], k))
            row = {k: row[k] for k in order[:keep]}
        made.append({k: row[k] for k in sorted(row)})
    return made


def check(graph, members, message, values, *, sort=True, via=None, key="source", **options):
    everyone = range(graph.num_vertices) if members is None else members
    start = None if members is None else frontier(graph, members)
    given = {"reduce": ADD, "via": via, "mode": "out"}
    found = reduce_neighbors(graph, start, message, values, sort=sort, key=key, **given, **options)
    rows = oracles.grouped(graph, everyone, message, values, None if via else key, **given)
    wanted = finished(rows, **options)
    assert [sorted(row) for row in as_rows(found, sort)] == [list(row) for row in wanted]
    for row, other in zip(as_rows(found, sort), wanted, strict=True):
        assert [row[k] for k in sorted(row)] == pytest.approx([*other.values()], nan_ok=True)
    return found


CHOICES = [
    {"sort": False},
    {"finish": share, "sort": False},
    {"keep": 2},
    {"least": 1.5, "sort": False},
    {"finish": every_name, "keep": 3, "least": 1.0, "params": {"scale": 0.5}},
]


@EVERY_SMALL
@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: " ".join(choice))
def test_against_the_definition(graph, choice):
    values = floats(graph)
    check(graph, None, product, values, via=graph, **choice)
    check(graph, some(graph), product, values, via=graph, **choice)
    check(graph, None, spread, values, key=np.arange(graph.num_vertices) * 3 % 7 - 2, **choice)


@settings(max_examples=25)
@given(graph=any_graph(), keep=st.integers(0, 6), least=st.integers(-1, 8), sort=st.booleans())
def test_random_graphs(graph, keep, least, sort):
    check(graph, None, product, floats(graph), via=graph, keep=keep, least=least / 4, sort=sort)


@pytest.mark.parametrize("team", [1, 3])
def test_rows_of_any_length(team):
    """Ties by the smaller key, rows longer than a batch takes, and a hub that is met twice."""
    for graph in (star(60), random_graph(80, 500, 7)):
        with threads(team):
            check(graph, None, one, floats(graph), via=graph, keep=5)
            check(graph, None, one, floats(graph), via=graph, keep=5, sort=False, least=2)


@pytest.mark.host
def test_batches_of_rows(monkeypatch):
    """Rows that are copied from batches, and results that grow, are the same."""
    graph = random_graph(60, 300, 3)
    whole = reduce_neighbors(graph, None, product, floats(graph), reduce=ADD, via=graph,
                             key="source", mode="out")  # fmt: skip
    monkeypatch.setattr("edgewise.operators.cpu.grouped._BATCH", 100)
    monkeypatch.setattr("edgewise.operators.cpu.growing._PART", 1 << 60)
    for team in (1, 2):
        with threads(team):
            found = check(graph, None, product, floats(graph), via=graph)
            assert found.totals.tobytes() == whole.totals.tobytes()
            check(graph, None, product, floats(graph), via=graph, keep=7, sort=False)
    monkeypatch.setattr("edgewise.operators.cpu.growing.free_memory", lambda: 4096)
    with pytest.raises(MemoryError, match=r"only 4,096 are free: keep= and least= make it"):
        check(graph, None, product, floats(graph), via=graph)


def test_members_in_any_order():
    graph = SMALL["random"]
    members = type(frontier(graph))(graph.num_vertices, ids=np.array([5, 1, 3]))
    found = reduce_neighbors(graph, members, spread, floats(graph), reduce=ADD,
                             key=np.arange(graph.num_vertices))  # fmt: skip
    wanted = check(graph, [1, 3, 5], spread, floats(graph), key=np.arange(graph.num_vertices))
    assert as_rows(found) == as_rows(wanted)


def test_totals_that_are_no_numbers():
    """They are the smallest, and below any ``least``."""
    graph, key = SMALL["star"], np.arange(SMALL["star"].num_vertices)
    values = np.where(key % 2, np.nan, key / 4)
    hub = frontier(graph, 0)
    given = {"reduce": ADD, "key": key, "weights": None}

    for keep in (3, len(key) - 2):
        found = reduce_neighbors(graph, hub, lambda value: value, values, keep=keep, **given)
        row = {k: values[k] for k in range(1, len(key))}
        row = finished([row], keep=keep)[0]
        assert found.keys.tolist() == [*row]
    found = reduce_neighbors(graph, hub, lambda value: value, values, least=-np.inf, **given)
    assert found.keys.tolist() == [k for k in range(1, len(key)) if k % 2 == 0]


def test_whole_numbers():
    graph = SMALL["random"]
    values = np.arange(graph.num_vertices)
    found = check(graph, None, one, values, via=graph, finish=halved, least=1, sort=False)
    assert found.totals.dtype == np.int64
    with pytest.raises(CompileError, match="share .* returns float64"):
        reduce_neighbors(graph, None, one, values, reduce=ADD, via=graph, key="source",
                         finish=share)  # fmt: skip


class TestErrors:
    graph = SMALL["path"]

    def fails(self, error, pattern, **options):
        given = {"reduce": ADD, "key": np.zeros(9, np.int64), **options}
        with pytest.raises(error, match=pattern):
            reduce_neighbors(self.graph, None, spread, self.graph.full(0.0), **given)

    def test_refusals(self):
        for name, value in (("sort", False), ("finish", share), ("keep", 1), ("least", 0.5)):
            self.fails(TypeError, f"{name} belongs to totals by key", key=None, **{name: value})
            self.fails(TypeError, f"{name} belongs to totals by key", choose="max",
                       **{name: value})  # fmt: skip
        self.fails(TypeError, "finish may name v, key, total, row_sum", finish=lambda other: other)
        self.fails(TypeError, "params has 'scale'", finish=share, params={"scale": 1.0})
        self.fails(ValueError, "keep must be at least 0", keep=-1)
        self.fails(TypeError, "least must be a number", least="1")
        self.fails(ValueError, "least must be a number, got nan", least=np.nan)
