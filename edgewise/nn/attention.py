"""Graph attention [1]: sums of neighbors' features, weighted by learned scores.

The score of entry (i, j) is leaky_relu(left[i] + right[j]), its weight the softmax of the scores of
row i. Only scores and weights are stored per entry, never features.

[1] P. Veličković, G. Cucurull, A. Casanova, A. Romero, P. Liò, Y. Bengio. Graph attention networks.
ICLR 2018.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from edgewise.base.checks import check_number
from edgewise.nn.adjacency import Adjacency
from edgewise.nn.edge_softmax import edge_softmax
from edgewise.nn.message_products import check_adjacency, spmm
from edgewise.nn.tensors import check_tensor, torch

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
    features : tensor over vertices
        Of shape (n, heads, f).
    left, right : tensors over vertices
        The scores of vertices as rows and as columns, of shape (n, heads).
    negative_slope : float
        The slope of the leaky rectifier for negative scores.
    dropout : callable, optional
        A function of the weights, such as ``torch.nn.Dropout(0.6)``, applied before the sums.

    Returns
    -------
    Attention

    Examples
    --------
    >>> import edgewise as ew, torch
    >>> path = ew.nn.Adjacency(ew.generators.path(3), self_loops=True)
    >>> x, zeros = torch.tensor([[[0.0]], [[3.0]], [[6.0]]]), torch.zeros(3, 1)
    >>> ew.nn.attention(path, x, zeros, zeros).features.flatten().tolist()
    [1.5, 3.0, 4.5]
    """
    check_adjacency(adjacency)
    n, device = adjacency.num_vertices, adjacency.matrix.device
    check_tensor(features, "features", n, "vertex", (3,), device)
    for name, tensor in (("left", left), ("right", right)):
        check_tensor(tensor, name, n, "vertex", (2,), device)
        if tensor.shape[1] != features.shape[1]:
            raise ValueError(f"{name} must have one column per head ({features.shape[1]}), "
                             f"got {tensor.shape[1]}")  # fmt: skip
    slope = check_number(negative_slope, "negative_slope")
    scores = left[adjacency.rows] + right[adjacency.columns]
    scores = torch().nn.functional.leaky_relu(scores, slope)
    weights = edge_softmax(adjacency, scores)
    used = weights if dropout is None else dropout(weights)
    return Attention(spmm(adjacency, features, used), weights)
