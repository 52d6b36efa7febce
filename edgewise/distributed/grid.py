"""A grid of ranks: R rows by C columns, and the communicators along them.

Rank k stands in row k // C and column k % C. The ranks of a row hold the same rows of the adjacency
matrix, those of a column the same columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from edgewise.base.checkpoints import keeper
from edgewise.base.checks import check_count
from edgewise.distributed.calls import check_alike, check_call
from edgewise.distributed.comm import Communicator

__all__ = ["Grid", "check_shape"]


class Grid:
    """A 2D grid formed by the ranks of a communicator; every rank creates one.

    Parameters
    ----------
    world : Communicator
        The ranks of the grid.
    shape : "2x3", pair of int, or None
        The numbers of rows and columns; by default as square as possible.
    """

    def __init__(self, world: Communicator, shape: Any = None):
        self.world = world
        self.shape = check_shape(shape, world.size)
        if world.size > 1:
            check_alike(world, "Grid", {"shape": self.shape})
        self.r, self.c = divmod(world.rank, self.shape[1])
        self.row = world.split(self.r, self.c)
        self.column = world.split(self.shape[0] + self.c, self.r)
        self._inside = world.size == 1  # of a call that all ranks are known to make

    @property
    def rank(self) -> int:
        return self.world.rank

    @property
    def size(self) -> int:
        return self.world.size

    def along(self, side: str) -> Communicator:
        """Return the communicator of the ranks that share the vertices of a side."""
        return self.row if side == "row" else self.column

    def call(self, function: Callable, /, *args: Any, **options: Any) -> Any:
        """Call ``function`` after checking that all ranks make the same call; collective.

        Nested calls are not compared again.
        """
        if self._inside:
            return function(*args, **options)
        check_call(self.world, function, args, options)
        if (saving := keeper()) is not None:
            saving.calls(function, args, options)
        self._inside = True
        try:
            with self.world.agreed():
                return function(*args, **options)
        finally:
            self._inside = False

    def check_alike(self, name: str, **values: Any) -> None:
        """Raise RankError on every rank if values differ between ranks, unless inside a call."""
        if not self._inside:
            check_alike(self.world, name, values)

    def __repr__(self) -> str:
        return f"Grid({self.shape[0]}x{self.shape[1]}, rank {self.rank})"


def check_shape(shape: Any, size: int) -> tuple[int, int]:
    """Rows and columns whose product is ``size``.

    >>> check_shape(None, 12), check_shape("2x6", 12)
    ((3, 4), (2, 6))
    """
    if shape is None:
        rows = int(size**0.5)
        while size % rows:
            rows -= 1
        return rows, size // rows
    if isinstance(shape, str):
        found = re.fullmatch(r"([1-9]\d*)[xX]([1-9]\d*)", shape.strip())
        if not found:
            raise ValueError(f"grid must be rows x columns, such as 2x3, got {shape!r}")
        shape = map(int, found.groups())
    rows, columns = (check_count(one, "rows and columns of a grid", 1) for one in shape)
    if rows * columns != size:
        raise ValueError(
            f"grid {rows}x{columns} takes {rows * columns} ranks, but there are {size}"
        )
    return rows, columns
