"""Renumbering of the vertices: rows move to their new place, columns get their new numbers."""

from __future__ import annotations

from edgewise.base.cache import kernel
from edgewise.graph.cpu.rows import share_rows

__all__ = ["renumber"]


@kernel
def renumber(
    me, team, control, indptr, indices, weights, old_ids, new_ids, out_indptr, out_indices,
    out_weights,
):  # fmt: skip
    """Fill the new rows, which begin at ``out_indptr``; columns keep their old order."""
    low, high = share_rows(me, team, out_indptr)
    for row in range(low, high):
        u, at = old_ids[row], out_indptr[row]
        for e in range(indptr[u], indptr[u + 1]):
            out_indices[at] = new_ids[indices[e]]
            if weights is not None:
                out_weights[at] = weights[e]
            at += 1
