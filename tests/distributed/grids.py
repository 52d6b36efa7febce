"""Grids of thread ranks for tests: run something on all of them, and compare with one device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from edgewise.distributed import Grid, distribute, tuned
from edgewise.distributed.arrays import ArcArray, VertexArray
from edgewise.distributed.frontier import GridFrontier
from edgewise.distributed.graph import GridGraph
from edgewise.distributed.key_rows import KeyRows, SampleRows
from edgewise.distributed.rank_threads import run_threads
from edgewise.distributed.transposed import Transposed
from edgewise.distributed.walking import WalkRows
from edgewise.graph import Graph
from edgewise.graph.edges import other_direction
from edgewise.operators import frontier
from tests.distributed.helpers import gather_graph, same
from tests.tiers import later

DISTRIBUTIONS = ("striped", "block", "random")
SHAPES = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 3), (4, 4), (1, 5), (5, 1)]

#: A shape, a distribution, and what `tuned` chooses.
VARIANTS = [
    ((2, 2), "striped", {}),
    ((2, 3), "random", {"pattern": "dense"}),
    ((3, 2), "block", {"pattern": "sparse"}),
    ((1, 3), "random", {"queues": False, "direction": "pull"}),
]
#: What differs from these little, for the second tier.
MORE_VARIANTS = [
    ((1, 1), "random", {}),
    ((1, 3), "block", {}),
    ((2, 2), "random", {"queues": False, "direction": "pull"}),
    ((3, 1), "block", {"direction": "pull"}),
    ((1, 1), "striped", {}),
    ((3, 1), "random", {}),
    ((2, 2), "random", {"queues": False}),
    ((2, 2), "block", {"direction": "pull"}),
    ((3, 3), "striped", {"direction": "push"}),
]
EVERY_VARIANT = pytest.mark.parametrize(
    ("shape", "distribution", "choice"),
    [*VARIANTS, *(later(*one) for one in MORE_VARIANTS)],
    ids=[
        "{}x{} {} {}".format(*s, d, " ".join(map(str, c.values())))
        for s, d, c in VARIANTS + MORE_VARIANTS
    ],
)


def on_ranks(work, shape, graph, *more, distribution="striped") -> Any:
    """What ``work(graph on the grid, ...)`` gives, whole; bitwise the same on all ranks.

    More graphs become more arguments.
    """

    def program(comm):
        grid = Grid(comm, shape)
        given = (
            distribute(one, distribution=distribution, seed=5, grid=grid) for one in (graph, *more)
        )
        return whole(work(*given))

    first, *others = run_threads(program, shape[0] * shape[1])
    for other in others:
        assert_same(other, first)
    return first


def whole(result: Any) -> Any:
    """A result with all its arrays gathered, and frontiers as ascending ids: a collective."""
    if isinstance(result, VertexArray):
        check_copies(result)
        return result.gather()
    if isinstance(result, Transposed):
        check_copies(result.T)
        return result.gather()
    if isinstance(result, ArcArray):
        check_directions(result)
        return result.gather()
    if isinstance(result, (KeyRows, SampleRows, WalkRows)):
        return result.gather()
    if isinstance(result, GridGraph):
        return gather_graph(result)
    if isinstance(result, GridFrontier):
        ids = result.ids.tolist()
        assert len(ids) == len(result)
        return ids
    if isinstance(result, (tuple, list)):
        parts = [whole(one) for one in result]
        return type(result)(*parts) if hasattr(result, "_fields") else type(result)(parts)
    return result


def check_copies(array: VertexArray) -> None:
    """All copies of a vertex's value, on all ranks, are bitwise those of its owner."""
    mine = np.ascontiguousarray(array.local)
    wanted = np.ascontiguousarray(array.gather()[array.graph.ids])
    assert mine.tobytes() == wanted.tobytes(), f"copies differ on rank {array.graph.grid.rank}"


def check_directions(array: ArcArray) -> None:
    """Both directions of an undirected edge have bitwise the same value."""
    if not array.graph.directed:
        other = other_direction(array.graph, array)
        assert array.local.tobytes() == other.local.tobytes(), "directions differ"


def assert_same(found: Any, wanted: Any) -> None:
    """Equal, arrays bit by bit."""
    if isinstance(wanted, np.ndarray):
        assert found.dtype == wanted.dtype and found.shape == wanted.shape
        assert found.tobytes() == wanted.tobytes(), f"{found} is not {wanted}"
    elif isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            assert_same(one, other)
    elif isinstance(wanted, Graph):
        assert same(found, wanted)
    else:
        assert found == wanted or (found != found and wanted != wanted)


def assert_close(found: Any, wanted: Any) -> None:
    """Equal, floats to rounding."""
    if isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            assert_close(one, other)
        return
    if isinstance(wanted, Graph):
        assert same(found, wanted), (found, wanted)
        return
    one, other = np.asarray(found), np.asarray(wanted)
    assert one.dtype == other.dtype and one.shape == other.shape, (one.dtype, other.dtype)
    if other.dtype.kind == "f":
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
    else:
        np.testing.assert_array_equal(one, other)


def check(work, graphs, shape, distribution="striped", choice=None) -> None:
    """``work(graph)`` gives on the grid what it gives on one device, for each of the graphs."""
    wanted = [_plain(work(graph)) for graph in graphs]
    with tuned(**(choice or {})):
        found = on_ranks(
            lambda *spread: [work(graph) for graph in spread], shape, *graphs,
            distribution=distribution,
        )  # fmt: skip
    for graph, here, there in zip(graphs, found, wanted, strict=True):
        try:
            assert_close(here, there)
        except AssertionError as error:
            error.add_note(f"on {graph}")
            raise


def _plain(result):
    """Frontiers as ascending ids."""
    if hasattr(result, "ids"):
        return sorted(result.ids.tolist())
    if isinstance(result, (tuple, list)):
        parts = [_plain(part) for part in result]
        return type(result)(*parts) if hasattr(result, "_fields") else type(result)(parts)
    return result


def over_vertices(graph, function, dtype=np.float64):
    """A state array with ``function(ids)``."""
    whole = np.asarray(function(np.arange(graph.num_vertices))).astype(dtype)
    return whole if graph.engine == "local" else graph.share(whole)


def over_arcs(graph):
    """An array over arcs that is not the graph's weights, in quarters."""
    if graph.engine == "local":
        u, v, _ = graph.arcs()
    else:
        u, v = graph.ids[graph.row_of_arcs()], graph.ids[graph.block.indices]
    numbers = (5 * (u + v).astype(np.int64) % 7 + 1) / 4
    return numbers if graph.engine == "local" else ArcArray(graph, numbers)


def start(graph, fill, first, dtype=np.float64):
    """State that is ``first`` at vertex 0, and a frontier of it alone."""
    values = graph.full(fill, dtype)
    if graph.num_vertices:
        values[0] = first
    return values, frontier(graph, [0] if graph.num_vertices else [])


def thirds(ids):
    return ids % 3 == 0


def spotted(ids):
    return (ids * 7 + 3) % 11
