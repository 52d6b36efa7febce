"""Skip-gram with negative sampling on CPU threads: see `edgewise.learning.node2vec`.

A step takes the vector of a walk's vertex toward the context vectors of the vertices near it, and
away from those of a few random ones. Threads take whole walks and update the vectors in place,
without locks [1]: two threads seldom meet, and the result then depends on when they do. One thread
takes the walks in order.

[1] B. Recht, C. Re, S. Wright, F. Niu. Hogwild!: a lock-free approach to parallelizing stochastic
    gradient descent. NIPS 2011.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import helper, inner, kernel
from edgewise.base.cpu.random import bits
from edgewise.base.cpu.team import grab
from edgewise.base.random import step
from edgewise.base.threads import get_threads, launch

__all__ = ["Training", "train"]

_step = inner(step)
_32, _2 = np.uint64(32), np.uint64(2)


class Training(NamedTuple):
    """What all batches of walks share."""

    vectors: np.ndarray  # n x dim, float32
    contexts: np.ndarray  # n x dim, float32
    noise: np.ndarray  # vertices to draw counterexamples from, equally
    window: int
    negatives: int
    rate: float  # of the first walk; it falls to 0 with the last
    total: int  # walks in all
    seed: np.uint64


def train(training: Training, walks: np.ndarray, first: int, alone: bool) -> None:
    """Train by a batch of walks, the first of which has the number ``first``."""
    team = 1 if alone else get_threads()
    dim = training.vectors.shape[1]
    scratch = np.zeros((team, -(-dim // 16) * 16), np.float32)
    work = walks.size * training.window * (1 + training.negatives) * dim // 4
    launch(_train, training, walks, first, scratch, team=team, work=work)


@kernel
def _train(me, team, control, training, walks, first, scratch):
    vectors, contexts, noise, window, negatives, highest, total, seed = training
    dim, length, many = vectors.shape[1], walks.shape[1], np.uint64(len(noise))
    change = scratch[me, :dim]
    while True:
        low, high = grab(control, 0, 1 if team == 1 else 8, len(walks))
        if low >= high:
            return
        for w in range(low, high):
            rate = np.float32(highest * max(1.0 - (first + w) / total, 1e-4))
            for i in range(length):
                v = walks[w, i]
                if v < 0:
                    break
                word = bits(seed, np.uint64(first + w), np.uint64(i))
                reach = 1 + np.int64(word % np.uint64(window))
                for j in range(max(0, i - reach), min(length, i + reach + 1)):
                    near = walks[w, j]
                    if near < 0:
                        break
                    if i == j:
                        continue
                    change[:] = 0
                    for one in range(negatives + 1):
                        u, wanted = near, np.float32(1)
                        if one > 0:
                            word = _step(word, np.uint64(1))
                            u, wanted = noise[((word >> _32) * many) >> _32], np.float32(0)
                            if u == near:
                                continue
                        score = _dot(vectors[v], contexts[u])
                        chance = np.float32(1) / (np.float32(1) + math.exp(-score))
                        _pull(rate * (wanted - chance), vectors[v], contexts[u], change)
                    _add(change, vectors[v])


def _product(a, b):
    total = np.float32(0)
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


def _pulled(factor, vector, context, change):
    """Add to what the vector will change by, and change the context."""
    for i in range(len(vector)):
        change[i] += factor * context[i]
        context[i] += factor * vector[i]


def _added(change, vector):
    for i in range(len(vector)):
        vector[i] += change[i]


_dot: Any = helper(_product, _nrt=False, fastmath=True)
_pull: Any = helper(_pulled, _nrt=False, fastmath=True)
_add: Any = helper(_added, _nrt=False, fastmath=True)
