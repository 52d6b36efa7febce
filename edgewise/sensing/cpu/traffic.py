"""Synthetic packets, each from (seed, its number) alone; ``first`` is the first's of the batch.

A draw of 64 random bits gives a rank by a table of the quantiles of the law (`quantile`), and a
rank an address by a permutation that is computed, not stored (`address`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.random import bits, mix, upper
from edgewise.base.cpu.team import grab, stopped
from edgewise.base.probing import probing

__all__ = [
    "CELL_BITS",
    "DRAW_BITS",
    "Addresses",
    "Drawn",
    "Injected",
    "draw",
    "flood",
    "gather",
    "scan",
]

#: Of a draw so many bits count, and between two powers of two the table has 2**CELL_BITS nodes.
DRAW_BITS, CELL_BITS = 44, 13

_CHUNK = 1 << 12
_0, _1, _24, _32 = map(np.uint64, (0, 1, 24, 32))
_LOW, _PART = np.uint64(0xFFFFFFFF), np.uint64(0xFFFFFF)
_WIDE, _2000 = np.uint64(1 << 63), np.uint64(1 << 61)
_SPARE = np.uint64((1 << 20) - 1)  # the low bits of a draw that `quantile` does not look at
_20, _BELOW = np.uint64(64 - DRAW_BITS), 52 - CELL_BITS
_FIRST, _REST, _SCALE = 1023 << CELL_BITS, (1 << _BELOW) - 1, 1.0 / (1 << _BELOW)
_TICK = 1.0 / (1 << 20)
_MULTIPLIERS = tuple(np.uint64(one) for one in (0x9E3779B1, 0x85EBCA77))


class Addresses(NamedTuple):
    """How ranks become addresses."""

    keys: np.ndarray  #: of the permutations of sources and of destinations
    prefixes: np.ndarray  #: first bytes of IPv4 addresses
    wide: np.uint64  #: how many of 2**20 pairs are IPv6


class Drawn(NamedTuple):
    """The packets of a batch; without times that array is empty."""

    source: np.ndarray
    destination: np.ndarray
    time: np.ndarray


@kernel
def draw(me, team, control, seeds, first, laws, addresses, clock, drawn):
    """Packets of pairs of a source and a destination, all drawn by laws, at even intervals.

    A law is ``(nodes, ranks)``: of sources, destinations and pairs; without nodes for pairs, every
    packet is a pair of its own. ``seeds`` are those of packets and of pairs. The id of an IPv6
    address is its rank, shifted by one, 1 for a destination, and the top bit. ``clock`` is the
    first time, and the nanoseconds between two packets; one comes at any moment of its interval.
    """
    (keys, prefixes, wide), (source, destination, time) = addresses, drawn
    (seed, pair_seed), (near, far, pairs), (start, period) = seeds, laws, clock
    while True:
        low, high = grab(control, 0, _CHUNK, len(source))
        if low == high:
            break
        for i in range(low, high):
            pair = np.uint64(first + i)
            word = bits(seed, pair, _0)
            if len(pairs[0]):
                pair = quantile(word, *pairs)
            near_word, far_word = bits(pair_seed, pair, _0), bits(pair_seed, pair, _1)
            rank, far_rank = quantile(near_word, *near), quantile(far_word, *far)
            if far_word & _SPARE < wide:
                rank, far_rank = rank << _1 | _WIDE, far_rank << _1 | _1 | _WIDE
            source[i], destination[i] = rank, far_rank
            if len(time):
                moment = np.float64(first + i) + np.float64(word & _SPARE) * _TICK
                time[i] = start + np.int64(moment * period)
        name(source[low:high], keys[0], prefixes)
        name(destination[low:high], keys[1], prefixes)


@inlined
def quantile(word, nodes, ranks):
    """The rank, from 0, of a draw: between two nodes of the table all are about as likely.

    The table is indexed by the first bits of the draw as a floating-point number, so that small
    draws, which stand for rare ranks, find nodes as near to one another as large ones do.
    """
    pattern = np.float64((word >> _20) + _1).view(np.int64)
    cell = (pattern >> _BELOW) - _FIRST
    part = np.float64(pattern & _REST) * _SCALE
    return min(np.uint64(nodes[cell] + part * (nodes[cell + 1] - nodes[cell])), ranks - _1)


@inlined
def name(ids, key, prefixes):
    """Give ranks their addresses: a loop of its own, which has no branches and runs on vectors."""
    for i in range(len(ids)):
        host = np.uint64(ids[i])
        ids[i] = address(host, key, prefixes) if host < _WIDE else host


@inlined
def address(host, key, prefixes):
    """The IPv4 address of a host: a permutation of all that begin with one of the prefixes.

    It alternates permutations of the last three bytes with shifts of the first byte by a number
    that depends on them, and the other way round.
    """
    count = np.uint64(len(prefixes))
    rest, top = host & _PART, host >> _24
    for multiplier in _MULTIPLIERS:
        rest = (rest * multiplier + key) & _PART
        rest ^= rest >> np.uint64(11)
        top += (((rest * multiplier + (key >> _24)) & _LOW) * count) >> _32
        top -= count * np.uint64(top >= count)
        rest ^= ((top + key) * multiplier >> np.uint64(8)) & _PART
    return prefixes[np.int64(top)] << _24 | rest


class Injected(NamedTuple):
    """An event: its first packet, its share of the packets in units of 2**-53, and its host."""

    first: np.uint64
    share: np.uint64
    host: np.uint64


@inlined
def scan(i, seed, event, first, prefixes, source, destination):
    """Some packets come from one source, to one address after another: is packet i one of them?"""
    item = np.uint64(first + i)
    if bits(seed, item, _0) >> np.uint64(11) < event.share:
        source[i] = public(event.host, prefixes)
        destination[i] = public(event.host + _1 + item - event.first, prefixes)


@inlined
def flood(i, seed, event, first, prefixes, source, destination):
    """Some packets come from anywhere, to one destination: is packet i one of them?"""
    item = np.uint64(first + i)
    if bits(seed, item, _0) >> np.uint64(11) < event.share:
        size = np.uint64(len(prefixes)) << _24
        source[i] = public(upper(bits(seed, item, _1), size), prefixes)
        destination[i] = public(event.host, prefixes)


@inlined
def public(number, prefixes):
    """The address of this number, counted through all that begin with one of the prefixes."""
    number %= np.uint64(len(prefixes)) << _24
    return prefixes[np.int64(number >> _24)] << _24 | number & _PART


def _row_at(data, place):
    return np.int64(data[0][place])


def _is_same(data, place, row, host):
    return data[1][row - 1] == host


_probe = probing(_row_at, None, _is_same, inner)


@kernel
def gather(me, team, control, keys, source, destination, places, hosts, table, found):
    """Make the table of the IPv6 addresses of a batch, each once, and let the ids refer to it.

    On one thread. ``places`` is a hash table of rows, counted from 1; ``found`` their number.
    """
    rows, mask = 0, np.uint64(len(places) - 1)
    for i in range(len(source)):
        if i & (_CHUNK - 1) == 0 and stopped(control):
            return
        for ids in (source, destination):
            host = ids[i]
            if host < _WIDE:
                continue
            place, row = _probe((places, hosts), mix(host) & mask, mask, host)
            if row == 0:
                hosts[rows] = host
                key = keys[np.int64(host & _1)]
                table[rows, 0] = bits(key, host, _1) >> np.uint64(3) | _2000
                table[rows, 1] = mix(host ^ key)
                rows += 1
                row = places[place] = rows
            ids[i] = np.uint64(row - 1) | _WIDE
    found[0] = rows
