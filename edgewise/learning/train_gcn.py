"""Training of graph convolutional networks [1] on all vertices at once, also on a grid of ranks.

Layer l computes Z = P H W from the features H, with P = D^-1/2 (A + I) D^-1/2, and max(Z, 0) goes
into the next layer. The loss is the cross entropy of the labeled vertices. Gradients are written
out: with G that of Z, that of W is H^T P G, and that of H is P G W^T. Each epoch is one step of
Adam [2]. `edgewise.learning.feature_blocks` multiplies, in one process and on a grid.

Dropped features are chosen by hashes of the vertex, the column and the epoch, so that every way to
distribute the work computes the same network up to rounding.

[1] T. Kipf, M. Welling. Semi-supervised classification with graph convolutional networks. ICLR
    2017.
[2] D. Kingma, J. Ba. Adam: a method for stochastic optimization. ICLR 2015.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice, check_count, check_number, check_undirected
from edgewise.base.errors import DeviceError
from edgewise.base.observe import notify
from edgewise.base.random import check_seed, uniform
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.lookup import check_vertices
from edgewise.learning.feature_blocks import ColumnSlices, OneProcess, RowBlocks

__all__ = ["ConvolutionalNetwork", "train_gcn"]

_WAYS = {"1.5d": RowBlocks, "2d": ColumnSlices}
#: The decay of Adam's moments, and what keeps it from dividing by 0.
_FIRST, _SECOND, _TINY = 0.9, 0.999, 1e-8


class ConvolutionalNetwork(NamedTuple):
    """A trained network.

    Attributes
    ----------
    weights : tuple of arrays
        The matrix of each layer.
    losses : array of float64
        The mean cross entropy of the labeled vertices in each epoch, before its step.
    classes : array of int64
        The most probable class of each vertex.
    """

    weights: tuple[np.ndarray, ...]
    losses: np.ndarray
    classes: np.ndarray


@takes_graph
def train_gcn(
    graph: GraphLike,
    features: Any,
    *,
    classes: Any,
    train: Any,
    hidden: Sequence[int] = (16,),
    epochs: int = 200,
    learning_rate: float = 0.01,
    weight_decay: float = 5e-4,
    dropout: float = 0.5,
    partition: str | None = None,
    seed: int = 0,
) -> ConvolutionalNetwork:
    """Return a graph convolutional network that predicts classes of vertices, trained on a few.

    Parameters
    ----------
    graph : Graph
        Undirected, in host memory or on a grid of ranks. Weights of edges count; a loop of weight 1
        is added to every vertex.
    features : array of float, n x f
        A row for each vertex. All computation is in its type, float32 or float64.
    classes : array of int over vertices
        Class numbers from 0. Only those of ``train`` are read.
    train : array of vertices or of bool
        The labeled vertices.
    hidden : sequence of int
        The number of features between layers; one layer more than there are numbers.
    epochs : int
        Steps of training.
    learning_rate : float
        The step size of Adam.
    weight_decay : float
        The strength of the penalty on the weights of the first layer.
    dropout : float
        The share of features that every layer loses during training.
    partition : {"1.5d", "2d"}, optional
        How features are distributed over a grid: by rows of vertices (the default), or by rows and
        columns. "1.5d" on a grid of one column is 1D. Leave it out on one device.
    seed : int
        Seed of the initial weights and of dropout. The result is the same for any grid up to
        rounding.

    Returns
    -------
    ConvolutionalNetwork
        ``weights``, ``losses`` and ``classes``, whole on every rank.

    See Also
    --------
    edgewise.nn : Layers for PyTorch, on CPU and GPU.

    Notes
    -----
    An epoch takes O((m + n f) h) time for layers of h features.

    Examples
    --------
    >>> import numpy as np
    >>> from edgewise import generators
    >>> graph = generators.barbell(6, 0)
    >>> sides = np.repeat([0, 1], 6)
    >>> found = train_gcn(graph, np.eye(12), classes=sides, train=[0, 11], hidden=[4], epochs=50)
    >>> found.classes.tolist()
    [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    """
    check_undirected(graph, "train_gcn")
    blocks = _blocks(graph, partition)
    n = graph.num_vertices
    whole = _check_features(features, n)
    labeled = _check_train(graph, train)
    wanted = _check_classes(classes, labeled, n)
    if isinstance(hidden, str) or not np.iterable(hidden):
        raise TypeError(f"hidden must list numbers of features, got {hidden!r}")
    inner = [check_count(one, "hidden", 1) for one in hidden]
    epochs, rate = check_count(epochs, "epochs"), check_number(learning_rate, "learning_rate")
    decay = check_number(weight_decay, "weight_decay")
    drop = check_number(dropout, "dropout")
    if drop >= 1:
        raise ValueError(f"dropout must lie in [0, 1), got {dropout!r}")
    hashed = check_seed(seed)
    widths = [whole.shape[1], *inner, int(wanted[labeled].max()) + 1]
    mine = np.isin(blocks.vertices, labeled)
    network = _Network(blocks, _initial(widths, hashed, whole.dtype), drop, hashed,
                       wanted[blocks.vertices], mine, len(labeled))  # fmt: skip
    x = np.ascontiguousarray(whole[blocks.vertices, blocks.columns(widths[0])])
    losses = np.zeros(epochs)
    moments = [[np.zeros_like(w) for w in network.weights] for _ in range(2)]
    for epoch in range(epochs):
        losses[epoch], gradients = network.gradients(x, epoch)
        gradients[0] += decay * network.weights[0]
        for w, g, first, second in zip(network.weights, gradients, *moments, strict=True):
            first += (1 - _FIRST) * (g - first)
            second += (1 - _SECOND) * (g * g - second)
            size = np.sqrt(second / (1 - _SECOND ** (epoch + 1))) + _TINY
            w -= rate / (1 - _FIRST ** (epoch + 1)) * first / size
        notify(epoch, loss=losses[epoch])
    found = network.forward(x)[0].argmax(axis=1)
    return ConvolutionalNetwork(tuple(network.weights), losses, blocks.gather(found))


class _Network:
    """Weights, and what this rank knows of the vertices."""

    def __init__(
        self, blocks: OneProcess, weights: list[np.ndarray], drop: float, hashed: Any,
        classes: np.ndarray, labeled: np.ndarray, count: int,
    ):  # fmt: skip
        self.blocks, self.weights, self.drop, self.hashed = blocks, weights, drop, hashed
        self.at, self.count = np.flatnonzero(labeled), count
        self.wanted = classes[self.at]
        degrees = blocks.degrees() + 1
        if not (np.isfinite(degrees) & (degrees > 0)).all():
            raise ValueError("weights must be finite and nonnegative")
        self.scale = (1 / np.sqrt(degrees)).astype(weights[0].dtype)[:, None]

    def forward(self, x: np.ndarray, epoch: int | None = None) -> tuple[np.ndarray, list]:
        """Logarithms of probabilities, all classes; and inputs and dropout masks of the layers."""
        kept: list[tuple] = []
        for layer, weights in enumerate(self.weights):
            mask = None if epoch is None else self._mask(x, weights, epoch, layer)
            x = x if mask is None else x * mask
            kept.append((x, mask))
            x = self._propagated(self.blocks.times(x, weights))
            if layer + 1 < len(self.weights):
                x = np.maximum(x, 0)
        found = self.blocks.whole_rows(x, self.weights[-1].shape[1])
        found = found - found.max(axis=1, keepdims=True, initial=-np.inf)
        return found - np.log(np.exp(found).sum(axis=1, keepdims=True)), kept

    def gradients(self, x: np.ndarray, epoch: int) -> tuple[float, list[np.ndarray]]:
        """The loss, and the gradient of each layer's weights."""
        logs, kept = self.forward(x, epoch)
        loss = self.blocks.total(-float(logs[self.at, self.wanted].sum())) / self.count
        errors = np.zeros_like(logs)
        errors[self.at] = np.exp(logs[self.at])
        errors[self.at, self.wanted] -= 1
        columns = self.blocks.columns(logs.shape[1])
        gradient, found = np.ascontiguousarray(errors[:, columns]) / logs.dtype.type(self.count), []
        for layer in reversed(range(len(kept))):
            (inputs, mask), sent = kept[layer], self._propagated(gradient)
            own, back = self.blocks.gradients(inputs, sent, self.weights[layer], layer > 0)
            found.append(own)
            if back is not None:
                back = back if mask is None else back * mask
                gradient = np.where(inputs > 0, back, 0)  # of max(Z, 0), which was the input
        return loss, found[::-1]

    def _propagated(self, x: np.ndarray) -> np.ndarray:
        """P X."""
        scaled = self.scale * x
        return self.scale * (self.blocks.sums(scaled) + scaled)

    def _mask(self, x: np.ndarray, weights: np.ndarray, epoch: int, layer: int) -> Any:
        """0 for the features that are dropped, and what makes up for them for all others."""
        if not self.drop:
            return None
        width = len(weights)
        ids = self.blocks.vertices[:, None] * width + np.arange(width)[self.blocks.columns(width)]
        turn = 1 + epoch * len(self.weights) + layer
        kept = uniform(self.hashed, ids.astype(np.int64), turn) >= self.drop
        return kept * x.dtype.type(1 / (1 - self.drop))


def _blocks(graph: Any, partition: str | None) -> OneProcess:
    """How features are multiplied where the graph is."""
    if graph.device != "cpu":
        raise DeviceError(f"train_gcn needs a graph in host memory, and this one is on "
                          f"{graph.device}: edgewise.nn trains on a GPU")  # fmt: skip
    if partition is not None:
        check_choice(partition, "partition", _WAYS)
    if graph.engine == "local":
        if partition is not None:
            raise ValueError(f"partition must be left out on one device, got {partition!r}")
        return OneProcess(graph)
    return _WAYS[partition or "1.5d"](graph)


def _initial(widths: list[int], hashed: Any, dtype: Any) -> list[np.ndarray]:
    """Random weights of a size that keeps the size of features (Glorot)."""
    found = []
    for layer, (rows, columns) in enumerate(zip(widths, widths[1:], strict=False)):
        drawn = uniform(hashed, np.arange(rows * columns), -1 - layer).reshape(rows, columns)
        found.append(((2 * drawn - 1) * np.sqrt(6 / (rows + columns))).astype(dtype))
    return found


def _check_features(features: Any, n: int) -> np.ndarray:
    try:
        found = np.asarray(features)
        if found.dtype not in (np.float32, np.float64):
            found = found.astype(np.float32)
    except (TypeError, ValueError):
        raise TypeError(f"features must be numbers, got {features!r:.80}") from None
    if found.ndim != 2 or len(found) != n or found.shape[1] == 0:
        raise ValueError(f"features must have shape ({n}, f), got {found.shape}")
    if not np.isfinite(found).all():
        raise ValueError("features must be finite")
    return found


def _check_train(graph: AnyGraph, train: Any) -> np.ndarray:
    """Distinct labeled vertices."""
    given: Any = train if isinstance(train, str) else np.asarray(train)
    if getattr(given, "dtype", None) == np.bool_:
        if given.shape != (graph.num_vertices,):
            raise ValueError(f"train must have one boolean per vertex ({graph.num_vertices}), "
                             f"got shape {given.shape}")  # fmt: skip
        given = np.flatnonzero(given)
    found = np.unique(check_vertices(graph, given, "train"))
    if len(found) == 0:
        raise ValueError("train must have at least one vertex, got none")
    return found


def _check_classes(classes: Any, labeled: np.ndarray, n: int) -> np.ndarray:
    found = np.asarray(classes)
    if found.shape != (n,):
        raise ValueError(f"classes must have one number per vertex ({n}), got shape {found.shape}")
    if found.dtype.kind not in "iu":
        raise TypeError(f"classes must be whole numbers, got dtype {found.dtype}")
    if found[labeled].min() < 0:
        raise ValueError(f"classes must be at least 0 for train, got {found[labeled].min()}")
    return found.astype(np.int64)
