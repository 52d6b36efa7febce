"""Contract of `cover`: vertices that together are in as many of many sets as can be, greedily.

The greedy choice, again and again the vertex that is in most of the sets not yet covered, covers at
least 1 - 1/e of what the best k vertices do [1]. Gains are kept exact for every vertex: when a set
is covered, each of its members loses it. Which sets a vertex is in is indexed for those vertices
alone that may be chosen, as few have gains that compete.

[1] G. Nemhauser, L. Wolsey, M. Fisher. An analysis of approximations for maximizing submodular set
    functions. Mathematical Programming 1978.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_count, check_flag
from edgewise.base.ranges import check_whole, whole_sum
from edgewise.operators.arguments import shown
from edgewise.operators.engines import run
from edgewise.operators.sets import Sets

__all__ = ["Cover", "Covering", "candidates", "cover", "covered"]


#: So many times as many vertices as are wanted, or as at least these, are indexed.
_TIMES, _LEAST = 16, 32
#: Lists of so many sets in all are made for everyone.
_SHORT = 1 << 20


class Cover(NamedTuple):
    """The chosen vertices in order, and the marginal gain of each.

    ``upper_bound[i]`` bounds the coverage of any k vertices. It is the coverage of the first i
    chosen vertices plus the k largest marginal gains after them. It is empty unless ``bounds`` is
    set.
    """

    chosen: Any
    gains: Any
    upper_bound: Any


class Covering(NamedTuple):
    """`cover`, as engines are asked. Without weights ``weights`` has one element, for all sets."""

    k: int
    weights: Any  # int64
    barred: Any  # uint8 for every vertex: may not be chosen
    bounds: bool


def cover(
    sets: Sets,
    k: int,
    *,
    weights: Any = None,
    excluded: Any = None,
    bounds: bool = False,
) -> Cover:
    """Return k vertices chosen greedily to cover the most sets (maximum coverage).

    Each vertex covers the sets that contain it. Each step chooses the vertex that covers the most
    sets not yet covered.

    Parameters
    ----------
    sets : Sets
        The sets to cover.
    k : int
        The number of vertices to choose. Fewer are chosen if fewer are allowed. Once all sets are
        covered, further vertices have a gain of 0.
    weights : array of int, optional
        The non-negative weight of each set; one by default. The sum of the weights must be below
        2**63. With ``bounds``, k + 1 times the sum must be below 2**63.
    excluded : array, optional
        Vertices that may not be chosen, as ids or as a boolean mask over vertices.
    bounds : bool
        Whether to compute ``upper_bound``, an array of k + 1 upper bounds.

    Returns
    -------
    Cover
        Arrays in host memory, the same on every engine. Ties go to the smallest id.

    Examples
    --------
    >>> from edgewise.operators import Sets, cover
    >>> sets = Sets.from_rows([[0, 2], [1, 2], [1], [3, 4], [2, 4]], num_vertices=5)
    >>> found = cover(sets, 3, bounds=True)
    >>> found.chosen.tolist(), found.gains.tolist(), found.upper_bound.tolist()
    ([2, 1, 3], [3, 1, 1], [7, 6, 6, 5])
    """
    if not isinstance(sets, Sets):
        raise TypeError(f"sets must be Sets, as reach makes them, got {type(sets).__name__}")
    k, bounds = check_count(k, "k"), check_flag(bounds, "bounds")
    barred = _mask(sets, () if excluded is None else excluded, "excluded")
    k = min(k, sets.num_vertices - int(barred.sum()))
    if k == 0:
        return Cover(*(np.zeros(size, np.int64) for size in (0, 0, int(bounds))))
    given = _weights(sets, weights, k + 1 if bounds else 1)
    return run(sets, "cover")(sets, Covering(k, given, barred, bounds))


def covered(sets: Sets, vertices: Any) -> int:
    """How many of the sets hold at least one of these vertices, given by ids or by a mask.

    >>> covered(Sets.from_rows([[0, 2], [1, 2], [1], []], num_vertices=3), [0, 1])
    3
    """
    if not isinstance(sets, Sets):
        raise TypeError(f"sets must be Sets, as reach makes them, got {type(sets).__name__}")
    return run(sets, "covered")(sets, _mask(sets, vertices, "vertices"))


def candidates(gains: np.ndarray, barred: np.ndarray, k: int) -> tuple[np.ndarray, int]:
    """The vertices to index, and the greatest gain of all others.

    They are those with the greatest gains (of equal ones the least ids), the greatest first, some
    times as many as are wanted; none that is barred or gains nothing. Where lists are short all
    others are among them.
    """
    gaining = np.flatnonzero((gains > 0) & (barred == 0))
    held, wanted, rest = gains[gaining], _TIMES * max(k, _LEAST), 0
    if len(held) > wanted and held.sum(dtype=np.float64) > _SHORT:
        least = np.partition(held, len(held) - wanted)[len(held) - wanted]
        above = np.flatnonzero(held > least)
        ties = np.flatnonzero(held == least)
        few = wanted - len(above)
        rest = int(least if len(ties) > few else held[held < least].max(initial=0))
        chosen = np.sort(np.concatenate([above, ties[:few]]))
        gaining, held = gaining[chosen], held[chosen]
    return gaining[np.argsort(-held, kind="stable")], rest


def _weights(sets: Sets, weights: Any, times: int) -> Any:
    """The weights as int64; so many times their sum must fit."""
    if weights is None:
        return sets.xp.ones(1, np.int64)
    given = sets.xp.asarray(weights)
    if given.shape != (len(sets),) or given.dtype.kind not in "iub":
        raise TypeError(
            f"weights must be whole numbers, one for each set ({len(sets)}), got {shown(given)}"
        )
    if len(given) and given.min() < 0:
        raise ValueError(f"weights must be at least 0, got {given.min()}")
    check_whole(whole_sum(given) * times, "sums", hint="")
    return given.astype(np.int64) if len(given) else sets.xp.ones(1, np.int64)


def _mask(sets: Sets, chosen: Any, name: str) -> np.ndarray:
    """A uint8 for every vertex, in host memory: is it one of these?"""
    n = sets.num_vertices
    given = np.asarray(chosen.get() if hasattr(chosen, "get") else chosen)
    if given.dtype.kind == "b":
        if given.shape != (n,):
            raise ValueError(f"{name} must have one element per vertex ({n}), got {shown(given)}")
        return given.astype(np.uint8)
    if given.size and (given.ndim != 1 or given.dtype.kind not in "iu"):
        raise TypeError(f"{name} must be vertex ids or a mask, got {shown(given)}")
    given = given.astype(np.int64)
    if given.size and not 0 <= given.min() <= given.max() < n:
        raise ValueError(
            f"{name} must be vertex ids from 0 to {n - 1}, got {given.min()} to {given.max()}"
        )
    mask = np.zeros(n, np.uint8)
    mask[given] = 1
    return mask
