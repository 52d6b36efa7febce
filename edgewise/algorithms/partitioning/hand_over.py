"""Hand a graph over to another partitioner, and check the balance of what it returns.

Other packages take positive integers as weights. Fractional weights are scaled, so that the
heaviest edge weighs 2^20 and all vertices together 2^30. Edges of weight 0 and self-loops are left
out. The balance is checked with the weights as given. After a violation the package is called
again with a smaller imbalance and another seed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.partitioning.coordinates import (
    check_number_of_parts,
    check_point_weights,
)
from edgewise.algorithms.partitioning.limits import check_limit, part_limit
from edgewise.algorithms.partitioning.parts import Parts
from edgewise.algorithms.partitioning.pieces import laid_out
from edgewise.algorithms.weighting import finite_amounts
from edgewise.base.checks import check_number, check_undirected
from edgewise.base.offsets import offsets
from edgewise.base.random import check_seed
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import check_host

__all__ = ["PlainGraph", "partition_by", "write_parhip"]

_TRIES = 4
_EDGE, _ALL_VERTICES = 2**20, 2**30  # what the heaviest edge, and all vertices, are scaled to


class PlainGraph(NamedTuple):
    """A graph as the packages take it: positive integers, both directions of each edge."""

    indptr: np.ndarray
    indices: np.ndarray
    edge_weights: np.ndarray
    vertex_weights: np.ndarray


def partition_by(
    name: str, graph: AnyGraph, k: int, imbalance: float, weights: Any, vertex_weights: Any,
    seed: int, call: Callable[..., Any],
) -> Parts:  # fmt: skip
    """Return the parts that ``call(plain, slack, seed)`` gives, if they keep the balance."""
    check_host(graph, name)
    check_undirected(graph, name)
    k = check_number_of_parts(k, graph.num_vertices)
    imbalance = check_number(imbalance, "imbalance")
    seed, masses = int(check_seed(seed)), check_point_weights(vertex_weights, graph.num_vertices)
    limit = part_limit(masses, k, imbalance)
    plain = _plain(graph, weights, masses)
    if k == 1 or len(plain.indices) == 0 or graph.num_vertices <= k:
        return Parts(laid_out(np.arange(len(masses)), masses, k).parts, k)
    heaviest = np.inf
    for attempt in range(_TRIES):
        found = np.asarray(
            call(plain, imbalance * (1 - attempt / _TRIES), seed + attempt), np.int64
        )
        heaviest = min(heaviest, np.bincount(found, masses).max())
        if heaviest <= limit:
            return Parts(found, k)
    return check_limit(name, heaviest, limit)


def _plain(graph: Any, weights: Any, masses: np.ndarray) -> PlainGraph:
    sources, targets, _ = graph.arcs()
    amounts = finite_amounts(graph, weights)
    amounts = np.ones(len(sources)) if amounts is None else amounts.astype(np.float64)
    kept = (sources != targets) & (amounts > 0)
    amounts = amounts[kept]
    if (amounts != np.rint(amounts)).any() or amounts.max(initial=0) > _EDGE:
        amounts = np.maximum(np.rint(amounts * (_EDGE / amounts.max())), 1)
    if (masses != np.rint(masses)).any() or masses.sum() > _ALL_VERTICES:
        masses = np.rint(masses * (_ALL_VERTICES / masses.sum()))
    counts = np.bincount(sources[kept], minlength=graph.num_vertices)
    return PlainGraph(offsets(counts), targets[kept].astype(np.int64), amounts.astype(np.int64),
                  masses.astype(np.int64))  # fmt: skip


def write_parhip(plain: PlainGraph, file: Path) -> None:
    """Write a graph in ParHIP's binary format: 64-bit numbers, with all weights."""
    n, m = len(plain.vertex_weights), len(plain.indices)
    head, at = np.array([0, n, m]), 8 * (3 + n + 1 + plain.indptr)  # offsets in bytes
    arrays = (head, at, plain.indices, plain.vertex_weights, plain.edge_weights)
    np.concatenate(arrays).astype(np.uint64).tofile(file)
