"""Regular grids built on the GPU; see `edgewise.generators.lattices`."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

from edgewise.base.checks import check_count
from edgewise.base.cuda.device import array_module
from edgewise.generators.cuda.draws import assemble
from edgewise.generators.draws import id_type
from edgewise.generators.lattices import _move, _stay

__all__ = ["grid_2d", "grid_3d", "lattice_edges"]


def grid_2d(rows: int, columns: int, *, periodic: bool = False, diagonals: bool = False) -> Any:
    """The graph of `edgewise.generators.grid_2d`, built on the device."""
    shape = check_count(rows, "rows"), check_count(columns, "columns")
    return _graph(shape, periodic, diagonals)


def grid_3d(
    rows: int,
    columns: int,
    *,
    layers: int,
    periodic: bool = False,
    diagonals: bool = False,
) -> Any:
    """The graph of `edgewise.generators.grid_3d`, built on the device."""
    sides = ((rows, "rows"), (columns, "columns"), (layers, "layers"))
    return _graph(tuple(check_count(side, name) for side, name in sides), periodic, diagonals)


def lattice_edges(shape: tuple[int, ...], *, periodic: bool, diagonals: bool) -> tuple[Any, Any]:
    """The edges of `edgewise.generators.lattices.lattice_edges`, as arrays of the device."""
    xp, n = array_module(), math.prod(shape)
    ids, origin = xp.arange(n, dtype=id_type(n)).reshape(shape), (0,) * len(shape)
    axes = tuple(range(len(shape)))
    sources, targets = [], []
    for step in product((-1, 0, 1), repeat=len(shape)):
        if step <= origin or not (diagonals or sum(map(abs, step)) == 1):
            continue
        here, there = ids, ids
        if periodic:
            there = xp.roll(ids, [-move for move in step], axes)
        else:
            here, there = ids[tuple(map(_stay, step))], ids[tuple(map(_move, step))]
        sources.append(here.ravel())
        targets.append(there.ravel())
    return xp.concatenate(sources), xp.concatenate(targets)


def _graph(shape: tuple[int, ...], periodic: bool, diagonals: bool) -> Any:
    drawn = lattice_edges(shape, periodic=periodic, diagonals=diagonals)
    return assemble(*drawn, math.prod(shape), False, "merge", "drop")
