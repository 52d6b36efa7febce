"""Union-find trees: a vertex points to a smaller one of its component, and a root to itself.

Any number of threads may link trees at the same time.
"""

from __future__ import annotations

from edgewise.base import atomic
from edgewise.operators.helpers import inlined

__all__ = ["link", "shorten"]


@inlined
def link(source, target, label):
    """Merge the trees of two vertices; the smaller root becomes the root."""
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
    """Make a vertex point to the root of its tree."""
    while label[v] != label[label[v]]:
        label[v] = label[label[v]]
