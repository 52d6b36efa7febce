"""How the order of vertices changes a direct solver: entries of the factors, and time.

A mesh is shuffled, as matrices from other programs often are. Each order renumbers it, and SciPy's
SuperLU factors the Laplacian matrix plus the identity in exactly that order.
"""

from __future__ import annotations

import time

import numpy as np
from scipy.sparse import identity
from scipy.sparse.linalg import splu

import edgewise as ew


def factored(graph: ew.Graph) -> tuple[int, float]:
    """The number of entries of the factors, and the seconds to find them."""
    matrix = (ew.laplacian_matrix(graph) + identity(graph.num_vertices)).tocsc()
    begin = time.perf_counter()
    factors = splu(
        matrix, permc_spec="NATURAL", diag_pivot_thresh=0, options={"SymmetricMode": True}
    )
    spent = time.perf_counter() - begin
    right = np.ones(graph.num_vertices)
    assert np.allclose(matrix @ factors.solve(right), right)
    return factors.L.nnz + factors.U.nnz, spent


def main() -> None:
    mesh = ew.generators.grid_2d(45, 45, diagonals=True)
    mesh = mesh.permute(ew.ordering.random_order(mesh, seed=1))
    orders = {
        "shuffled": None,
        "reverse Cuthill-McKee": ew.ordering.reverse_cuthill_mckee(mesh),
        "nested dissection": ew.ordering.nested_dissection(mesh, seed=1),
    }
    entries = {}
    print(f"{mesh.num_vertices} vertices, {mesh.num_edges} edges; entries of the factors, time:")
    for name, order in orders.items():
        entries[name], spent = factored(mesh if order is None else mesh.permute(order))
        print(f"  {name:22} {entries[name]:9,}  {1000 * spent:6.1f} ms")
    assert entries["nested dissection"] < entries["reverse Cuthill-McKee"] < entries["shuffled"]


if __name__ == "__main__":
    main()
