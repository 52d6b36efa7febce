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
    similarity: str = "jaccard",
    verification: str = "exact",
    bound: str = "lower",
    tokens: str = "qgrams",
    q: int | None = None,
    casefold: bool = False,
    normalize: bool = False,
    separator: str | None = None,
    top: int | None = None,
    nearest: int | None = None,
    duplicates: str = "all",
    memory: int | str = "1GiB",
    device: str = "cpu",
    progress: Progress | None = None,
) -> Pairs:
    """Pairs of sets of strings that say about the same, with their scores.

    Parameters
    ----------
    left, right : collections of sets of strings
        Lists of lists (tuples, sets) of strings; lists of strings, with ``separator``; columns of
        pandas, Polars or Arrow of either kind. White space around elements is taken off, and empty
        elements are left out. None in place of a set is an empty set, which joins with nothing.
        Without ``right`` the left sets are joined with each other.
    threshold : float
        The least score of a pair, above 0 and up to 1; a score that is less by no more than 1e-9
        is enough.
    similarity : {"jaccard", "edit"}
        How similar two elements are: the tokens that both have over those that one has; or 1 less
        the number of letters to change, add or leave out, over the length of the longer one.
    verification : {"exact", "bounded", "greedy", "locally_dominant", "paz_schwartzman"}
        How elements are matched. "bounded" stops at any matching that proves a pair, so the pairs
        are right and their scores are bounds (with ``top`` and ``nearest``, which need scores, it
        is "exact"). The last three take a matching of at least half the weight for the best one.
    bound : {"lower", "upper"}
        What approximate matchings give as the score: what they weigh (every pair is right, some may
        be missing), or the most that the best one can weigh (no pair is missing, some may be
        wrong).
    tokens, casefold, normalize, separator
        What elements and their tokens are: see `edgewise.join.corpus`.
    q : int, optional
        Letters of a q-gram, 3 by default. By edit similarity it makes no other scores, only other
        filters, and is 2 for thresholds below 0.6.
    top : int, optional
        Only the best pairs, so many.
    nearest : int, optional
        Only the best pairs of each left set, so many of each. In a self-join all other sets are
        compared with each, and a pair may be there twice, once for either set.
    duplicates : {"all", "first"}
        Which pairs of equal sets to give, and of those that are similar to several equal ones:
        "all", which are millions for some thousand equal sets; or as few as connect the same sets,
        those with the first of equal ones, which is enough for `Pairs.clusters`.
    memory : int or str
        What candidates and the graphs of their elements may take at a time, as bytes or as
        "512MiB". The collections, their index and the result come on top.
    device : str
        Where candidates are verified: "cpu", "cuda" or "cuda:<number>". A GPU leaves to CPU
        threads: sets of more than 1024 elements or a million tokens, and for edit similarity sets
        with elements of more than 60 letters.
    progress : callable, optional
        Called as ``progress(done, total)`` with the numbers of left sets now and then.

    Returns
    -------
    Pairs
        ``left``, ``right`` (positions) and ``score``, each an array; see there for their order. The
        same for any number of threads; on a GPU scores may differ in their last digits.

    Examples
    --------
    >>> pairs = fuzzy_join([["Anna Smith", "MIT"], ["Ana Smith", "MIT"], ["Bob Jones", "ETH"]],
    ...                    threshold=0.5)
    >>> pairs.left.tolist(), pairs.right.tolist(), pairs.score.round(3).tolist()
    ([0], [1], [0.63])
    """
    if q is None:
        q = 2 if similarity == "edit" and check_threshold(threshold) < _LOW else 3
    options = _check(threshold, similarity, q, verification, bound, top, nearest, duplicates)
    budget = check_bytes(memory, "memory", least=1 << 16)
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be a function or None, got {progress!r:.80}")
    if device != "cpu":
        device_number(device)
    begin = clock()
    sets = corpus(
        left, right, similarity=similarity, tokens=tokens, q=q, casefold=casefold,
        normalize=normalize, separator=separator,
    )  # fmt: skip
    run = _Run(sets, options, budget // 2, progress)
    run.seconds["tokens"] = clock() - begin
    if device != "cpu":
        run.there = to_gpu(sets, device)
    if top is not None:
        found = run.best(top)
    else:
        found = run.all() if nearest is None else run.nearest(nearest)
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
    threshold: Any, similarity: Any, q: Any, method: Any, bound: Any, top: Any, nearest: Any,
    duplicates: Any,
) -> _Options:  # fmt: skip
    least = check_threshold(threshold)
    check_choice(method, "verification", METHODS)
    check_choice(bound, "bound", ("lower", "upper"))
    if top is not None:
        check_count(top, "top", 1, _MANY)
    if nearest is not None:
        check_count(nearest, "nearest", 1, _MANY)
    if top is not None and nearest is not None:
        raise ValueError(f"top and nearest must not both be given, got {top} and {nearest}")
    check_choice(duplicates, "duplicates", ("all", "first"))
    ranked = top is not None or nearest is not None
    if ranked and duplicates == "first":
        raise ValueError("duplicates must be 'all' with top or nearest, got 'first'")
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
            made = plan(sets, threshold, similarity=options.similarity, q=options.q)
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
            similarity=options.similarity, method=options.method, bound=options.bound,
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
