"""Scores of pairs of sets: how much of them can be matched, element by element.

The elements of two sets R and S are the sides of a bipartite graph, whose edges weigh how much two
elements are alike, from 0 to 1. With M the greatest weight of a matching, the score is
``M / (|R| + |S| - M)``: 1 for equal sets. An empty set has no score with any.

Equality is within `TOLERANCE`: a pair counts if its score is at least the threshold less 1e-9 (less
half of it, if the threshold itself is that small).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.checks import check_choice, check_count
from edgewise.base.parallel import get_threads, launch
from edgewise.graph.csr import frozen
from edgewise.graph.transfer import on
from edgewise.join.corpus import Corpus

if TYPE_CHECKING:
    from edgewise.join.on_gpu import OnGpu

__all__ = ["METHODS", "SIMILARITIES", "TOLERANCE", "check_threshold", "verify"]

#: By how much a score may be below the threshold.
TOLERANCE = 1e-9
SIMILARITIES = ("jaccard", "edit")
METHODS = ("exact", "bounded", "greedy", "locally_dominant", "paz_schwartzman")
_EDGE = 40  # bytes for an edge, at most
_PARTS = 64  # of the queue, for each thread
_LEAST = 1 << 12  # pairs of elements that a part has at least, about


def verify(
    corpus: Corpus | OnGpu,
    pairs: Any,
    threshold: float,
    *,
    metric: str = "jaccard",
    method: str = "exact",
    bound: str = "lower",
    memory: int = 2**30,
) -> np.ndarray:
    """The scores of pairs of sets, nan where they are below the threshold.

    Parameters
    ----------
    corpus : Corpus or OnGpu
        Made for this similarity. With one on a GPU (`edgewise.join.on_gpu.to_gpu`) pairs are
        verified there; those with a set of more than 1024 elements or a million tokens, or for edit
        similarity with an element of more than 60 letters, are left to CPU threads.
    pairs : (left, right, ...)
        Ids of left sets and of right sets (of left sets again, if the corpus has no right ones).
        Fastest if pairs of one left set follow each other.
    threshold : float
        In (0, 1].
    metric : {"jaccard", "edit"}
        Of elements: tokens in common over all tokens that they have; or one less edits over the
        length of the longer one.
    method : {"exact", "bounded", "greedy", "locally_dominant", "paz_schwartzman"}
        "exact": the right pairs and the right scores. "bounded": the right pairs; where a matching
        was found that is enough, its score, for which ``bound`` counts. The others: approximate
        matchings, of at least half the greatest weight.
    bound : {"lower", "upper"}
        Which bound of the greatest weight makes the score of approximate methods. "lower": the
        weight of the matching found, so every pair is right (precision 1). "upper": twice that,
        or the sum of the prices for "paz_schwartzman", and never more than the smaller set has
        elements: so every right pair is there (recall 1). For "exact" both bounds are the same.
    memory : int
        Bytes that graphs of pairs may take on CPU threads, about: of a pair with more edges, some
        are found anew whenever they are asked for. What else a thread needs is linear in the
        tokens of the corpus and in the largest set.

    Returns
    -------
    float64 array
        One score per pair, the same for any number of threads; on a GPU up to rounding.

    Raises
    ------
    ValueError, IndexError
        If the threshold is not in (0, 1], a choice is none, the corpus has no letters for edit
        similarity, or there is no such set.

    Examples
    --------
    >>> from edgewise.join.corpus import corpus
    >>> found = corpus([["data", "base"], ["data", "bases"], ["else"]])
    >>> verify(found, ([0, 0], [1, 2]), 0.5).round(3).tolist()
    [0.5, nan]
    """
    from edgewise.join.cpu.verify import Task

    place = None if isinstance(corpus, Corpus) else corpus
    corpus = corpus if isinstance(corpus, Corpus) else corpus.corpus
    threshold = check_threshold(threshold)
    check_choice(metric, "metric", SIMILARITIES)
    check_choice(method, "method", METHODS)
    check_choice(bound, "bound", ("lower", "upper"))
    edit = metric == "edit"
    if edit and corpus.letters is None:
        raise ValueError("corpus must have letters for edit similarity: corpus(metric='edit')")
    sets = (corpus.left, corpus.right or corpus.left)
    left, right = (
        _ids(ids, len(one.starts) - 1, name)
        for ids, one, name in zip(pairs[:2], sets, ("left", "right"), strict=True)
    )
    if len(left) != len(right):
        raise ValueError(f"pairs must be as many on both sides, got {len(left)} and {len(right)}")
    longest = 0 if corpus.letter_starts is None else np.diff(corpus.letter_starts).max(initial=0)
    task = Task(
        threshold - min(TOLERANCE, threshold / 2), edit, METHODS.index(method), bound == "upper",
        len(corpus.frequency), int(longest),
        check_count(memory, "memory") // (_EDGE * get_threads()),
    )  # fmt: skip
    if place is None:
        return _on_threads(corpus, task, left, right)
    return _on_gpu(place, task, left, right)


def _on_threads(corpus: Corpus, task: Any, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    from edgewise.join.cpu.verify import verify_pairs

    scores = np.full(len(left), np.nan)
    if len(left):
        flat = _flat(corpus)
        cuts, work = _parts(flat, left, right, 1 + (task.longest // 64) ** 2)
        launch(verify_pairs, flat, task, left, right, cuts, scores, work=work)
    return scores


def _on_gpu(place: OnGpu, task: Any, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    from edgewise.join.cuda.verify import scores_of

    with on(place.number):
        scores, rest = scores_of(place.flat, place.loads, task, left, right)
    if len(rest):
        scores[rest] = _on_threads(place.corpus, task, left[rest], right[rest])
    return scores


def check_threshold(threshold: Any, name: str = "threshold") -> float:
    """``threshold`` as a float in (0, 1]."""
    try:
        number = float(threshold)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number in (0, 1], got {threshold!r}") from None
    except OverflowError:
        number = np.inf
    if isinstance(threshold, (str, bytes)):
        raise TypeError(f"{name} must be a number in (0, 1], got {threshold!r}")
    if not 0 < number <= 1:
        raise ValueError(f"{name} must be a number in (0, 1], got {threshold!r:.40}")
    return number


def _ids(ids: Any, count: int, name: str) -> np.ndarray:
    ids = np.asarray(ids)
    if ids.ndim != 1 or (ids.dtype.kind not in "iu" and ids.size):
        raise TypeError(f"pairs must hold whole numbers, got {ids.dtype} of shape {ids.shape}")
    for one in (ids.min(initial=0), ids.max(initial=0)):
        if ids.size and not 0 <= one < count:
            raise IndexError(f"pairs must hold {name} sets below {count}, got {one}")
    return frozen(np.ascontiguousarray(ids, np.int32))


def _flat(corpus: Corpus) -> Any:
    """The arrays of a corpus, of one type each whatever it has."""
    from edgewise.join.cpu.pair_arrays import Flat

    right = corpus.right or corpus.left
    letters, letter_starts = corpus.letters, corpus.letter_starts
    return Flat(*(frozen(one) for one in (
        *corpus.left, *right, corpus.element_starts, corpus.element_tokens,
        np.zeros(0, np.uint32) if letters is None else letters,
        np.zeros(1, np.int64) if letter_starts is None else letter_starts,
        np.zeros(0, np.uint64) if corpus.bags is None else corpus.bags,
    )))  # fmt: skip


def _parts(flat: Any, left: np.ndarray, right: np.ndarray, each: int) -> tuple[np.ndarray, int]:
    """Where the parts of the queue begin, of about as much work each, and the work of all.

    ``each`` is what a pair of elements takes.
    """
    rows, columns = np.diff(flat.right_starts)[right], np.diff(flat.left_starts)[left]
    done = np.cumsum(rows * columns + rows + columns)
    work = int(done[-1])
    parts = max(1, min(_PARTS * get_threads(), work * each // _LEAST))
    ends = np.searchsorted(done, np.arange(1, parts) * (work / parts))
    return np.unique(np.concatenate(([0], ends, [len(left)]))), 8 * work * each
