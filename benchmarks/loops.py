"""Loops that one would write with Numba for one thread, to set the operators beside."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["greedy", "louvain", "peel"]


@njit(cache=True)
def louvain(indptr, indices, weights, community, strength):
    """The community that every vertex gains most by; an array of totals, cleaned by the row."""
    n = len(indptr) - 1
    sizes, totals, best = np.zeros(n), np.zeros(n), np.empty(n, np.int64)
    for v in range(n):
        sizes[community[v]] += strength[v]
    share = 1 / strength.sum()
    for v in range(n):
        mine = community[v]
        for e in range(indptr[v], indptr[v + 1]):
            totals[community[indices[e]]] += weights[e]
        key, top = mine, totals[mine] - strength[v] * (sizes[mine] - strength[v]) * share
        for e in range(indptr[v], indptr[v + 1]):
            other = community[indices[e]]
            if other != mine:
                gain = totals[other] - strength[v] * sizes[other] * share
                if gain > top or (gain == top and other < key):
                    key, top = other, gain
        best[v] = key
        for e in range(indptr[v], indptr[v + 1]):
            totals[community[indices[e]]] = 0.0
    return best


@njit(cache=True)
def greedy(indptr, indices):
    """The least free color for one vertex after the other."""
    n = len(indptr) - 1
    color, taken = np.full(n, -1, np.int64), np.full(n + 1, -1, np.int64)
    for v in range(n):
        for e in range(indptr[v], indptr[v + 1]):
            if color[indices[e]] >= 0:
                taken[color[indices[e]]] = v
        free = 0
        while taken[free] == v:
            free += 1
        color[v] = free
    return color


@njit(cache=True)
def peel(indptr, indices):
    """Core numbers by Batagelj and Zaversnik's buckets; no self-loops."""
    n = len(indptr) - 1
    degree = np.empty(n, np.int64)
    for v in range(n):
        degree[v] = indptr[v + 1] - indptr[v]
    begins = np.zeros(degree.max() + 2, np.int64)
    for v in range(n):
        begins[degree[v] + 1] += 1
    begins = np.cumsum(begins)
    order, place, ends = np.empty(n, np.int64), np.empty(n, np.int64), begins.copy()
    for v in range(n):
        place[v] = ends[degree[v]]
        order[place[v]] = v
        ends[degree[v]] += 1
    for i in range(n):
        v = order[i]
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if degree[u] > degree[v]:
                first = begins[degree[u]]
                w = order[first]
                order[first], order[place[u]] = u, w
                place[w], place[u] = place[u], first
                begins[degree[u]] += 1
                degree[u] -= 1
    return degree
