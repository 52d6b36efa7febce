"""A sparse Jacobian and a sparse Hessian from few products, by coloring.

The columns of a sparse Jacobian that share no row are differentiated together. The Jacobian of a
reaction on a 2D mesh has five entries per row, so a handful of evaluations give it all, for any
mesh. Finite differences need nothing but the function; JAX, where it is installed, gives exact
products. The Hessian is symmetric, which saves further products.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from edgewise import coloring

SIDE = 12


def reaction(u):
    """Diffusion on a mesh with a cubic reaction: the value at a point needs its four neighbors."""
    mesh = np.pad(u.reshape(SIDE, SIDE), 1)
    around = mesh[:-2, 1:-1] + mesh[2:, 1:-1] + mesh[1:-1, :-2] + mesh[1:-1, 2:]
    return (around - 4 * mesh[1:-1, 1:-1] + mesh[1:-1, 1:-1] ** 3).ravel()


def pattern():
    """Where the Jacobian has entries."""
    line = sp.diags_array([1.0, 1.0, 1.0], offsets=[-1, 0, 1], shape=(SIDE, SIDE))
    return sp.kron(line, sp.eye_array(SIDE)) + sp.kron(sp.eye_array(SIDE), line)


def finite_differences(function, x, seed, step=1e-6):
    """The products of the Jacobian with the columns of a seed matrix."""
    ahead = [(function(x + step * d) - function(x - step * d)) / (2 * step) for d in seed.T]
    return np.stack(ahead, axis=1)


def main():
    x = np.random.default_rng(0).standard_normal(SIDE * SIDE)
    columns = coloring.jacobian_coloring(pattern())
    compressed = finite_differences(reaction, x, columns.seed())
    jacobian = columns.recover(compressed)
    dense = finite_differences(reaction, x, np.eye(len(x)))
    print(f"Jacobian: {columns.num_colors} products instead of {len(x)}")
    assert np.allclose(jacobian.toarray(), dense, atol=1e-6)

    # The energy x' A x / 2 + sum x^4 has the Hessian A + 12 diag(x^2).
    matrix = sp.csr_array(pattern() * 1.0)
    matrix = sp.csr_array(matrix + matrix.T)
    hessian = sp.csr_array(matrix + sp.diags_array(12 * x**2))
    for method in ("direct", "substitution"):
        symmetric = coloring.hessian_coloring(pattern(), method=method)
        products = finite_differences(lambda y: matrix @ y + 4 * y**3, x, symmetric.seed())
        error = abs(symmetric.recover(products) - hessian).max()
        print(f"Hessian, {method}: {symmetric.num_colors} products")
        assert error < 1e-5

    try:
        import jax
    except ImportError:
        print("JAX is not installed: its part is left out")
        return
    jax.config.update("jax_enable_x64", True)

    def smooth(u):
        mesh = jax.numpy.pad(u.reshape(SIDE, SIDE), 1)
        around = mesh[:-2, 1:-1] + mesh[2:, 1:-1] + mesh[1:-1, :-2] + mesh[1:-1, 2:]
        return (around - 4 * mesh[1:-1, 1:-1] + mesh[1:-1, 1:-1] ** 3).ravel()

    def forward(direction):
        return jax.jvp(smooth, (x,), (direction,))[1]

    products = jax.vmap(forward, in_axes=1, out_axes=1)(columns.seed())
    exact = columns.recover(np.asarray(products))
    assert np.allclose(exact.toarray(), jax.jacfwd(smooth)(x))
    print(f"JAX: {columns.num_colors} forward products, equal to the dense Jacobian")


if __name__ == "__main__":
    main()
