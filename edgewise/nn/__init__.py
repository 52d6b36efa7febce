"""Message passing for PyTorch: sparse products, edge softmax and attention with gradients.

All functions take an `Adjacency`, which is made of a graph once, and tensors on its device;
`edge_softmax` and `attention` also take arrays of NumPy or CuPy and then need no PyTorch. They
are differentiable any number of times. PyTorch is an extra: ``pip install edgewise[nn]``. The
functions load at their first use.
"""

from __future__ import annotations

from edgewise.base.lazy import lazy

#: Where each public name lives.
_HOME: dict[str, str] = {
    "Adjacency": "adjacency",
    "Attention": "attention",
    "attention": "attention",
    "edge_softmax": "edge_softmax",
    "sddmm": "message_products",
    "spmm": "message_products",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
