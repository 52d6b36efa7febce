"""How much each element is like the most similar other one, at the most, on CPU threads."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.team import grab

__all__ = ["Elements", "Postings", "common_tokens", "find_alike"]


class Elements(NamedTuple):
    """The tokens of all elements, where each one's begin, and where each one's prefix ends."""

    starts: np.ndarray
    tokens: np.ndarray
    ends: np.ndarray


class Postings(NamedTuple):
    """The elements that have a token in their prefix, and where the list of each token begins."""

    lists: np.ndarray
    members: np.ndarray


@kernel(borrows=True)
def find_alike(me, team, control, elements, postings, most, met, alike):
    """Raise ``alike`` of each element to what bounds its similarity with any other one.

    At most ``most`` members of lists are read for an element. ``met`` has -1 for each thread and
    element.
    """
    (starts, tokens, ends), (lists, members) = elements, postings
    seen = met[me]
    while True:
        low, high = grab(control, 0, 64, len(alike))
        if low >= high:
            return
        for one in range(low, high):
            begin, end = starts[one], starts[one + 1]
            best, left = alike[one], most
            for at in range(begin, ends[one]):
                if end - at <= best * (end - begin):
                    break  # who shares no token before this one is no more alike
                first, last = lists[tokens[at]], lists[tokens[at] + 1]
                left -= last - first
                if left < 0:
                    best = (end - at) / (end - begin)
                    break
                for k in range(first, last):
                    other = members[k]
                    if other == one or seen[other] == one:
                        continue
                    seen[other] = one
                    both = end - begin + starts[other + 1] - starts[other]
                    common = min(end - at, starts[other + 1] - starts[other])
                    if common > best * (both - common):
                        common = common_tokens(tokens, at, end, starts[other], starts[other + 1])
                        best = max(best, common / (both - common))
            alike[one] = best


@inner
def common_tokens(tokens, at, end, to, end_other):
    """How many tokens two elements have in common."""
    found = np.int64(0)
    while at < end and to < end_other:
        token, other = tokens[at], tokens[to]
        found += token == other
        at += token <= other
        to += other <= token
    return found
