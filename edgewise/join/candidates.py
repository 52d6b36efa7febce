"""Which pairs of sets could be similar enough: filters that lose no pair.

A token of an element with ``n`` tokens is worth 1/n, and a token of a set as much as in all of its
elements together. Two elements are at most as similar (Jaccard) as what their common tokens are
worth in the larger of them; so the weight of every matching of two sets is at most the sum, over
the tokens that both have, of the smaller of its two worths [1]. From this follow:

- length: the smaller set has at least ``threshold`` times the elements of the larger one;
- prefix: behind some of a set's rarest tokens the rest is worth too little, so that a similar set
  has one of these. The other set's size tells how many: lists of sets are by size, and are read
  where that is enough. Of the sets in the index a shorter prefix does, if those that ask are
  not smaller;
- positional: from their first common token on both sets must have enough left;
- joint: the sum itself.

Where elements differ enough from one another, sets are found by elements that they share instead
(`edgewise.join.schemes`), and the joint filter follows.

For edit similarity, one edit changes at most ``q`` of the q-grams of an element, padded by
``q - 1`` end marks. So elements of at most ``n`` letters with ``o`` common q-grams are at most
1 - (1 - o/n) / q similar, and a matching of ``m`` pairs weighs at most (1 - 1/q) m + 1/q of the
sum above. That filters where thresholds are high (above 1/2 if ``q`` is 3); below, lengths alone
do.

Work is done on distinct sets (`edgewise.join.distinct`). Blocks are cut by how many candidates
there are, so they do not depend on the number of threads.

[1] A. Zeakis, D. Skoutas, D. Sacharidis, O. Papapetrou, M. Koubarakis. TokenJoin. VLDB 2022.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.base.parallel import get_threads, launch
from edgewise.graph.csr import frozen
from edgewise.join.corpus import Corpus
from edgewise.join.distinct import Distinct, distinct
from edgewise.join.index import DEPTH
from edgewise.join.schemes import TOLERANCE, Scheme, by_elements, by_tokens, indexed, level_of
from edgewise.operators import for_each

__all__ = ["TOLERANCE", "Block", "Plan", "blocks", "candidates", "costliest", "plan"]

_PAIR = 32  # bytes that a candidate takes in a block, and where it was found
_SPAN = 1 << 18  # sets that are searched for one block at the most
_FILTERS = ("prefix", "length", "positional", "joint", "pairs")


class Block(NamedTuple):
    """Candidates: sets that stand for their groups of equal sets, and a bound of the score."""

    left: np.ndarray  #: int32, set ids; below those of ``right`` if sets are joined with themselves
    right: np.ndarray  #: int32; the same as on the left: all pairs within that group of equal sets
    bound: np.ndarray  #: float64: no such pair has a higher score


class Join(NamedTuple):
    """What the kernels read."""

    tokens: Scheme
    elements: Scheme  #: or the tokens again
    by_elements: bool  #: may sets be found by their elements?
    left_counts: np.ndarray  #: int64, how many sets each distinct one stands for
    right_counts: np.ndarray
    alone: bool  #: sets are joined with themselves: those before each one in order are looked at


class Plan(NamedTuple):
    """How to find the pairs that reach a threshold; made by `plan`."""

    threshold: float
    left: Distinct
    right: Distinct | None  #: None: the left sets are joined with themselves
    join: Join
    tally: dict[str, int]  #: how many passed each filter so far; see `candidates`
    costs: np.ndarray  #: int64, entries read so far for each token and element; see `costliest`

    def at(self, threshold: float) -> Plan:
        """The plan for another threshold; what does not depend on it is shared."""
        join = self.join
        elements = indexed(join.elements, threshold, join.alone)
        tokens = elements
        if join.by_elements:
            tokens = indexed(join.tokens, threshold, join.alone, elements)
        join = join._replace(tokens=tokens, elements=elements)
        tally, costs = dict.fromkeys(_FILTERS, 0), np.zeros_like(self.costs)
        return self._replace(threshold=threshold, join=join, tally=tally, costs=costs)


def plan(corpus: Corpus, threshold: float, *, metric: str = "jaccard", q: int = 3) -> Plan:
    """Sort the sets by size and build the index for a threshold above 0 and up to 1.

    ``q`` is that of the corpus' q-grams; only edit similarity asks for it.

    >>> from edgewise.join import corpus
    >>> found = plan(corpus([["ann", "bob"], ["ann", "bobo"], ["zoe"], ["ann", "bob"]]), 0.4)
    >>> [block.left.tolist() + block.right.tolist() for block in blocks(found)]
    [[0, 0, 0, 1]]
    >>> found.tally["joint"], found.tally["pairs"]
    (2, 3)
    """
    left = distinct(corpus.left)
    right = left if corpus.right is corpus.left else None
    if right is None and corpus.right is not None:
        right = distinct(corpus.right)
    tokens = by_tokens(corpus, left, right, q if metric == "edit" else 1)
    elements = None
    if metric == "jaccard":
        elements = by_elements(corpus, left, right, tokens, threshold)
    tokens = indexed(tokens, threshold, right is None, elements)
    if elements is not None:
        elements = indexed(elements, threshold, right is None)
    of_left, of_right = (frozen(np.diff((one or left).starts)) for one in (left, right))
    join = Join(tokens, elements or tokens, elements is not None, of_left, of_right, right is None)
    costs = np.zeros(2 * max(join.tokens.kinds, join.elements.kinds), np.int64)
    return Plan(threshold, left, right, join, dict.fromkeys(_FILTERS, 0), costs)


def costliest(plan: Plan, corpus: Corpus, costs: np.ndarray, most: int = 10) -> dict[str, int]:
    """The tokens and elements for which most entries of lists were read, with how many.

    What is read for a set counts at the one token of it for which most is read. ``costs`` are those
    of this plan, or of several that differ in their thresholds.

    >>> from edgewise.join import corpus
    >>> sets = corpus([[f"a{i}", "the", "of"] for i in range(9)], tokens="words")
    >>> found = plan(sets, 0.5)
    >>> _ = list(blocks(found))
    >>> costliest(found, sets, found.costs)
    {'the': 36}
    """
    named: dict[str, int] = {}
    for code in np.argsort(-costs, kind="stable")[:most].tolist():
        scheme = plan.join.elements if code % 2 else plan.join.tokens
        texts = corpus.element_texts if code % 2 else corpus.token_texts
        if costs[code] and texts is not None:
            name = texts.text(int(scheme.ids[code // 2]))
            named[name] = named.get(name, 0) + int(costs[code])
    return named


def candidates(plan: Plan, first: int, last: int, thresholds: np.ndarray | None = None) -> Block:
    """The candidates of the distinct left sets from ``first`` to before ``last``, by rising size.

    ``thresholds``, one per left set and none below the plan's, are for scores that must be higher
    for some sets than for others; a set with one above 1 has no candidates. `Plan.tally` adds up
    what passes each filter: entries of the lists of prefix tokens ("prefix"), those in the range
    of sizes ("length"), pairs of distinct sets after "positional" and "joint", and the "pairs" of
    sets for which the last ones stand.
    """
    if not 0 <= first <= last <= len(plan.left.sizes):
        raise ValueError(
            f"first and last must lie in 0..{len(plan.left.sizes)}, the distinct left sets, "
            f"got {first} and {last}"
        )
    found = list(_blocks(plan, first, last, 1 << 22, thresholds))
    if len(found) == 1:
        return found[0]
    empty = Block(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0))
    return Block(*map(np.concatenate, zip(empty, *found, strict=True)))


def blocks(
    plan: Plan, memory: int = 1 << 30, thresholds: np.ndarray | None = None
) -> Iterator[Block]:
    """All candidates in blocks that take about ``memory`` bytes, or those of one set.

    ``thresholds`` is as for `candidates`. They are read again for every block: so they may rise
    meanwhile.
    """
    return _blocks(plan, 0, len(plan.left.sizes), max(memory // _PAIR, 1), thresholds)


def _blocks(plan, first, last, limit, thresholds) -> Iterator[Block]:
    """Search sets until there are enough candidates; what is beyond is searched again."""
    from edgewise.join.cpu.search import COST, COSTLIEST, Found, gather, search

    if first >= last:
        return
    team = get_threads()
    join = plan.join
    scratch, width = _scratch(plan, team)
    chunk = int(np.clip(limit // (4 * team * width), 1, 16))
    size = limit + team * chunk * width
    sets, bounds = np.empty(size, np.int32), np.empty(size)
    lefts, rights = frozen(plan.left.first), frozen((plan.right or plan.left).first)
    while first < last:
        levels = _levels(plan, thresholds)
        reached = min(last - first, _SPAN)
        found = Found(
            np.zeros(reached, np.int64), np.empty(reached, np.int64), sets, bounds,
            np.zeros(1, np.int64), np.zeros((reached, COST + 1), np.int64),
        )  # fmt: skip
        launch(search, join, first, levels, limit, chunk, scratch, found, team=team,
               work=16 * len(join.tokens.left.tokens))  # fmt: skip
        starts = offsets(found.counts)
        if found.total[0] > limit:
            reached = max(int(np.searchsorted(starts, limit, side="right")) - 1, 1)
        total = int(starts[reached])
        block = Block(np.empty(total, np.int32), np.empty(total, np.int32), np.empty(total))
        state = (first, starts, found, lefts, rights, join.alone, block)
        for_each(reached, gather, state, work=8 * total)
        for name, count in zip(_FILTERS, found.tally[:reached].sum(axis=0), strict=False):
            plan.tally[name] += int(count)
        which, cost = found.tally[:reached, COSTLIEST:].T
        plan.costs[:] += np.bincount(which, cost, len(plan.costs)).astype(np.int64)
        first += reached
        if total:
            yield block


def _scratch(plan: Plan, team: int) -> tuple[Any, int]:
    """Work arrays for so many threads, and how many candidates one set has at the most."""
    from edgewise.join.cpu.search import Scratch

    rows, index = plan.join.tokens.left, plan.join.tokens.index
    size = np.unique(rows.sizes).astype(np.float64)
    level, largest = level_of(plan.threshold), len(index.by_size) - 2
    low = np.minimum(np.ceil(level * size), largest + 1).astype(np.int64)
    high = np.minimum(size / level, largest).astype(np.int64)
    width = int((index.by_size[high + 1] - index.by_size[low]).max(initial=0)) + 1
    longest = max(
        int(np.diff(one.left.starts).max(initial=0))
        for one in (plan.join.tokens, plan.join.elements)
    )
    return Scratch(
        np.zeros((team, width)), np.empty((team, width), np.int32), np.empty((team, width)),
        np.empty((team, longest), np.int32), np.empty((team, longest), np.int32),
        np.empty((team, DEPTH), np.int64), np.empty((team, DEPTH), np.int64),
        np.empty((team, DEPTH)),
    ), width  # fmt: skip


def _levels(plan: Plan, thresholds: np.ndarray | None) -> np.ndarray:
    """For each distinct left set the least score that counts."""
    if thresholds is None:
        return np.full(len(plan.left.sizes), level_of(plan.threshold))
    if len(thresholds) != len(plan.left.group):
        raise ValueError(
            f"thresholds must have one entry per left set ({len(plan.left.group)}), "
            f"got {len(thresholds)}"
        )
    least = np.minimum.reduceat(thresholds[plan.left.members], plan.left.starts[:-1])
    if not (least >= plan.threshold).all():
        raise ValueError(
            f"thresholds must not be below the plan's ({plan.threshold}), got {least.min()}"
        )
    return np.where(least > 1, 2.0, level_of(least))
