"""`edgewise.graph.contract` on a grid: each rank combines its own edges, then they travel.

The labels are numbered over all ranks. A rank merges what its block has between the same two
groups, and one all-to-all brings the rest to where the blocks of the small graph are, which are
laid out as those of the large one. What comes together there is combined in the order of the ranks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.distributed.arrays import VertexArray
from edgewise.distributed.labels import GridLabels, distinct, number_occurring
from edgewise.distributed.shares import place, together
from edgewise.graph.build import assemble
from edgewise.graph.contract import Contraction, Merging, unless_plain
from edgewise.graph.csr import frozen
from edgewise.graph.labels import Labels, column
from edgewise.graph.transfer import host

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["contracted"]


def contracted(graph: GridGraph, labels: Any, how: Merging) -> Contraction:
    """See `edgewise.graph.contract`; a collective."""
    world, layout = graph.grid.world, graph.layout
    word = how.reduce if isinstance(how.reduce, str) else "a monoid"
    world.check_same("the options of contract", (word, how.loops))
    groups, count, names = _numbered(graph, labels)
    with together(world, "combining its edges"):
        ends = _combined(graph, groups, how)
    small = place(graph.grid, *ends, count, names, directed=graph.directed, duplicates=how.reduce,
                  self_loops="keep", distribution=layout.of_others,
                  seed=layout.seed)  # fmt: skip
    vertices = VertexArray(graph, graph.block.xp.asarray(groups))
    return Contraction(small.to(graph.device), vertices)


def _numbered(graph: GridGraph, labels: Any) -> tuple[np.ndarray, int, Labels | GridLabels | None]:
    """The group of each local number, how many groups there are, and what they are called."""
    world = graph.grid.world
    with together(world, "checking its labels"):
        spread = isinstance(labels, VertexArray)
        if spread and labels.dtype.kind not in "iu":
            raise TypeError(f"labels on a grid must be integers, got dtype {labels.dtype}")
        labels = labels if spread else column(labels, "labels")
        if len(labels) != graph.num_vertices or (spread and labels.graph.layout != graph.layout):
            raise ValueError(
                f"labels must have one entry per vertex ({graph.num_vertices}), got {len(labels)}"
            )
    if spread:
        mine = np.ascontiguousarray(host(labels.local), np.int64)
        (groups,), count, names = number_occurring(world, mine)
        return groups, count, names
    known, (groups,) = Labels.encode(labels, names=("labels",))
    return groups[host(graph.ids)], len(known), unless_plain(known)


def _combined(graph: GridGraph, groups: np.ndarray, how: Merging) -> tuple[Any, Any, Any]:
    """This rank's edges between groups, each pair once: sources, targets, weights."""
    block, ids = graph.block, host(graph.ids)
    rows, columns = host(graph.row_of_arcs()), host(block.indices)
    weights = None if block.weights is None else host(block.weights)
    if not graph.directed:
        once = ids[rows] <= ids[columns]
        rows, columns = rows[once], columns[once]
        weights = None if weights is None else weights[once]
    kind = how.kind(weights)
    values = None
    if kind is not None:
        values = np.ones(len(rows), kind) if weights is None else weights.astype(kind, copy=False)
    present, (us, vs) = distinct([groups[rows], groups[columns]])
    if not graph.directed:
        us, vs = np.minimum(us, vs), np.maximum(us, vs)
    built = assemble(
        frozen(us), frozen(vs), values, len(present), undirected=False, duplicates=how.reduce,
        drop_loops=not how.loops, name=lambda place: int(present[place]),
    )  # fmt: skip
    sources = np.repeat(present, np.diff(built.indptr))
    return sources, present[built.indices], built.weights
