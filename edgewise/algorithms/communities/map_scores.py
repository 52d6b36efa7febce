"""The change of the codelength when a vertex moves to another module; see `infomap`.

These are the functions that `map_moves` gives to operators. Flows are integer multiples of 1 / ONE.
"""

from __future__ import annotations

import math

from edgewise.algorithms.communities.codelength import plogp
from edgewise.operators.helpers import inner

__all__ = ["ONE", "saved", "saved_both", "words"]

ONE = 2.0**50  # what a flow of 1 is
_plogp = inner(plogp)


def saved(total, staying, key, own, mass, leave, every):
    """Less what it costs v to be in this module, where one's own is taken without v."""
    label, visits, way = own
    grows = way - total
    if key == label:
        mass, leave = mass - visits, leave - grows
    after = leave + grows
    gain = 2 * (_bits(after) - _bits(leave)) - _bits(every + staying - total)
    return _graded(gain - _bits(after + mass + visits) + _bits(leave + mass), key == label)


def saved_both(total, staying, key, own, mass, leave, enter, every):
    """The same of a directed graph."""
    label, visits, out, into = own
    if key == label:
        mass, leave, enter = mass - visits, leave - out + total, enter - into + total
    after, inward = leave + out - total, enter + into - total
    gain = _bits(after) - _bits(leave) + _bits(inward) - _bits(enter)
    gain -= _bits(every + staying - total)
    return _graded(gain - _bits(after + mass + visits) + _bits(leave + mass), key == label)


def words(c, mass, leave, enter):
    """The bits that module c takes, less those of its vertices and of the index."""
    return _bits(leave[c] + mass[c]) - _bits(leave[c]) - _bits(enter[c])


def _in_steps(gain, stays):
    """Whole numbers of 2^-44 bits, so that rounding decides nothing; among equals one stays."""
    return math.floor(gain * 2.0**44 + 0.5) + (0.5 if stays else 0.0)


_graded = inner(_in_steps)


def _plogp_of_whole(flow):
    return _plogp(flow * (1.0 / ONE))


_bits = inner(_plogp_of_whole)
