"""Softmax over the entries of each row.

a_e = exp(s_e - max) / sum exp(s_f - max) over the entries f of the row of e. With gradient g of a,
that of s is a_e (g_e - sum a_f g_f). Rows are reduced by `edgewise.linalg.reduce_rows`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from edgewise.linalg import reduce_rows
from edgewise.nn.adjacency import Adjacency
from edgewise.nn.message_products import check_adjacency
from edgewise.nn.tensors import as_array, as_tensor, check_tensor, torch

__all__ = ["edge_softmax"]


def edge_softmax(adjacency: Adjacency, scores: Any) -> Any:
    """Return the softmax of scores over the entries of each row.

    Parameters
    ----------
    adjacency : Adjacency
        The graph. Its values are not read.
    scores : tensor over entries
        Of shape (entries,), or (entries, heads); heads are independent.

    Returns
    -------
    tensor of the shape of ``scores``
        Positive numbers that sum to 1 over each row.

    Examples
    --------
    >>> import edgewise as ew, torch
    >>> path = ew.nn.Adjacency(ew.generators.path(3))
    >>> ew.nn.edge_softmax(path, torch.zeros(4)).tolist()
    [1.0, 0.5, 0.5, 1.0]
    """
    check_adjacency(adjacency)
    check_tensor(scores, "scores", adjacency.num_entries, "entry", (1, 2),
                 adjacency.matrix.device)  # fmt: skip
    return _functions()[0].apply(adjacency, scores)


@cache
def _functions() -> tuple[Any, Any]:
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
            ctx.adjacency, rows = adjacency, adjacency.rows
            grown = (scores - _reduced(adjacency, scores, "max")[rows]).exp()
            found = grown / _reduced(adjacency, grown, "plus")[rows]
            ctx.save_for_backward(found)
            return found

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> tuple:
            (found,) = ctx.saved_tensors
            return None, found * (gradient - RowSums.apply(ctx.adjacency, found * gradient))

    return Softmax, RowSums


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
