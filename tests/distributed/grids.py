"""Grids of thread ranks for tests: run something on all of them, and compare with one device."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.distributed import Grid, distribute, run_threads
from edgewise.distributed.arrays import VertexArray
from edgewise.distributed.frontier import GridFrontier

DISTRIBUTIONS = ("striped", "block", "random")
SHAPES = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 3), (4, 4), (1, 5), (5, 1)]


def on_ranks(work, shape, graph, *more, distribution="striped") -> Any:
    """What ``work(graph on the grid, ...)`` gives, whole; bitwise the same on all ranks.

    More graphs become more arguments.
    """

    def program(comm):
        grid = Grid(comm, shape)
        given = (distribute(one, grid, distribution=distribution, seed=5) for one in (graph, *more))
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


def assert_same(found: Any, wanted: Any) -> None:
    """Equal, arrays bit by bit."""
    if isinstance(wanted, np.ndarray):
        assert found.dtype == wanted.dtype and found.shape == wanted.shape
        assert found.tobytes() == wanted.tobytes(), f"{found} is not {wanted}"
    elif isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            assert_same(one, other)
    else:
        assert found == wanted or (found != found and wanted != wanted)


def assert_close(found: Any, wanted: Any) -> None:
    """Equal, floats to rounding."""
    if isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            assert_close(one, other)
        return
    one, other = np.asarray(found), np.asarray(wanted)
    assert one.dtype == other.dtype and one.shape == other.shape, (one.dtype, other.dtype)
    if other.dtype.kind == "f":
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
    else:
        np.testing.assert_array_equal(one, other)
