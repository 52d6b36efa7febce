"""Products of an adjacency matrix and a block of features (SpMM), and samples of a product (SDDMM).

They are each other's gradients. For y = A x with values a over entries: the gradient of x is the
transpose of A times that of y, and the gradient of a at entry (i, j) is the product of rows i of
y's gradient and j of x. Nothing of the size of entries times features is stored. Heads, a third
dimension in the middle, share the entries and have values of their own; a GPU sums one after the
other.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from edgewise.linalg import sddmm as sparse_sddmm, spmm as sparse_spmm
from edgewise.nn.adjacency import Adjacency
from edgewise.nn.head_products import head_products, head_sums
from edgewise.nn.tensors import as_array, as_tensor, check_tensor, torch

__all__ = ["sddmm", "spmm"]


def spmm(adjacency: Adjacency, features: Any, values: Any = None) -> Any:
    """Return, for each vertex, the weighted sum of its neighbors' features.

    Parameters
    ----------
    adjacency : Adjacency
        The graph.
    features : tensor over vertices
        Of shape (n, f), or (n, heads, f).
    values : tensor over entries, optional
        The weights, of shape (entries,), or (entries, heads) if the features have heads; by default
        ``adjacency.values``.

    Returns
    -------
    tensor of the shape of ``features``

    Notes
    -----
    O(m f) time. Gradients of ``features`` and ``values`` take as long.

    Examples
    --------
    >>> import edgewise as ew, torch
    >>> mean = ew.nn.Adjacency(ew.generators.path(3), normalization="rows")
    >>> ew.nn.spmm(mean, torch.tensor([[1.0], [2.0], [5.0]])).tolist()
    [[2.0], [3.0], [2.0]]
    """
    check_adjacency(adjacency)
    given = adjacency.matrix
    check_tensor(features, "features", adjacency.num_vertices, "vertex", (2, 3), given.device)
    if values is None:
        values = adjacency.values.to(features.dtype)
        if features.ndim == 3:
            values = values[:, None].expand(-1, features.shape[1])
    _check_values(adjacency, values, features)
    return _functions()[0].apply(adjacency, features, values)


def sddmm(adjacency: Adjacency, left: Any, right: Any) -> Any:
    """Return, for each entry, the product of the features of its row and of its column.

    Parameters
    ----------
    adjacency : Adjacency
        The graph. Its values are not read.
    left, right : tensors over vertices
        Of equal shapes (n, f), or (n, heads, f).

    Returns
    -------
    tensor of shape (entries,), or (entries, heads)

    Examples
    --------
    >>> import edgewise as ew, torch
    >>> x = torch.tensor([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]])
    >>> ew.nn.sddmm(ew.nn.Adjacency(ew.generators.path(3)), x, x).tolist()
    [1.0, 1.0, 2.0, 2.0]
    """
    check_adjacency(adjacency)
    for name, tensor in (("left", left), ("right", right)):
        check_tensor(tensor, name, adjacency.num_vertices, "vertex", (2, 3),
                     adjacency.matrix.device)  # fmt: skip
    if left.shape != right.shape or left.dtype != right.dtype:
        raise ValueError(f"right must have left's shape and type ({tuple(left.shape)}, "
                         f"{left.dtype}), got {tuple(right.shape)}, {right.dtype}")  # fmt: skip
    return _functions()[1].apply(adjacency, left, right)


def check_adjacency(adjacency: Any) -> None:
    """TypeError unless it is one."""
    if not isinstance(adjacency, Adjacency):
        raise TypeError(f"adjacency must be an Adjacency, got {type(adjacency).__name__}")


def _check_values(adjacency: Adjacency, values: Any, features: Any) -> None:
    check_tensor(values, "values", adjacency.num_entries, "entry", (features.ndim - 1,),
                 adjacency.matrix.device)  # fmt: skip
    if values.dtype != features.dtype:
        raise ValueError(f"values must be of the type of features ({features.dtype}), "
                         f"got {values.dtype}")  # fmt: skip
    if features.ndim == 3 and values.shape[1] != features.shape[1]:
        raise ValueError(f"values must have one column per head ({features.shape[1]}), "
                         f"got {values.shape[1]}")  # fmt: skip


@cache
def _functions() -> tuple[Any, Any]:
    """The two products as functions that PyTorch differentiates; made once PyTorch is loaded."""
    function = torch().autograd.Function

    class SpMM(function):  # type: ignore[misc, valid-type]
        @staticmethod
        def forward(ctx: Any, adjacency: Adjacency, features: Any, values: Any) -> Any:
            ctx.adjacency = adjacency
            ctx.save_for_backward(features, values)
            return _multiplied(adjacency, features, values)

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> tuple:
            features, values = ctx.saved_tensors
            adjacency, found = ctx.adjacency, [None, None]
            if ctx.needs_input_grad[1]:
                found[0] = spmm(adjacency.transposed, gradient, values[adjacency.order])
            if ctx.needs_input_grad[2]:
                found[1] = sddmm(adjacency, gradient, features)
            return None, *found

    class SDDMM(function):  # type: ignore[misc, valid-type]
        @staticmethod
        def forward(ctx: Any, adjacency: Adjacency, left: Any, right: Any) -> Any:
            ctx.adjacency = adjacency
            ctx.save_for_backward(left, right)
            return _sampled(adjacency, left, right)

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> tuple:
            left, right = ctx.saved_tensors
            adjacency, found = ctx.adjacency, [None, None]
            if ctx.needs_input_grad[1]:
                found[0] = spmm(adjacency, right, gradient)
            if ctx.needs_input_grad[2]:
                found[1] = spmm(adjacency.transposed, left, gradient[adjacency.order])
            return None, *found

    return SpMM, SDDMM


def _multiplied(adjacency: Adjacency, features: Any, values: Any) -> Any:
    matrix, features, values = adjacency.matrix, as_array(features), as_array(values)
    if features.ndim == 2 or features.shape[1] == 1:
        rows = features.reshape(len(features), features.shape[-1])
        found = sparse_spmm(matrix.with_values(values.reshape(-1)), rows)
        return as_tensor(found.reshape(features.shape))
    if matrix.device == "cpu":
        return as_tensor(head_sums(matrix, values, features))
    found = matrix.xp.empty_like(features)
    for h in range(features.shape[1]):
        found[:, h] = sparse_spmm(matrix.with_values(values[:, h]), features[:, h])
    return as_tensor(found)


def _sampled(adjacency: Adjacency, left: Any, right: Any) -> Any:
    matrix, left, right = adjacency.matrix, as_array(left), as_array(right)
    if left.ndim == 2:
        return as_tensor(sparse_sddmm(matrix, left, right).values)
    return as_tensor(head_products(matrix, left, right))
