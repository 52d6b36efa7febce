"""Skip-gram with negative sampling: see `edgewise.learning.node2vec`.

A step takes the vector of a walk's vertex toward the context vector of a vertex near it, or away
from that of a random one. Threads take whole walks and change the vectors in place, without locks
[1]: two threads seldom meet, and the result then depends on when they do. One thread takes the
walks in order.

[1] B. Recht, C. Re, S. Wright, F. Niu. Hogwild!: a lock-free approach to parallelizing stochastic
    gradient descent. NIPS 2011.
"""

from __future__ import annotations

import math
from contextlib import nullcontext
from typing import Any, NamedTuple

import numpy as np

from edgewise.base import random
from edgewise.base.threads import threads
from edgewise.operators import for_each
from edgewise.operators.helpers import inner, vectorized

__all__ = ["Training", "train", "train_walk"]

_32, _1 = np.uint64(32), np.uint64(1)


class Training(NamedTuple):
    """What all batches of walks share."""

    vectors: Any  # n x dim, float32
    contexts: Any  # n x dim, float32
    noise: Any  # vertices to draw counterexamples from, equally
    window: int
    negatives: int
    rate: float  # of the first walk; it falls to 0 with the last
    total: int  # walks in all
    seed: np.uint64


def train(training: Training, walks: Any, first: int, alone: bool, device: str) -> None:
    """Train by a batch of walks, the first of which has the number ``first``."""
    dim = training.vectors.shape[1]
    work = walks.size * training.window * (1 + training.negatives) * dim // 4
    with threads(1) if alone else nullcontext():
        for_each(len(walks), train_walk, (training, walks, first), device=device, work=work)


def train_walk(w, training, walks, first):
    """Train by one walk: all pairs of near positions, each with its counterexamples."""
    noise, window, length = training.noise, np.uint64(training.window), walks.shape[1]
    rate = np.float32(training.rate * max(1.0 - (first + w) / training.total, 1e-4))
    for i in range(length):
        v = walks[w, i]
        if v < 0:
            break
        word = random.bits(training.seed, first + w, i)
        reach = 1 + np.int64(word % window)
        for j in range(max(0, i - reach), min(length, i + reach + 1)):
            near = walks[w, j]
            if near < 0:
                break
            if i == j:
                continue
            _pull(training.vectors, v, training.contexts, near, rate, np.float32(1))
            for _ in range(training.negatives):
                word = _next(word, _1)
                u = noise[((word >> _32) * np.uint64(len(noise))) >> _32]
                if u != near:
                    _pull(training.vectors, v, training.contexts, u, rate, np.float32(0))


def _pulled(vectors, v, contexts, u, rate, wanted):
    """One step: the chance of the pair, 1 / (1 + exp(-product)), comes nearer to the one wanted."""
    product = np.float32(0)
    for k in range(vectors.shape[1]):
        product += vectors[v, k] * contexts[u, k]
    factor = rate * (wanted - np.float32(1) / (np.float32(1) + math.exp(-product)))
    for k in range(vectors.shape[1]):
        own = vectors[v, k]
        vectors[v, k] += factor * contexts[u, k]
        contexts[u, k] += factor * own


_next: Any = inner(random.step)
_pull: Any = vectorized(_pulled)
