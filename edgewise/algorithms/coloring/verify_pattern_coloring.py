"""Verification of colorings of matrices, by what they are for: is every entry determined?

A compressed value is the sum of the entries of one color in a row (or in a column): a group. Direct
recovery needs every entry alone in one of its groups. Recovery by substitution needs an order in
which each entry is the last unknown one of a group. Groups are the vertices of a graph, and entries
are its edges; an entry in one group only is a half-edge. There is such an order if every component
is a tree with at most one half-edge. Linear time.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.coloring.patterns import Pattern, as_pattern
from edgewise.base.checks import check_choice

__all__ = ["PatternVerdict", "verify_pattern_coloring"]

_KINDS = ("columns", "rows", "star_bicoloring", "acyclic_bicoloring")


class PatternVerdict(NamedTuple):
    """Whether a coloring of a matrix is valid, and an entry that it does not determine if not.

    ``num_colors`` counts distinct colors. ``conflict`` is a row and a column, or None.
    """

    valid: bool
    num_colors: int
    conflict: tuple[int, int] | None


def verify_pattern_coloring(pattern: Any, colors: Any, *, kind: str = "columns") -> PatternVerdict:
    """Return whether a coloring of a matrix is valid, its number of colors, and a conflict.

    Parameters
    ----------
    pattern : sparse matrix or array of SciPy, or array of two dimensions
        As for `partial_distance_2`.
    colors : array of int, or Bicoloring
        The color of each column for "columns", and of each row for "rows". A bicoloring is a
        `Bicoloring`, or a pair of row colors and column colors. Negative numbers mean no color.
    kind : {"columns", "rows", "star_bicoloring", "acyclic_bicoloring"}
        The condition: that of `partial_distance_2` for columns or rows, of `star_bicoloring`, or of
        `acyclic_bicoloring`.

    Returns
    -------
    PatternVerdict
        ``valid``, ``num_colors`` and ``conflict``: the row and column of an entry that the
        compressed matrix does not determine, or None.

    Raises
    ------
    ValueError
        If ``colors`` does not have one color per column or row.

    See Also
    --------
    verify_coloring : Checks colorings of graphs.

    Notes
    -----
    O(m log m) time for m entries.

    Examples
    --------
    >>> verify_pattern_coloring([[1, 1, 0], [0, 1, 1]], [0, 1, 0])
    PatternVerdict(valid=True, num_colors=2, conflict=None)
    >>> verify_pattern_coloring([[1, 1, 0], [0, 1, 1]], [0, 1, 1])
    PatternVerdict(valid=False, num_colors=2, conflict=(1, 1))
    """
    check_choice(kind, "kind", _KINDS)
    table = as_pattern(pattern)
    rows, columns = table.shape
    of_rows, of_columns = np.full(rows, -1), np.full(columns, -1)
    if kind == "columns":
        of_columns = _checked(colors, columns, "column")
    elif kind == "rows":
        of_rows = _checked(colors, rows, "row")
    else:
        if not isinstance(colors, (tuple, list)) or len(colors) not in (2, 3):
            raise TypeError("colors must be a Bicoloring or a pair of row and column colors")
        of_rows = _checked(colors[0], rows, "row")
        of_columns = _checked(colors[1], columns, "column")
    count = sum(len(np.unique(one[one >= 0])) for one in (of_rows, of_columns))
    wrong = _undetermined(table, of_rows, of_columns, kind == "acyclic_bicoloring")
    if not wrong.any():
        return PatternVerdict(True, count, None)
    first = int(np.argmax(wrong))
    place = int(table.rows()[first]), int(table.indices[first])
    return PatternVerdict(False, count, place)


def _checked(colors: Any, count: int, name: str) -> np.ndarray:
    array = np.asarray(colors)
    if array.shape != (count,) or (array.dtype.kind not in "iu" and count > 0):
        raise ValueError(f"colors must be {count} integers, one per {name}, got {colors!r:.80}")
    return array.astype(np.int64)


def _undetermined(
    table: Pattern, of_rows: np.ndarray, of_columns: np.ndarray, substitution: bool
) -> np.ndarray:
    """Which entries are not determined."""
    rows, columns = table.rows(), table.indices.astype(np.int64)
    forward = _groups(rows, of_columns[columns])
    reverse = _groups(columns, of_rows[rows])
    if not substitution:
        return ~(_is_single(forward) | _is_single(reverse))
    reverse[reverse >= 0] += forward.max(initial=-1) + 1
    return _without_known(_in_cycles(forward, reverse), forward, reverse)


def _groups(lines: np.ndarray, colors: np.ndarray) -> np.ndarray:
    """Numbers of the groups of a line and a color; -1 where there is no color."""
    found = np.full(len(lines), -1, np.int64)
    there = colors >= 0
    keys = lines[there] * (colors.max(initial=0) + 1) + colors[there]
    found[there] = np.unique(keys, return_inverse=True)[1]
    return found


def _is_single(groups: np.ndarray) -> np.ndarray:
    sizes = np.bincount(groups[groups >= 0], minlength=1)
    return (groups >= 0) & (sizes[groups] == 1)


def _in_cycles(forward: np.ndarray, reverse: np.ndarray) -> np.ndarray:
    """Entries in components that are no trees, or have two half-edges."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    count = max(int(forward.max(initial=-1)), int(reverse.max(initial=-1))) + 1
    both = (forward >= 0) & (reverse >= 0)
    ends = np.where(forward >= 0, forward, reverse)
    if count == 0:
        return np.ones(len(ends), bool)
    edges = coo_array((np.ones(both.sum()), (forward[both], reverse[both])), shape=(count, count))
    parts, part = connected_components(edges, directed=False)
    whole = np.bincount(part[ends[both]], minlength=parts)
    half = np.bincount(part[ends[~both & (ends >= 0)]], minlength=parts)
    good = (whole == np.bincount(part, minlength=parts) - 1) & (half <= 1)
    return (ends < 0) | ~good[part[ends]]


def _without_known(wrong: np.ndarray, forward: np.ndarray, reverse: np.ndarray) -> np.ndarray:
    """The wrong entries that remain when those that follow from known ones are removed."""
    left, count = np.flatnonzero(wrong), 0
    while len(left) != count:
        count = len(left)
        ends = np.stack([forward[left], reverse[left]])
        sizes = np.bincount(ends[ends >= 0], minlength=1)
        left = left[~((ends >= 0) & (sizes[ends] == 1)).any(axis=0)]
    found = np.zeros(len(wrong), bool)
    found[left] = True
    return found
