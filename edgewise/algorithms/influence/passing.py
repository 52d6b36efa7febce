"""Transmission along an edge in 64 runs at once: messages, and the words over edges that they read.

`edgewise.random.coins` draws for 64 runs at a time, by a hash of the seed, the edge and the runs.
In models that try an edge repeatedly, the hash includes the step. A word over an edge holds 32 bits
of its probability and 32 bits that identify its coins. For linear threshold it holds the two ends
of an interval: a vertex accepts the one in-edge whose interval contains its random number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.influence.diffusion import Chances, Course, edge_keys
from edgewise.base.random import coins
from edgewise.graph.anywhere import index_of
from edgewise.graph.csr import frozen
from edgewise.graph.edges import arc_ends
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.helpers import inner
from edgewise.operators.incoming import incoming_sums

__all__ = ["Process", "heads", "interval", "process_of"]

_32, _LOW, _NONE = np.uint64(32), np.uint64(0xFFFFFFFF), np.uint64(0)


class Process(NamedTuple):
    """A model, the words of its edges, and the function that says what passes along one."""

    model: str
    words: Any  # int64 over edges
    message: Any
    course: Course | None
    seed: np.uint64
    immune: np.ndarray  # ids, in host memory


def process_of(
    graph: AnyGraph, chances: Chances, course: Course | None, seed: Any, immune: np.ndarray
) -> Process:
    """All that the steps of a diffusion need to know about the edges."""
    levels, model = chances.thresholds.astype(np.uint64), chances.model
    if model == "linear_threshold":
        begins = incoming_sums(graph, levels)
        low, high = (_capped(one) for one in (begins, begins + levels.astype(np.int64)))
        words = (high << _32) | low
    else:
        words = (levels << _32) | edge_keys(graph)
    if len(immune):  # whatever would pass through them does not; all other coins stay
        apart = graph.full(False, bool)
        apart[index_of(graph, immune)] = True
        source, target = arc_ends(graph)
        words = words * ~(apart[source] | apart[target])
    return Process(model, frozen(words.astype(np.int64)), _MESSAGES[model], course, seed, immune)


def _capped(sums: Any) -> Any:
    """Sums of chances, which may be more than 1 by rounding."""
    most = np.int64(2**32 - 1)
    return (sums - (sums - most) * (sums > most)).astype(np.uint64)


@inner
def heads(wanted, weight, seed, block):
    """Along an edge with this word: in which of the runs that are wanted?"""
    word = np.uint64(weight)
    return coins(word >> _32, wanted, seed, word & _LOW, block)


@inner
def interval(wanted, weight, target, seed, block):
    """In which of the runs that are wanted does the target listen to the edge with this word?"""
    word = np.uint64(weight)
    below = coins(word >> _32, wanted, seed, target, block)
    return below & ~coins(word & _LOW, below, seed, target, block)


def _tries(value, own, weight, column, seed, first):
    wanted = value & ~own
    return heads(wanted, weight, seed, first + column) if wanted != _NONE else _NONE


def _tries_again(value, own, weight, column, seed, first, step):
    wanted = value & ~own
    if wanted == _NONE:
        return _NONE
    word = np.uint64(weight)
    return coins(word >> _32, wanted, seed, word & _LOW, first + column, step)


def _listens(value, own, weight, target, column, seed, first):
    wanted = value & ~own
    return interval(wanted, weight, target, seed, first + column) if wanted != _NONE else _NONE


_MESSAGES = {"independent_cascade": _tries, "linear_threshold": _listens, "sir": _tries_again,
             "seir": _tries_again}  # fmt: skip
