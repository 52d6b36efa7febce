"""Mini-batches with sampled neighbors, epoch by epoch: loaders for graph neural networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.learning.batch_loader import Batches, make_batches
from edgewise.learning.layer_sampling import make_layer_sampler
from edgewise.learning.neighbor_sampling import make_sampler

__all__ = ["layer_batches", "neighbor_batches"]


@takes_graph
def neighbor_batches(
    graph: LocalGraphLike,
    sources: Any = None,
    *,
    batch_size: int = 1024,
    fanouts: Sequence[int | None] = (15, 10),
    shuffle: bool = True,
    drop_last: bool = False,
    prefetch: int = 0,
    replace: bool = False,
    mode: str = "in",
    weights: Any = None,
    times: Any = None,
    source_times: Any = None,
    method: str = "random",
    seed: int = 0,
) -> Batches:
    """Return the mini-batches of all sources, to iterate over once per epoch.

    Parameters
    ----------
    graph : Graph
        On one device.
    sources : int or str, or several, optional
        The vertices to learn from, such as a training set; all vertices by default.
    batch_size : int
        The number of sources per batch.
    shuffle : bool
        Whether each epoch has its own random order; else the order is that of ``sources``.
    drop_last : bool
        Whether to leave out the last batch if it is smaller.
    prefetch : int
        How many batches to prepare in advance while the caller works on one. The batches are the
        same.
    fanouts, replace, mode, weights, times, method
        As for `sample_neighbors`.
    source_times : number or date, or array over ``sources``, optional
        As for `sample_neighbors`.
    seed : int
        Seed of the order and of the draws.

    Returns
    -------
    Batches
        ``for batch in batches`` goes through one epoch, a `NeighborSample` at a time; the next loop
        is the next epoch. ``batches.epoch(e)`` goes through any one, and ``len(batches)`` is the
        number of batches.

    See Also
    --------
    layer_batches : Batches that keep a number of vertices per hop.

    Notes
    -----
    ``torch.utils.data.DataLoader(batches, batch_size=None, num_workers=2)`` gives tensors, made in
    worker processes of one thread each. Import PyTorch before you make the batches. Without
    workers, batches are those of a loop. With workers, ``torch.manual_seed`` decides about epochs.

    Examples
    --------
    >>> from edgewise import generators
    >>> graph = generators.karate_club()
    >>> batches = neighbor_batches(graph, batch_size=16, fanouts=[4, 4])
    >>> len(batches), [len(batch.sources) for batch in batches]
    (3, [16, 16, 2])
    """
    sampler = make_sampler(graph, fanouts, replace, mode, weights, times, method)
    if (source_times is None) != (sampler.times is None):
        raise ValueError("times and source_times must be given together")
    return make_batches(sampler, sources, source_times, batch_size, shuffle, drop_last, prefetch,
                        seed)  # fmt: skip


@takes_graph
def layer_batches(
    graph: LocalGraphLike,
    sources: Any = None,
    *,
    batch_size: int = 1024,
    layer_sizes: Sequence[int] = (512, 512),
    shuffle: bool = True,
    drop_last: bool = False,
    prefetch: int = 0,
    mode: str = "in",
    weights: Any = None,
    seed: int = 0,
) -> Batches:
    """Return the mini-batches of all sources by layer-wise sampling.

    Parameters
    ----------
    graph, sources, batch_size, shuffle, drop_last, prefetch, seed
        As for `neighbor_batches`.
    layer_sizes, mode, weights
        As for `sample_layers`.

    Returns
    -------
    Batches
        As `neighbor_batches` returns, of `LayerSample`.

    Examples
    --------
    >>> from edgewise import generators
    >>> graph = generators.karate_club()
    >>> batches = layer_batches(graph, batch_size=16, layer_sizes=[8, 8])
    >>> [len(batch.sources) for batch in batches]
    [16, 16, 2]
    """
    sampler = make_layer_sampler(graph, layer_sizes, mode, weights)
    return make_batches(sampler, sources, None, batch_size, shuffle, drop_last, prefetch, seed)
