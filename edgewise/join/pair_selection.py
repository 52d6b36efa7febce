"""The pairs that a join keeps as they come: all of them, the best k, or the nearest k of each set.

`take` is given pairs of sets that stand for all that are equal to them (see
`edgewise.join.distinct`), with their scores; `result` has what is kept, for all sets. `threshold`
is the least score that can still matter; it rises as better pairs are found.

Scores that differ by less than 1e-9 count as equal where the best are chosen; of equal ones those
with the smaller positions are. So what is kept does not depend on how pairs came in blocks. For
that, no more than the first k + 1 of equal sets are looked at: thousands of them make millions of
pairs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.memory import free_memory
from edgewise.base.offsets import offsets
from edgewise.base.parallel import sort
from edgewise.join.distinct import Distinct, connect, expand, pairs_of

__all__ = ["All", "Best", "Found", "Nearest"]

_PAIR = 48  # bytes that a pair takes while the result is sorted
_MANY = 1 << 20  # pairs for which there is space anyway
_FEW = 1 << 16  # pairs that are put aside before the best are chosen anew


class Found(NamedTuple):
    """Pairs with their scores."""

    left: np.ndarray
    right: np.ndarray
    score: np.ndarray

    def at(self, chosen: np.ndarray) -> Found:
        """Some of the pairs."""
        return Found(*(column[chosen] for column in self))


class All:
    """Every pair, sorted by ``(left, right)``; of equal sets those with the first alone, if asked.

    Equal sets may make more pairs than memory has space for: that is an error before it is full.
    """

    def __init__(
        self, threshold: float, left: Distinct, right: Distinct | None, duplicates: str = "all"
    ):
        self.threshold, self.count = threshold, 0
        self._expand = expand if duplicates == "all" else connect
        self._sides, self._keys, self._scores = (
            (left, right),
            list[np.ndarray](),
            list[np.ndarray](),
        )

    def take(self, found: Found) -> None:
        """Add pairs, and those of the sets that are equal to theirs."""
        if self._expand is expand:
            _check_memory(self.count + int(pairs_of(*self._sides, found).sum()))
        left, right, score = self._expand(*self._sides, found)
        self._keys.append(left.astype(np.int64) << 32 | right)
        self._scores.append(score)
        self.count += len(score)

    def result(self) -> Found:
        """All pairs."""
        keys = np.concatenate([np.zeros(0, np.int64), *self._keys])
        scores = np.concatenate([np.zeros(0), *self._scores])
        self._keys, self._scores = [], []
        sort(keys, scores)
        return Found(keys >> 32, keys & 0xFFFFFFFF, scores)


def _check_memory(count: int) -> None:
    needed, free = _PAIR * count, free_memory()
    if count > _MANY and needed > free:
        raise MemoryError(
            f"the sets make at least {count:,} pairs, which need {needed / 2**30:.1f} GiB, and "
            f"{free / 2**30:.1f} GiB are free; duplicates='first' pairs equal sets with the first "
            "of them alone, and top= or nearest= keep the best pairs"
        )


class Best:
    """The best ``k`` pairs, the best one first."""

    def __init__(self, threshold: float, left: Distinct, right: Distinct | None, k: int):
        self.threshold, self._k = threshold, k
        few = None if right is None else _fewer(right, k + 1)
        self._sides = _fewer(left, k + 1), few
        self._kept, self._parts, self._waiting = _joined([]), list[Found](), 0

    @property
    def count(self) -> int:
        """How many pairs are kept now."""
        return min(self._k, len(self._kept.left) + self._waiting)

    def take(self, found: Found) -> None:
        """Add pairs, as far as they can be among the best."""
        self._parts.append(Found(*expand(*self._sides, self._promising(found))))
        self._waiting += len(self._parts[-1].left)
        if self._waiting >= max(_FEW, self._k):
            self._choose()

    def result(self) -> Found:
        """The best pairs."""
        self._choose()
        return self._kept

    def _promising(self, found: Found) -> Found:
        """The best of some pairs, so many that they stand for ``k``, and all equal to the last."""
        order = np.argsort(-found.score, kind="stable")
        counts = np.cumsum(pairs_of(*self._sides, found.at(order)))
        last = int(np.searchsorted(counts, self._k))
        if last >= len(order):
            return found
        return found.at(found.score >= found.score[order[last]] - 1e-9)

    def _choose(self) -> None:
        found = _joined([self._kept, *self._parts])
        order = np.lexsort((found.right, found.left, -np.round(found.score, 9)))
        self._kept, self._parts, self._waiting = found.at(order[: self._k]), [], 0
        if len(self._kept.left) == self._k:
            self.threshold = max(self.threshold, float(self._kept.score.min()))


class Nearest:
    """The best ``k`` pairs of each of ``count`` left sets, in rounds of falling thresholds.

    A set that has ``k`` pairs at the end of a round is done with: its entry in ``thresholds`` is 2,
    which no score is. What others have is found again in the next round.
    """

    def __init__(self, count: int, k: int, *, alone: bool):
        self.threshold, self.thresholds = 1.0, np.ones(count)
        self._k, self._alone = k, alone
        self._done, self._kept = list[Found](), _joined([])
        self._parts, self._waiting = list[Found](), 0

    @property
    def count(self) -> int:
        """How many pairs are kept now, at most."""
        return len(self._kept.left) + self._waiting + sum(len(one.left) for one in self._done)

    def start(self, threshold: float, left: Distinct, right: Distinct) -> None:
        """Begin a round."""
        self._choose()
        full = np.bincount(self._kept.left, minlength=len(self.thresholds)) == self._k
        self._done.append(self._kept.at(full[self._kept.left]))
        self._kept = _joined([])
        self.thresholds[full] = 2.0
        self.thresholds[self.thresholds <= 1] = threshold
        self.threshold, self._sides = threshold, (left, _fewer(right, self._k + 1))

    def take(self, found: Found) -> None:
        """Add pairs, for each of the left sets."""
        pairs = Found(*expand(*self._sides, found))
        if self._alone:
            pairs = pairs.at(pairs.left != pairs.right)
        self._parts.append(pairs)
        self._waiting += len(pairs.left)
        if self._waiting >= max(_FEW, len(self._kept.left)):
            self._choose()

    def result(self) -> Found:
        """The nearest of every left set that has any."""
        self._choose()
        found = _joined([*self._done, self._kept])
        return found.at(np.argsort(found.left, kind="stable"))

    def _choose(self) -> None:
        found = _joined([self._kept, *self._parts])
        found = found.at(np.lexsort((found.right, -np.round(found.score, 9), found.left)))
        begins = np.flatnonzero(np.diff(found.left, prepend=-1))  # of each left set
        lengths = np.diff(begins, append=len(found.left))
        place = np.arange(len(found.left)) - np.repeat(begins, lengths)
        self._kept, self._parts, self._waiting = found.at(place < self._k), [], 0


def _fewer(groups: Distinct, most: int) -> Distinct:
    """The same groups with no more than their first ``most`` members."""
    sizes = np.diff(groups.starts)
    place = np.arange(len(groups.members)) - np.repeat(groups.starts[:-1], sizes)
    starts = offsets(np.minimum(sizes, most))
    return groups._replace(starts=starts, members=groups.members[place < most])


def _joined(parts: list[Found]) -> Found:
    kinds = (np.int64, np.int64, np.float64)
    columns = zip(*parts, strict=True) if parts else ((), (), ())
    return Found(
        *(
            np.concatenate([np.empty(0, kind), *column]).astype(kind, copy=False)
            for kind, column in zip(kinds, columns, strict=True)
        )
    )
