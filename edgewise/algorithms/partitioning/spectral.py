"""Spectral partitioning as in Sphynx [1]: eigenvectors of the Laplacian, and geometric cuts.

Eigenvectors of small eigenvalues vary slowly along edges. They place the vertices in a space where
neighbors are close, so that geometric cuts through it cut few edges. Each vector is divided by the
root of its eigenvalue. By default, pieces are bisected across their principal axes, which does not
depend on the basis that a solver returns for equal eigenvalues.

Components are handled first. They are laid out in a row by descending weight, and the row is
divided into k intervals of equal weight, the parts. Only a component across the end of an interval
is embedded and cut; there are at most k - 1.

[1] S. Acer, E. Boman, C. Glusa, S. Rajamanickam. Sphynx: a parallel multi-GPU graph partitioner for
    distributed-memory systems. Parallel Computing 106, 2021.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.components.connected_components import component_labels
from edgewise.algorithms.partitioning.coordinates import (
    check_number_of_parts,
    check_point_weights,
)
from edgewise.algorithms.partitioning.embedding import (
    is_irregular,
    laplacian_eigenvectors,
    positive_edges,
)
from edgewise.algorithms.partitioning.parts import as_parts
from edgewise.algorithms.partitioning.pieces import cut_inertially, cut_pieces, laid_out
from edgewise.base.checks import (
    check_choice,
    check_count,
    check_number,
    check_one_device,
    check_undirected,
)
from edgewise.base.random import check_seed
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import host

__all__ = ["spectral"]

_LAPLACIANS = ("auto", "combinatorial", "normalized", "generalized")
_PRECONDITIONERS = ("auto", "jacobi", "polynomial", "multigrid")
_CUTS = ("inertial", "multi_jagged")
_EXTRA = 4  # eigenvectors beyond log2 k, at least, where cuts are inertial


@takes_graph
def spectral(
    graph: LocalGraphLike,
    k: int,
    *,
    laplacian: str = "auto",
    preconditioner: str = "auto",
    cuts: str = "inertial",
    vectors: int | None = None,
    weights: Any = "weight",
    vertex_weights: Any = None,
    tol: float = 0.1,
    max_iter: int = 200,
    seed: int = 0,
) -> Any:
    """Return a partition into k parts by eigenvectors of the Laplacian.

    Parameters
    ----------
    graph : Graph
        Undirected, on CPU or GPU. Self-loops are ignored.
    k : int
        The number of parts, at least 1.
    laplacian : {"auto", "combinatorial", "normalized", "generalized"}
        The matrix whose eigenvectors are used. "auto" is "combinatorial", or "generalized" if the
        graph is irregular. A graph is irregular if its largest degree is more than 10 times the
        mean.
    preconditioner : {"auto", "jacobi", "polynomial", "multigrid"}
        The preconditioner of the eigensolver: the diagonal, a Chebyshev polynomial, or algebraic
        multigrid by smoothed aggregation. "auto" is "multigrid", or "polynomial" if the graph is
        irregular.
    cuts : {"inertial", "multi_jagged"}
        How the embedding is cut: across principal axes, or along one eigenvector after another.
    vectors : int, optional
        The number of eigenvectors. By default it is log2 k, rounded up. For inertial cuts into more
        than two parts it is twice as many, but at least 4 more.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        All weights must be finite and nonnegative.
    vertex_weights : array over vertices, optional
        Finite and nonnegative; 1 for each vertex by default.
    tol : float
        The largest residual of an eigenvector, relative to the smallest eigenvalue.
    max_iter : int
        The maximum number of iterations of the eigensolver. If it has not converged by then, its
        current vectors are used.
    seed : int
        The seed of the eigensolver's initial vectors and of the multigrid hierarchy.

    Returns
    -------
    Parts
        The part of each vertex. With equal vertex weights, parts have n / k vertices, rounded down
        or up. Otherwise a part exceeds the mean by less than log2 k + 1 times the weight of the
        heaviest vertex.

    See Also
    --------
    recursive_inertial_bisection, multi_jagged : Cuts of vertices with coordinates.

    Notes
    -----
    O(m log k) time per iteration of the eigensolver, and O(n log k + m) memory. With multigrid, it
    takes 10 to 40 iterations on meshes. The same seed gives the same result on the same machine.
    Between machines and devices, eigenvectors differ by rounding, so a few vertices may change
    parts.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> parts = spectral(grid_2d(4, 12), 2)
    >>> parts.sizes().tolist(), int(abs(parts[12:24] - parts[:12]).sum())
    ([24, 24], 0)
    """
    check_one_device(graph, "spectral")
    check_undirected(graph, "spectral")
    k = check_number_of_parts(k, graph.num_vertices)
    check_choice(laplacian, "laplacian", _LAPLACIANS)
    check_choice(preconditioner, "preconditioner", _PRECONDITIONERS)
    check_choice(cuts, "cuts", _CUTS)
    vectors = None if vectors is None else check_count(vectors, "vectors", 1)
    options: dict[str, Any] = {
        "tol": check_number(tol, "tol", positive=True),
        "max_iter": check_count(max_iter, "max_iter", 1),
        "seed": int(check_seed(seed)),
    }
    masses = check_point_weights(vertex_weights, graph.num_vertices)
    proper, _ = positive_edges(graph, weights)
    irregular = is_irregular(proper)
    if laplacian == "auto":
        laplacian = "generalized" if irregular else "combinatorial"
    if preconditioner == "auto":
        preconditioner = "polynomial" if irregular else "multigrid"
    options |= {"laplacian": laplacian, "preconditioner": preconditioner}
    row = laid_out(host(component_labels(proper)), masses, k)
    parts = row.parts
    for vertices, first, targets in row.cut:
        piece = proper if len(vertices) == len(parts) else proper.subgraph(vertices)
        count = (len(targets) - 1).bit_length()
        count += max(count, _EXTRA) if cuts == "inertial" and len(targets) > 2 else 0
        found = laplacian_eigenvectors(piece, piece.weights, vectors or count, **options)
        places = host(found.vectors / graph.xp.sqrt(graph.xp.maximum(found.values, 1e-300)))
        parts[vertices] = first + _cut(places, masses[vertices], targets, cuts)
    return as_parts(graph.xp.asarray(parts), k)


def _cut(places: np.ndarray, masses: np.ndarray, targets: np.ndarray, cuts: str) -> Any:
    if cuts == "inertial":
        return cut_inertially(places, masses, targets)

    def in_turn(level: int, at: np.ndarray, counts: np.ndarray) -> tuple[Any, Any]:
        return places[:, level % places.shape[1]], np.minimum(counts, 2)

    return cut_pieces(masses, targets, in_turn)
