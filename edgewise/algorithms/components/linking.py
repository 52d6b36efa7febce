"""Trees of labels: a vertex points at a smaller one of its component, and a root at itself.

Any number of threads may link trees at the same time.
"""

from __future__ import annotations

from edgewise.base import atomic
from edgewise.operators.helpers import inlined

__all__ = ["link", "shorten"]


@inlined
def link(source, target, label):
    """Let the trees of two vertices become one, whose root is the smaller."""
    a, b = label[source], label[target]
    while a != b:
        low, high = min(a, b), max(a, b)
        above = label[high]
        if above == low or (above == high and atomic.cas(label, high, high, low) == high):
            break
        a, b = label[above], label[low]
        if a < above:  # another step nearer the root, for those who come after
            label[high] = a


def shorten(v, label):
    """Let a vertex point at the root of its tree."""
    while label[v] != label[label[v]]:
        label[v] = label[label[v]]
