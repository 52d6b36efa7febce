"""A corpus on a GPU, where its pairs can be verified.

Its arrays go there once, with the tokens of each left set sorted: so what two elements have in
common is found by looking tokens up. The corpus in host memory stays: candidates come from there,
and pairs that are left to CPU threads are compared there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.device import array_module, check_memory, device_number
from edgewise.base.offsets import offsets
from edgewise.graph.transfer import on
from edgewise.join.corpus import Corpus, StringSets

__all__ = ["OnGpu", "to_gpu"]

_SORTING = 64  # bytes per token of all left sets, while they are sorted
_TOO_LONG = np.int64(1 << 30)  # what a word weighs that is left to CPU threads


class OnGpu(NamedTuple):
    """A corpus, and its arrays on a device."""

    corpus: Corpus
    device: str
    number: int  #: of the device
    flat: Any
    loads: Any  #: what sets weigh


def to_gpu(corpus: Corpus, device: str = "cuda") -> OnGpu:
    """The corpus with a copy on a GPU, for `edgewise.join.verify.verify`.

    ValueError or DeviceError if there is no such device, MemoryError if it is too small.
    """
    from edgewise.join.cuda.elements import LETTERS, Flat
    from edgewise.join.cuda.verify import Loads

    number = device_number(device)
    xp, right = array_module(), corpus.right or corpus.left
    letters, letter_starts = corpus.letters, corpus.letter_starts
    if letters is None or letter_starts is None:
        letters, letter_starts = np.zeros(1, np.uint32), np.zeros(1, np.int64)
    with on(number):
        tokens = int(np.diff(corpus.element_starts)[corpus.left.elements].sum())
        arrays = *corpus.left, *right, corpus.element_starts, corpus.element_tokens, letters
        check_memory(sum(one.nbytes for one in arrays) + _SORTING * tokens, "the corpus")
        left = StringSets(*map(xp.asarray, corpus.left))
        other = left if corpus.right is None else StringSets(*map(xp.asarray, right))
        starts, ids = map(xp.asarray, (corpus.element_starts, corpus.element_tokens))
        words = tuple(map(xp.asarray, (letters, letter_starts)))
        postings = _postings(left, starts, ids, len(corpus.frequency), xp)
        flat = Flat(*left, *other, starts, ids, *words, *postings)
        weights = xp.diff(starts)
        if corpus.letters is not None:
            weights = xp.where(xp.diff(words[1]) > LETTERS, _TOO_LONG, weights)
        loads = Loads(*(_before(sets, weights, xp) for sets in (left, other)))
    return OnGpu(corpus, f"cuda:{number}", number, flat, loads)


def _before(sets: StringSets, weights: Any, xp: Any) -> Any:
    """What the elements of all sets before weigh."""
    return offsets(weights[sets.elements])[sets.starts]


def _postings(sets: StringSets, starts: Any, tokens: Any, kinds: int, xp: Any) -> tuple[Any, ...]:
    """Where the tokens of each set begin, the tokens, ascending, and which element has them."""
    begins = offsets(xp.diff(starts)[sets.elements])
    places = xp.arange(int(begins[-1]))
    member = xp.searchsorted(begins[1:], places, side="right")
    token = tokens[starts[sets.elements[member]] + places - begins[member]]
    owner_set = xp.searchsorted(sets.starts[1:], member, side="right")
    owner = (member - sets.starts[owner_set]).astype(np.int32)
    order = xp.argsort(owner_set * max(kinds, 1) + token)
    return _before(sets, xp.diff(starts), xp), token[order], owner[order]
