"""The gain of moving a vertex to another community: the formula of Louvain [1], in two forms.

A vertex v moves from community a to community b. The size sums[c] of a community is the sum of the
masses of its members. The gain is the weight of v's edges into b minus that into a, times a scale,
minus the expected weight: rate * mass[v] * (sums[b] - sums[a] + mass[v]).

[1] V. Blondel, J. Guillaume, R. Lambiotte, E. Lefebvre. Fast unfolding of communities in large
    networks. J. Stat. Mech. 2008.
"""

from __future__ import annotations

from edgewise.operators.helpers import inlined

__all__ = ["gain", "gain_both"]


@inlined
def gain(total, staying, mass, there, home, scale, rate):
    """The gain in an undirected graph; ``home`` and ``there`` are the sizes of a and b."""
    return scale * (total - staying) - rate * (mass * (there - home + mass))


@inlined
def gain_both(total, staying, masses, there, home, scale, rate):
    """The same for a directed graph: what leaves the one may enter the other, and back.

    Masses and sizes are pairs, of what leaves and what enters.
    """
    out, into = masses
    expected = out * (there[1] - home[1] + into) + into * (there[0] - home[0] + out)
    return scale * (total - staying) - rate * expected
