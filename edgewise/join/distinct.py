"""The distinct sets of a collection, by size: identical sets are joined once, then told apart.

Records repeat: of sets of one or two elements most are there many times. What is true of one is
true of all that are equal to it, so filters and matchings look at one of each, and `expand` gives
the pairs of all of them. StringSets are sorted by a word of their size above a hash of their
elements; equal ones are neighbors then, and neighbors are compared. Should another set of the same
hash come between two equal ones, these count as two distinct sets, which is right, too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.base.parallel import sort
from edgewise.graph.csr import frozen
from edgewise.join.corpus import StringSets
from edgewise.operators import for_each

__all__ = ["Distinct", "connect", "distinct", "expand", "pairs_of"]


class Distinct(NamedTuple):
    """Groups of equal sets by rising size; empty sets are in none."""

    starts: np.ndarray  #: int64, one more than there are groups
    members: np.ndarray  #: int32, set ids, ascending in each group: the first stands for all
    sizes: np.ndarray  #: int32, how many elements the sets of each group have
    group: np.ndarray  #: int32, the group of each set, or -1

    @property
    def first(self) -> np.ndarray:
        """The set that stands for each group."""
        return self.members[self.starts[:-1]]


def distinct(sets: StringSets) -> Distinct:
    """Which sets are equal.

    >>> found = distinct(StringSets(np.array([0, 2, 3, 3, 5]), np.array([4, 7, 1, 4, 7], np.int32)))
    >>> found.starts.tolist(), found.members.tolist(), found.sizes.tolist(), found.group.tolist()
    ([0, 1, 3], [1, 0, 3], [1, 2], [1, 0, -1, 1])
    """
    from edgewise.join.cpu.distinct import find_new, hash_sets

    sets = StringSets(*map(frozen, sets))
    sizes = np.diff(sets.starts)
    ids = np.flatnonzero(sizes).astype(np.int32)
    keys, new = np.empty(len(ids), np.uint64), np.empty(len(ids), np.bool_)
    low = 63 - int(sizes.max(initial=0)).bit_length()
    work = len(sets.elements) + len(ids)
    for_each(len(ids), hash_sets, (sets, frozen(ids), low, keys), work=work)
    sort(keys, ids)
    for_each(len(ids), find_new, (sets, frozen(ids), frozen(keys), new), work=work)
    group = np.full(len(sizes), -1, np.int32)
    group[ids] = np.cumsum(new) - 1
    starts = np.append(np.flatnonzero(new), len(ids)).astype(np.int64)
    return Distinct(starts, ids, sizes[ids[starts[:-1]]].astype(np.int32), group)


class _Pairs(NamedTuple):
    """Pairs of sets, and their scores."""

    left: np.ndarray
    right: np.ndarray
    score: np.ndarray


def expand(
    left: Distinct, right: Distinct | None, pairs: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All pairs of sets, as (left, right, score), for pairs of sets that stand for their groups.

    ``right`` is None if sets are joined with themselves: then the first of each pair is the
    smaller, and a set paired with itself stands for all pairs within its group.

    >>> found = distinct(StringSets(np.array([0, 1, 2, 3]), np.array([4, 4, 4], np.int32)))
    >>> one = np.zeros(1, np.int32)
    >>> [column.tolist() for column in expand(found, None, (one, one, np.ones(1)))]
    [[0, 0, 1], [1, 2, 2], [1.0, 1.0, 1.0]]
    """
    from edgewise.join.cpu.distinct import fill_pairs

    counts = pairs_of(left, right, pairs)
    total = int(counts.sum())
    if total == len(counts) and (counts == 1).all() and not (right is None and _twins(pairs)):
        return pairs
    starts = offsets(counts)
    out = _Pairs(np.empty(total, np.int32), np.empty(total, np.int32), np.empty(total))
    given = _Pairs(*(frozen(np.ascontiguousarray(column)) for column in pairs))
    for_each(len(counts), fill_pairs, (left, right or left, right is None, given, starts, out),
             work=total)  # fmt: skip
    return out


def connect(
    left: Distinct, right: Distinct | None, pairs: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Some of the pairs that `expand` gives, few but enough to connect the same sets.

    Those of a group are paired with its first; of two groups, the first of either with all of the
    other, if these are not in one collection.

    >>> found = distinct(StringSets(np.array([0, 1, 2, 3]), np.array([4, 4, 4], np.int32)))
    >>> one = np.zeros(1, np.int32)
    >>> [column.tolist() for column in connect(found, None, (one, one, np.ones(1)))]
    [[0, 0], [1, 2], [1.0, 1.0]]
    """
    one, other, score = pairs
    groups = left.group[one]
    if right is None:
        twins = one == other
        which, members = _members(left, groups[twins], behind=1)
        found = one[twins][which], members, score[twins][which]
        pairs = one[~twins], other[~twins], score[~twins]
    else:
        which, members = _members(left, groups, behind=1)
        found = members, other[which], score[which]
        which, members = _members(right, right.group[other], behind=0)
        pairs = one[which], members, score[which]
    first, second, scores = map(np.concatenate, zip(pairs, found, strict=True))
    return first, second, scores


def _members(sets: Distinct, groups: np.ndarray, behind: int) -> tuple[np.ndarray, np.ndarray]:
    """The members of groups behind so many; which of the groups each is of, and their ids."""
    starts = sets.starts[groups] + behind
    counts = sets.starts[groups + 1] - starts
    which = np.repeat(np.arange(len(groups)), counts)
    place = np.arange(len(which)) - np.repeat(offsets(counts)[:-1], counts)
    return which, sets.members[starts[which] + place]


def pairs_of(
    left: Distinct, right: Distinct | None, pairs: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> np.ndarray:
    """For how many pairs of sets each pair stands."""
    first, second = left.group[pairs[0]], (right or left).group[pairs[1]]
    counts = np.diff(left.starts)[first] * np.diff((right or left).starts)[second]
    if right is None:
        within = first == second
        counts[within] = (counts[within] - np.diff(left.starts)[first[within]]) // 2
    return counts


def _twins(pairs) -> bool:
    """Is a set paired with itself?"""
    return bool((pairs[0] == pairs[1]).any())
