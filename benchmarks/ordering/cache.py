"""Cache misses of a sweep over a graph's rows, simulated exactly.

The sweep is that of PageRank's inner loop: for every vertex its row's bounds, for every arc the
index and the value of the neighbor, and a value written for the vertex. Two levels of caches that
replace what was used longest ago, as cachegrind has them: the second is asked for what the first
misses. Nothing else is in them, and nothing is fetched ahead. Where the machine has counters,
`counted` asks them instead.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numba
import numpy as np

__all__ = ["L1", "L2", "Level", "Misses", "can_count", "counted", "simulated"]

_LINE = 64


class Level(NamedTuple):
    """A cache: bytes, and lines per set."""

    size: int
    ways: int

    def empty(self) -> np.ndarray:
        return np.full((self.size // _LINE // self.ways, self.ways), -1, np.int64)


L1, L2 = Level(32 << 10, 8), Level(1 << 20, 16)


class Misses(NamedTuple):
    """Per arc: lines that were not in the first level, and of these not in the second."""

    l1: float
    l2: float


def simulated(graph, first: Level = L1, second: Level = L2) -> Misses:
    """The misses of one sweep over a graph on one thread, from empty caches, of 8-byte values.

    >>> from edgewise.generators import path
    >>> simulated(path(1000)).l2 < 1
    True
    """
    width = graph.indices.itemsize
    found = _sweep(graph.indptr, graph.indices, width, first.empty(), second.empty())
    return Misses(*(float(count) / max(graph.num_arcs, 1) for count in found))


@numba.njit(cache=False)
def _sweep(indptr, indices, width, first, second):
    """Misses of both levels; the arrays lie one behind the other, each from a line of its own."""
    n, m = len(indptr) - 1, len(indices)
    edges = (8 * (n + 1)) // _LINE + 1
    values = edges + (width * m) // _LINE + 1
    out = values + (8 * n) // _LINE + 1
    l1 = l2 = 0
    for v in range(n):
        a, b = _touch(first, second, (8 * v) // _LINE)
        l1, l2 = l1 + a, l2 + b
        a, b = _touch(first, second, (8 * (v + 1)) // _LINE)
        l1, l2 = l1 + a, l2 + b
        for e in range(indptr[v], indptr[v + 1]):
            a, b = _touch(first, second, edges + (width * e) // _LINE)
            l1, l2 = l1 + a, l2 + b
            a, b = _touch(first, second, values + (8 * np.int64(indices[e])) // _LINE)
            l1, l2 = l1 + a, l2 + b
        a, b = _touch(first, second, out + (8 * v) // _LINE)
        l1, l2 = l1 + a, l2 + b
    return l1, l2


@numba.njit(inline="always")
def _touch(first, second, line):
    if _hit(first, line):
        return 0, 0
    return 1, 0 if _hit(second, line) else 1


@numba.njit
def _hit(level, line):
    """Was the line there? It is now, as the last one used: rows of ``level`` are sets."""
    tags = level[line % len(level)]
    ways = len(tags)
    at = 0
    while at < ways - 1 and tags[at] != line:
        at += 1
    found = tags[at] == line
    while at > 0:
        tags[at] = tags[at - 1]
        at -= 1
    tags[0] = line
    return found


@cache
def can_count() -> bool:
    """Does ``perf`` count cache misses on this machine?"""
    if shutil.which("perf") is None:
        return False
    done = subprocess.run(
        ["perf", "stat", "-x", ",", "-e", "cache-misses", "true"], capture_output=True, text=True
    )
    return done.returncode == 0 and _parsed(done.stderr) is not None


def counted(run: Callable[[], object]) -> int | None:
    """The cache misses of this process during a call, if the machine counts them."""
    if not can_count():
        return None
    command = ["perf", "stat", "-x", ",", "-e", "cache-misses", "-p", str(os.getpid())]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as perf:
        time.sleep(0.2)  # until it listens
        run()
        perf.send_signal(signal.SIGINT)
        return _parsed(perf.communicate()[1])


def _parsed(text: str) -> int | None:
    found = re.search(r"^(\d+),.*cache-misses", text, re.MULTILINE)
    return int(found[1]) if found else None
