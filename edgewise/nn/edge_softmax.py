"""Softmax over the entries of each row.

a_e = exp(s_e - max) / sum exp(s_f - max) over the entries f of the row of e. With gradient g of a,
that of s is a_e (g_e - sum a_f g_f). `edgewise.nn.row_softmax` computes both for all heads at once.
Rows of millions of entries on a GPU are reduced by `edgewise.linalg.reduce_rows`, as are gradients
of gradients.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from edgewise.linalg import reduce_rows
from edgewise.nn.adjacency import Adjacency
from edgewise.nn.message_products import check_adjacency
from edgewise.nn.row_softmax import softmax, softmax_gradient
from edgewise.nn.tensors import as_array, as_tensor, check_values, is_tensor, torch

__all__ = ["edge_softmax"]


def edge_softmax(adjacency: Adjacency, scores: Any) -> Any:
    """Return the softmax of scores over the entries of each row.

    Parameters
    ----------
    adjacency : Adjacency
        The graph. Its values are not read.
    scores : tensor or array over entries
        Of shape (entries,), or (entries, heads); heads are independent.

    Returns
    -------
    tensor or array of the shape of ``scores``
        Positive numbers that sum to 1 over each row.

    Examples
    --------
    >>> import edgewise as ew, numpy as np
    >>> path = ew.nn.Adjacency(ew.generators.path(3))
    >>> ew.nn.edge_softmax(path, np.zeros(4)).tolist()
    [1.0, 0.5, 0.5, 1.0]
    """
    check_adjacency(adjacency)
    scores = check_values(scores, "scores", adjacency.num_entries, "entry", (1, 2),
                          adjacency.matrix)  # fmt: skip
    if is_tensor(scores):
        return functions()[0].apply(adjacency, scores)
    return _by_heads(softmax, adjacency, scores)


@cache
def functions() -> tuple[Any, Any]:
    """Softmax and row sums as functions that PyTorch differentiates."""
    function = torch().autograd.Function

    class RowSums(function):  # type: ignore[misc, valid-type]
        """The sum of each row, at each of its entries: its own gradient."""

        @staticmethod
        def forward(ctx: Any, adjacency: Adjacency, values: Any) -> Any:
            ctx.adjacency = adjacency
            return _reduced(adjacency, values, "plus")[adjacency.rows]

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> tuple:
            return None, RowSums.apply(ctx.adjacency, gradient)

    class Softmax(function):  # type: ignore[misc, valid-type]
        @staticmethod
        def forward(ctx: Any, adjacency: Adjacency, scores: Any) -> Any:
            ctx.adjacency = adjacency
            if adjacency.balanced:
                found = as_tensor(_by_heads(softmax, adjacency, as_array(scores)))
            else:
                rows = adjacency.rows
                grown = (scores - _reduced(adjacency, scores, "max")[rows]).exp()
                found = grown / _reduced(adjacency, grown, "plus")[rows]
            ctx.save_for_backward(found)
            return found

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> tuple:
            (found,), adjacency = ctx.saved_tensors, ctx.adjacency
            if torch().is_grad_enabled() or not adjacency.balanced:  # to be differentiated again
                return None, found * (gradient - RowSums.apply(adjacency, found * gradient))
            given = as_array(found), as_array(gradient)
            return None, as_tensor(_by_heads(softmax_gradient, adjacency, *given))

    return Softmax, RowSums


def _by_heads(function: Any, adjacency: Adjacency, *values: Any) -> Any:
    """The function of arrays with heads; without heads, there is one."""
    heads = [one if one.ndim == 2 else one[:, None] for one in values]
    return function(adjacency.matrix, *heads).reshape(values[0].shape)


def _reduced(adjacency: Adjacency, values: Any, monoid: str) -> Any:
    """The rows' sums or maxima, of every head."""
    several = [values] if values.ndim == 1 else [values[:, h] for h in range(values.shape[1])]
    found = [
        as_tensor(reduce_rows(adjacency.matrix.with_values(as_array(one)), monoid))
        for one in several
    ]
    if values.ndim == 1:
        return found[0]
    return torch().stack(found, 1) if found else values.new_empty((adjacency.num_vertices, 0))
