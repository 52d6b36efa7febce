"""Edges sorted on CPU threads: by the strict order of `operators.edge_order`, or by row."""

from __future__ import annotations

import numpy as np

from edgewise.base.parallel import sort
from edgewise.operators.edge_order import ties

__all__ = ["ranked", "within_rows"]


def ranked(low: np.ndarray, high: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """Positions of the edges low - high, the highest ranking first.

    Edges are given ascending by their ends, so that a stable sort leaves what ties in weight and in
    hash as it should be; weights must not be negative.
    """
    order = np.arange(len(low))
    if weights is None:
        sort(~ties(low, high), order)
        return order
    lightness = _lightness(weights)
    sort(lightness, order)
    same = np.zeros(len(order) + 1, np.bool_)
    same[1:-1] = lightness[1:] == lightness[:-1]
    among = np.flatnonzero(same[1:] | same[:-1])  # those with an equal beside them
    if len(among):
        tied, places = order[among], np.arange(len(among))
        sort(~ties(low[tied], high[tied]), places)
        sort(lightness[among][places], places)  # stable: by hash within equal weights
        order[among] = tied[places]
    return order


def within_rows(row_of: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Positions of the entries, row by row, the least key first; equal ones keep their order."""
    order, bits = np.arange(len(keys)), keys.astype(np.int64 if keys.dtype.kind != "f" else float)
    if keys.dtype.kind == "f":
        bits = (bits + 0.0).view(np.int64)  # -0 is 0
        bits ^= (bits >> 63) & np.iinfo(np.int64).max  # negative ones the other way round
    sort(bits, order)
    rows = row_of[order]
    sort(rows, order)
    return order


def _lightness(weights: np.ndarray) -> np.ndarray:
    """Whole numbers that fall as weights grow: the bits of a float are in its order."""
    if weights.dtype.kind == "f":
        weights = (weights + weights.dtype.type(0)).view(f"int{8 * weights.itemsize}")  # -0 is 0
    return np.iinfo(np.int64).max - weights.astype(np.int64)
