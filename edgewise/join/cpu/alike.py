"""For each element how much it is like the most similar other one, on CPU threads."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.team import grab

__all__ = ["common_tokens", "find_alike"]


@kernel(borrows=True)
def find_alike(me, team, control, starts, tokens, ends, lists, members, counts, met, alike):
    """Raise ``alike`` of each element, in this thread's row, to its similarity with others.

    ``members`` of the lists are the elements that have a token in their prefix, which ends at
    ``ends``, ascending; ``counts`` has zeros for each thread and element.
    """
    count, seen, most_alike = counts[me], met[me], alike[me]
    while True:
        low, high = grab(control, 0, 64, len(most_alike))
        if low >= high:
            return
        for one in range(low, high):
            begin, end = starts[one], starts[one + 1]
            size, number = end - begin, 0
            for at in range(begin, ends[one]):
                for k in range(lists[tokens[at]], lists[tokens[at] + 1]):
                    other = members[k]
                    if other >= one:  # that one looks for this one
                        break
                    if count[other] == 0:
                        seen[number] = other
                        number += 1
                    count[other] += 1
            best = most_alike[one]
            for k in range(number):
                other = seen[k]
                common = np.int64(count[other])
                count[other] = 0
                size_other = starts[other + 1] - starts[other]
                both = size + size_other
                more = max(end - ends[one], starts[other + 1] - ends[other])
                most = min(common + more, min(size, size_other))
                if most > min(best, most_alike[other]) * (both - most):
                    common = common_tokens(tokens, begin, end, starts[other], starts[other + 1])
                    best = max(best, common / (both - common))
                    most_alike[other] = max(most_alike[other], common / (both - common))
            most_alike[one] = best


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
