"""Graph attention [1]: sums of neighbors' features, weighted by learned scores.

The score of entry (i, j) is leaky_relu(left[i] + right[j]), its weight the softmax of the scores of
row i. Only weights are stored per entry, never features. `edgewise.nn.row_softmax` has one pass per
row for scores, weights and sums, and two for gradients. With dropout, rows of millions of entries
on a GPU, and for gradients of gradients, scores, softmax and sums are steps of their own.

[1] P. Veličković, G. Cucurull, A. Casanova, A. Romero, P. Liò, Y. Bengio. Graph attention networks.
ICLR 2018.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from edgewise.base.checks import check_number
from edgewise.nn.adjacency import Adjacency
from edgewise.nn.edge_softmax import edge_softmax
from edgewise.nn.message_products import check_adjacency, spmm
from edgewise.nn.row_softmax import attend, attend_gradients
from edgewise.nn.tensors import as_array, as_tensor, check_values, is_tensor, torch

__all__ = ["Attention", "attention"]


class Attention(NamedTuple):
    """Features after attention, and the weights."""

    features: Any  #: tensor over vertices, of the shape of the features given
    weights: Any  #: tensor over entries, (entries, heads)


def attention(
    adjacency: Adjacency, features: Any, left: Any, right: Any, *, negative_slope: float = 0.2,
    dropout: Any = None,
) -> Attention:  # fmt: skip
    """Return each vertex's attention-weighted sum of its neighbors' features.

    Parameters
    ----------
    adjacency : Adjacency
        The graph, usually with ``self_loops=True``. Its values are not read.
    features : tensor or array over vertices
        Of shape (n, heads, f).
    left, right : tensors or arrays over vertices
        The scores of vertices as rows and as columns, of shape (n, heads).
    negative_slope : float
        The slope of the leaky rectifier for negative scores.
    dropout : callable, optional
        A function of the weights, such as ``torch.nn.Dropout(0.6)``, applied before the sums. Only
        for tensors.

    Returns
    -------
    Attention

    Examples
    --------
    >>> import edgewise as ew, numpy as np
    >>> path = ew.nn.Adjacency(ew.generators.path(3), self_loops=True)
    >>> x, zeros = np.array([[[0.0]], [[3.0]], [[6.0]]]), np.zeros((3, 1))
    >>> ew.nn.attention(path, x, zeros, zeros).features.flatten().tolist()
    [1.5, 3.0, 4.5]
    """
    check_adjacency(adjacency)
    n, matrix = adjacency.num_vertices, adjacency.matrix
    features = check_values(features, "features", n, "vertex", (3,), matrix)
    left, right = (
        check_values(one, name, n, "vertex", (2,), matrix)
        for name, one in (("left", left), ("right", right))
    )
    for name, one in (("left", left), ("right", right)):
        if is_tensor(one) != is_tensor(features):
            raise TypeError(f"{name} must be a tensor if features are, and an array if they are")
        if one.shape[1] != features.shape[1]:
            raise ValueError(f"{name} must have one column per head ({features.shape[1]}), "
                             f"got {one.shape[1]}")  # fmt: skip
        if one.dtype != features.dtype:
            raise ValueError(f"{name} must be of the type of features ({features.dtype}), "
                             f"got {one.dtype}")  # fmt: skip
    slope = check_number(negative_slope, "negative_slope")
    if not is_tensor(features):
        if dropout is not None:
            raise TypeError("dropout needs features that are PyTorch tensors")
        return Attention(*attend(matrix, features, left, right, slope))
    if dropout is None and adjacency.balanced:
        return Attention(*_function().apply(adjacency, features, left, right, slope))
    return _by_steps(adjacency, features, left, right, slope, dropout)


def _by_steps(
    adjacency: Adjacency, features: Any, left: Any, right: Any, slope: float, dropout: Any
) -> Attention:
    scores = left[adjacency.rows] + right[adjacency.columns]
    scores = torch().nn.functional.leaky_relu(scores, slope)
    weights = edge_softmax(adjacency, scores)
    used = weights if dropout is None else dropout(weights)
    return Attention(spmm(adjacency, features, used), weights)


@cache
def _function() -> Any:
    """Attention as a function that PyTorch differentiates."""

    class Attend(torch().autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(
            ctx: Any, adjacency: Adjacency, features: Any, left: Any, right: Any, slope: float
        ) -> tuple:
            ctx.adjacency, ctx.slope = adjacency, slope
            ctx.set_materialize_grads(False)
            found = [as_tensor(one) for one in attend(
                adjacency.matrix, as_array(features), as_array(left), as_array(right), slope
            )]  # fmt: skip
            ctx.save_for_backward(features, left, right, found[1])
            return tuple(found)

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> tuple:
            *inputs, weights = ctx.saved_tensors
            adjacency, slope = ctx.adjacency, ctx.slope
            if torch().is_grad_enabled():  # to be differentiated again
                return None, *_differentiable(adjacency, inputs, slope, gradients), None
            given = tuple(None if one is None else as_array(one) for one in gradients)
            found = attend_gradients(
                adjacency.matrix, adjacency.flipped, tuple(map(as_array, inputs)), slope,
                as_array(weights), given,
            )  # fmt: skip
            return None, *map(as_tensor, found), None

    return Attend


def _differentiable(adjacency: Adjacency, inputs: list, slope: float, gradients: tuple) -> tuple:
    """The gradients by steps that can be differentiated."""
    features, left, right = inputs
    found = _by_steps(adjacency, features, left, right, slope, None)
    several = [(result, gradient) for result, gradient in zip(found, gradients, strict=True)
               if gradient is not None and result.requires_grad]  # fmt: skip
    wanted = [one for one in inputs if one.requires_grad]
    results, given = zip(*several, strict=True)
    ours = iter(torch().autograd.grad(results, wanted, given, create_graph=True, allow_unused=True))
    return tuple(next(ours) if one.requires_grad else None for one in inputs)
