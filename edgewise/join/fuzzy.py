"""Fuzzy joins: pairs of sets whose elements can be matched so that they are alike.

The score of two sets R and S is M / (|R| + |S| - M), where M is the weight of the heaviest matching
of their elements: the Jaccard similarity of sets whose elements need only be similar. Filters (the
length of sets, rare tokens, what tokens can be worth) leave few candidates, and these are verified
by matchings. Candidates come in blocks of bounded size, left sets in order, and only pairs that
are kept outlive their block.

A join for the k best pairs asks for high thresholds first, and goes on to lower ones until it has
them: below the k-th best score there is nothing to find. One for the k nearest of each set does
the same, and asks again for those sets alone that have not enough yet.

After TokenJoin [1], with the approximate verification of ApproxJoin [2].

[1] A. Zeakis, D. Skoutas, D. Sacharidis, O. Papapetrou, M. Koubarakis. TokenJoin: efficient
    filtering for set similarity join with maximum weighted bipartite matching. PVLDB 16(4), 2022.
[2] M. Mandulak, S. M. Ferdous, S. Ghosh, M. Halappanavar, G. Slota. ApproxJoin: approximate
    matching for efficient verification in fuzzy set similarity join. arXiv:2507.18891, 2025.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_bytes, check_choice, check_count
from edgewise.base.compiling import clock
from edgewise.base.cuda.device import device_number
from edgewise.base.observe import notify
from edgewise.join.candidates import Block, Plan, blocks, costliest, plan
from edgewise.join.corpus import Corpus, corpus
from edgewise.join.on_gpu import OnGpu, to_gpu
from edgewise.join.pair_selection import All, Best, Found, Nearest
from edgewise.join.pairs import Pairs
from edgewise.join.schemes import TOLERANCE
from edgewise.join.verify import METHODS, check_threshold, verify

__all__ = ["fuzzy_join"]

Keeper = All | Best | Nearest
Progress = Callable[[int, int], None]

#: The first thresholds in the search for the best pairs are 1 less these.
_GAPS = (0.05, 0.1, 0.2, 0.4, 0.8)
_LOW = 0.6  # a threshold for edit similarity below which filters by 2-grams leave less
_MANY = 1 << 62  # pairs, more than there can be
_BLOCK = 1 << 26  # bytes of candidates at a time, at most: so that there is progress to tell


def fuzzy_join(
    left: Any,
    right: Any = None,
    *,
    threshold: float = 0.7,
    metric: str = "jaccard",
    method: str = "exact",
    bound: str = "lower",
    tokens: str = "qgrams",
    q: int | None = None,
    casefold: bool = False,
    normalize_unicode: bool = False,
    separator: str | None = None,
    top: int | None = None,
    k: int | None = None,
    equal_sets: str = "all",
    memory: int | str = "1GiB",
    device: str = "cpu",
    progress: Progress | None = None,
) -> Pairs:
    """Return pairs of similar string sets, with scores.

    Parameters
    ----------
    left, right : collections of sets of strings
        Lists of lists (tuples, sets) of strings; lists of strings, with ``separator``; or columns
        of pandas, Polars or Arrow of either kind. White space around elements is removed, and empty
        elements are dropped. None is an empty set, which matches nothing. Without ``right``, the
        left collection is joined with itself.
    threshold : float
        The minimum score of a pair, above 0 and up to 1, with a tolerance of 1e-9. A larger
        threshold is faster and gives fewer pairs.
    metric : {"jaccard", "edit"}
        The similarity of two elements. "jaccard": the common tokens divided by all tokens of both.
        "edit": 1 minus the edit distance divided by the length of the longer element.
    method : {"exact", "bounded", "greedy", "locally_dominant", "paz_schwartzman"}
        How elements are matched. "bounded" stops at any matching that proves a pair: the pairs are
        exact, and the scores are lower bounds. With ``top`` or ``k`` it is "exact". The last three
        are 1/2-approximate maximum weight matchings.
    bound : {"lower", "upper"}
        The score of an approximate matching. "lower" is its weight: all pairs are correct, and some
        may be missing. "upper" is an upper bound of the best weight: no pair is missing, and some
        may be wrong.
    tokens, casefold, normalize_unicode, separator
        How elements and their tokens are formed: see `edgewise.join.corpus`.
    q : int, optional
        The length of a q-gram in letters; 3 by default. For edit similarity it affects only the
        speed, and the default is 2 for thresholds below 0.6.
    top : int, optional
        Return only this many best pairs.
    k : int, optional
        Return only this many best pairs per left set. In a self-join, each set is compared with all
        others, and a pair may occur twice.
    equal_sets : {"all", "first"}
        Which pairs of equal sets to return. "all" can be millions of pairs for a few thousand equal
        sets. "first" returns only pairs with the first of several equal sets, which is enough for
        `Pairs.clusters`.
    memory : int or str
        The memory limit for candidates and their element graphs, in bytes or as "512MiB". The
        collections, their index and the result need memory in addition.
    device : str
        Where candidates are verified: "cpu", "cuda" or "cuda:<number>". Some sets are always
        verified by CPU threads: those of more than 1024 elements or a million tokens, and for edit
        similarity those with elements of more than 60 letters.
    progress : callable, optional
        Called at intervals as ``progress(done, total)``, with numbers of left sets.

    Returns
    -------
    Pairs
        Arrays ``left`` and ``right`` (positions) and ``score``; see `Pairs` for their order. They
        do not depend on the number of threads. On a GPU, scores may differ in their last digits.

    Examples
    --------
    >>> pairs = fuzzy_join([["Anna Smith", "MIT"], ["Ana Smith", "MIT"], ["Bob Jones", "ETH"]],
    ...                    threshold=0.5)
    >>> pairs.left.tolist(), pairs.right.tolist(), pairs.score.round(3).tolist()
    ([0], [1], [0.63])
    """
    if q is None:
        q = 2 if metric == "edit" and check_threshold(threshold) < _LOW else 3
    options = _check(threshold, metric, q, method, bound, top, k, equal_sets)
    budget = check_bytes(memory, "memory", least=1 << 16)
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be a function or None, got {progress!r:.80}")
    if device != "cpu":
        device_number(device)
    begin = clock()
    sets = corpus(
        left, right, metric=metric, tokens=tokens, q=q, casefold=casefold,
        normalize_unicode=normalize_unicode, separator=separator,
    )  # fmt: skip
    run = _Run(sets, options, budget // 2, progress)
    run.seconds["tokens"] = clock() - begin
    if device != "cpu":
        run.there = to_gpu(sets, device)
    if top is not None:
        found = run.best(top)
    else:
        found = run.all() if k is None else run.nearest(k)
    run.seconds["in all"] = clock() - begin
    count = len(sets.left.starts) - 1
    sizes = (count, None if sets.right is None else len(sets.right.starts) - 1)
    tally = run.tally | {"pairs": len(found.left), "tokens": run.costliest()}
    return Pairs(*found, sizes, tally, run.seconds)


class _Options(NamedTuple):
    threshold: float
    similarity: str
    q: int
    method: str
    bound: str
    duplicates: str


def _check(
    threshold: Any, similarity: Any, q: Any, method: Any, bound: Any, top: Any, k: Any,
    duplicates: Any,
) -> _Options:  # fmt: skip
    least = check_threshold(threshold)
    check_choice(method, "method", METHODS)
    check_choice(bound, "bound", ("lower", "upper"))
    if top is not None:
        check_count(top, "top", 1, _MANY)
    if k is not None:
        check_count(k, "k", 1, _MANY)
    if top is not None and k is not None:
        raise ValueError(f"top and k must not both be given, got {top} and {k}")
    check_choice(duplicates, "equal_sets", ("all", "first"))
    ranked = top is not None or k is not None
    if ranked and duplicates == "first":
        raise ValueError("equal_sets must be 'all' with top or k, got 'first'")
    if ranked and method == "bounded":
        method = "exact"
    return _Options(least, similarity, q, method, bound, duplicates)


class _Run:
    """One join as it goes: what it works on, what it has counted, and the time it took."""

    def __init__(self, sets: Corpus, options: _Options, budget: int, progress: Progress | None):
        self.sets, self.options, self.budget, self.progress = sets, options, budget, progress
        self.there: Corpus | OnGpu = sets  #: where candidates are verified
        self.seconds = dict.fromkeys(("tokens", "index", "candidates", "verification"), 0.0)
        self.tally: dict[str, int] = {}
        self._costs: list[np.ndarray] = []

    def all(self) -> Found:
        """All pairs that reach the threshold."""
        chosen = self._plan(self.sets, self.options.threshold)
        kept = All(chosen.threshold, chosen.left, chosen.right, self.options.duplicates)
        self._join(chosen, kept)
        return kept.result()

    def best(self, k: int) -> Found:
        """The best pairs: thresholds fall until there are enough."""
        chosen = None
        for level in self._levels():
            chosen = self._plan(self.sets, level, chosen)
            kept = Best(level, chosen.left, chosen.right, k)
            self._join(chosen, kept)
            found = kept.result()
            if len(found.left) == k:
                break
        return found

    def nearest(self, k: int) -> Found:
        """The best pairs of each left set: thresholds fall for those that have not enough yet."""
        sets = self.sets
        if sets.right is None:
            sets = sets._replace(right=sets.left)  # every set asks, not one of each pair
        chosen = None
        kept = Nearest(len(sets.left.starts) - 1, k, alone=self.sets.right is None)
        for level in self._levels():
            chosen = self._plan(sets, level, chosen)
            assert chosen.right is not None
            kept.start(level, chosen.left, chosen.right)
            self._join(chosen, kept, kept.thresholds)
        return kept.result()

    def costliest(self) -> dict[str, int]:
        """The tokens and elements that the search for candidates spent most on."""
        return costliest(self._last, self.sets, np.sum(self._costs, axis=0))

    def _levels(self) -> list[float]:
        least = self.options.threshold
        return [*(1 - gap for gap in _GAPS if 1 - gap > least), least]

    def _plan(self, sets: Corpus, threshold: float, before: Plan | None = None) -> Plan:
        began = clock()
        if before is not None:
            made = before.at(threshold)
        else:
            options = self.options
            made = plan(sets, threshold, metric=options.similarity, q=options.q)
        self._spent("index", began)
        return made

    def _join(self, chosen: Plan, kept: Keeper, thresholds: np.ndarray | None = None) -> None:
        """Put the candidates of a plan through verification, block by block."""
        done, total = 0, len(chosen.left.group)
        try:
            for i, block in enumerate(self._blocks(chosen, thresholds)):
                self._verify(block, kept)
                done = max(done, _asked(chosen, block))
                self._tell(i, done, total, kept.count)
            done = total
            self._tell(chosen.tally["joint"], done, total, kept.count)
        except KeyboardInterrupt as interrupt:
            interrupt.add_note(
                f"fuzzy_join had joined {done:,} of {total:,} left sets at {chosen.threshold:g} "
                f"and kept {kept.count:,} pairs"
            )
            raise
        for name, count in chosen.tally.items():
            name = "candidates" if name == "pairs" else name
            self.tally[name] = self.tally.get(name, 0) + int(count)
        self._costs.append(chosen.costs)
        self._last = chosen

    def _blocks(self, chosen: Plan, thresholds: np.ndarray | None) -> Iterator[Block]:
        """The blocks of candidates, with their time counted."""
        source = blocks(chosen, min(self.budget, _BLOCK), thresholds)
        while True:
            began = clock()
            block = next(source, None)
            self._spent("candidates", began)
            if block is None:
                return
            yield block

    def _verify(self, block: Block, kept: Keeper) -> None:
        began, options = clock(), self.options
        left, right = block.left, block.right
        promising = block.bound >= kept.threshold - 2 * TOLERANCE
        if not promising.all():
            left, right = left[promising], right[promising]
        scores = verify(
            self.there, (left, right), kept.threshold,
            metric=options.similarity, method=options.method, bound=options.bound,
            memory=self.budget,
        )  # fmt: skip
        there = np.flatnonzero(~np.isnan(scores))
        if len(there):
            kept.take(Found(left[there], right[there], scores[there]))
        self._spent("verification", began)

    def _tell(self, i: int, done: int, total: int, count: int) -> None:
        notify(i, sets=done, pairs=count)
        if self.progress is not None:
            self.progress(done, total)

    def _spent(self, stage: str, began: float) -> None:
        self.seconds[stage] += clock() - began


def _asked(chosen: Plan, block: Block) -> int:
    """How many left sets had their turn when a block was made, at least."""
    if not len(block.left):
        return 0
    groups = [chosen.left.group[block.left[-1]]]
    if chosen.right is None:
        groups.append(chosen.left.group[block.right[-1]])
    return int(chosen.left.starts[max(groups) + 1])
