"""The prefix tree of an index on CPU threads: what the entries of a list become one level below.

A set is in the list of a path of tokens if these may be the first ones that it shares with another
set: what is left without the tokens between them is worth enough. The next level has an entry for
each token that may be the next one, and one for `END` if there need not be another.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base import atomic
from edgewise.base.cache import inlined, inner
from edgewise.base.cpu.bisection import lower_bound
from edgewise.base.cpu.random import mix
from edgewise.join.cpu.utilities import END, UP

__all__ = [
    *("Index", "child_of", "count_children", "fill_bits", "fill_children", "fill_rest"),
]

_CHUNK = 256


class Index(NamedTuple):
    """Lists of sets by rising size: of each token, and of each further node of the tree."""

    starts: np.ndarray  #: int64, one more than there are nodes; tokens come first
    sets: np.ndarray  #: int32
    worth: np.ndarray  #: float32, what the tokens of the path are worth
    rest: np.ndarray  #: float32, the worth of the set's tokens behind these
    ends: np.ndarray  #: int64, for each set where the plain part of its prefix ends in its row
    by_size: np.ndarray  #: int32, for each size the first set that has at least so many elements
    plain: int  #: no token below this one has children
    children: np.ndarray  #: int64, where the children of each node begin; those of leaves are none
    tokens: np.ndarray  #: int32, for each child the last token of its path, ascending
    first: np.ndarray  #: int32, for each node with children the first set of its list
    last: np.ndarray  #: int32, the last one
    bits: np.ndarray  #: uint64, hashes of all children: most tokens that lead nowhere end here


@inlined
def count_children(i, rows, needed, entries, counts):
    """How many entries each entry becomes."""
    row = entries.sets[i]
    begin = rows.starts[row] + entries.places[i] + 1
    counts[i] = _behind(rows, begin, np.float64(entries.sums[i]), needed[row]) - begin


@inlined
def fill_children(i, rows, entries, nodes, starts, keys, out):
    """Write the entries below: a key of the node above and the token, and the entry itself."""
    row = entries.sets[i]
    at = rows.starts[row] + entries.places[i] + 1
    place, total = entries.places[i] + 1, np.float64(entries.sums[i])
    for k in range(starts[i], starts[i + 1]):
        keys[k] = nodes[i] << 32 | rows.tokens[at]
        out.sets[k], out.places[k] = row, place
        out.sums[k] = np.float32((total + rows.worth[at]) * UP)
        at += 1
        place += 1


@inner
def _behind(rows, at, total, needed):
    """The first place in a row from which on too little is left, or the one behind its end."""
    while total + rows.rest[at] >= needed:
        at += 1
        if rows.tokens[at - 1] == END:
            break
    return at


@inlined
def fill_rest(i, rows, entries, rest):
    """What the tokens of a set behind those of its entry are worth."""
    at = rows.starts[entries.sets[i]] + entries.places[i]
    rest[i] = rows.rest[at + 1] if rows.tokens[at] != END else np.float32(0.0)


@inlined
def fill_bits(node, children, tokens, bits):
    """Set the bit of each child."""
    for k in range(children[node], children[node + 1]):
        word, bit = _bit(bits, node, tokens[k])
        atomic.bit_or(bits, word, bit)


@inner
def _bit(bits, node, token):
    """The word of a child by its hash, and the bit in it."""
    value = mix(np.uint64(node) << np.uint64(32) | np.uint64(token))
    word = (value >> np.uint64(8)) & np.uint64(len(bits) - 1)
    return word, np.uint64(1) << (value & np.uint64(63))


@inner
def child_of(index, node, token):
    """The child of a node by a token, -1 if there is none."""
    word, bit = _bit(index.bits, node, token)
    if index.bits[word] & bit == np.uint64(0):
        return np.int64(-1)
    high = index.children[node + 1]
    at = lower_bound(index.tokens, index.children[node], high, token)
    if at == high or index.tokens[at] != token:
        return np.int64(-1)
    return at + len(index.starts) - 1 - len(index.tokens)
