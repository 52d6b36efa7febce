"""Regular grids built on the GPU; see `edgewise.generators.lattices`."""

from __future__ import annotations

import math
from typing import Any

from edgewise.base.checks import check_count
from edgewise.base.cuda.device import array_module
from edgewise.generators.cuda.draws import assemble, at
from edgewise.generators.lattices import lattice_edges

__all__ = ["grid_2d", "grid_3d"]


def grid_2d(
    rows: int,
    columns: int,
    *,
    periodic: bool = False,
    diagonals: bool = False,
    device: str = "cuda",
) -> Any:
    """The graph of `edgewise.generators.grid_2d`, built on the device."""
    shape = check_count(rows, "rows"), check_count(columns, "columns")
    return _graph(shape, periodic, diagonals, device)


def grid_3d(
    rows: int,
    columns: int,
    *,
    layers: int,
    periodic: bool = False,
    diagonals: bool = False,
    device: str = "cuda",
) -> Any:
    """The graph of `edgewise.generators.grid_3d`, built on the device."""
    sides = ((rows, "rows"), (columns, "columns"), (layers, "layers"))
    shape = tuple(check_count(side, name) for side, name in sides)
    return _graph(shape, periodic, diagonals, device)


def _graph(shape: tuple[int, ...], periodic: bool, diagonals: bool, device: str) -> Any:
    with at(device):
        drawn = lattice_edges(shape, periodic=periodic, diagonals=diagonals, xp=array_module())
        return assemble(*drawn, math.prod(shape), False, False, "drop")
