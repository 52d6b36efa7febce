"""Layer-wise sampling: each hop keeps some of all neighbors of the batch together [1, 2].

In neighbor sampling, every vertex draws edges of its own, so that batches grow with each hop. Here
a hop lists all edges of the vertices so far. The importance of their other end j is the sum of the
squares of the shares a_ij / d_i that it has in the sums d_i of the rows. Vertex j is kept with
probability p_j = min(1, c q_j), where q_j is the root of that sum and c makes the expected number
the one wanted (Poisson sampling [2]). An edge to it gets the value a_ij / (d_i p_j). Weighted sums
are thus unbiased estimates of the means over all neighbors.

[1] D. Zou, Z. Hu, Y. Wang, S. Jiang, Y. Sun, Q. Gu. Layer-dependent importance sampling for
    training deep and large graph convolutional networks. NeurIPS 2019.
[2] M. F. Balin, U. V. Çatalyürek. Layer-neighbor sampling: defusing neighborhood explosion in GNNs.
    NeurIPS 2023.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from edgewise.base import random
from edgewise.base.checks import check_count
from edgewise.base.offsets import offsets
from edgewise.base.random import check_seed, uniform
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.lookup import check_vertices
from edgewise.graph.transfer import host
from edgewise.learning.neighbor_sampling import Members, Sampler, make_sampler

__all__ = ["LayerBlock", "LayerSample", "LayerSampler", "make_layer_sampler", "sample_layers"]


class LayerBlock(NamedTuple):
    """The kept edges of one hop: a sparse matrix with a row for each vertex of the batch so far.

    Attributes
    ----------
    indptr, indices, edges
        As in `Block`.
    values : array of float64
        The value of each edge. The sum over a row of values times features estimates the mean of
        the features of all neighbors.
    """

    indptr: Any
    indices: Any
    edges: Any
    values: Any


class LayerSample(NamedTuple):
    """A mini-batch: its vertices, the nearest first, and a block of edges with values per hop.

    Attributes
    ----------
    vertices, sources, sizes
        As in `NeighborSample`.
    blocks : tuple of LayerBlock
        The edges of each hop. A network of L layers uses the blocks in reverse order.
    """

    vertices: Any
    sources: Any
    sizes: tuple[int, ...]
    blocks: tuple[LayerBlock, ...]


@takes_graph
def sample_layers(
    graph: LocalGraphLike,
    sources: Any,
    *,
    layer_sizes: Sequence[int] = (512, 512),
    mode: str = "in",
    weights: Any = None,
    seed: int = 0,
) -> LayerSample:
    """Return a mini-batch in which each hop keeps about as many vertices as wanted.

    Parameters
    ----------
    graph : Graph
        On one device, where the result is, too.
    sources : int or str, or several
        Vertices by id or label. They may repeat.
    layer_sizes : sequence of int
        The expected number of neighbors that each hop keeps. All are kept if there are fewer.
    mode : {"in", "out", "both"}
        Which edges of a vertex count: those that lead to it, those that leave it, or both.
    weights : str, array over edges, or None
        Means are weighted by these finite, nonnegative numbers; None means equally.
    seed : int
        Seed of the choices. The same seed gives the same batch for any number of threads.

    Returns
    -------
    LayerSample
        ``vertices``, ``sources``, ``sizes`` and ``blocks``, as NumPy's arrays or CuPy's.

    See Also
    --------
    sample_neighbors : Every vertex draws some edges of its own.
    layer_batches : All batches of an epoch.

    Notes
    -----
    All edges of the vertices of a hop are read. Memory is proportional to their number.

    Examples
    --------
    >>> from edgewise import generators
    >>> star = generators.star(100)
    >>> batch = sample_layers(star, [0], layer_sizes=[10], seed=1)
    >>> batch.sizes, batch.blocks[0].values[:2].round(3).tolist()
    ((1, 9), [0.1, 0.1])
    """
    sampler = make_layer_sampler(graph, layer_sizes, mode, weights)
    ids = graph.xp.asarray(check_vertices(graph, host(sources), "sources")).astype(np.int64)
    return sampler.draw(ids, None, check_seed(seed), sampler.numbering())


def make_layer_sampler(graph: AnyGraph, layer_sizes: Any, mode: Any, weights: Any) -> LayerSampler:
    """The arguments that all batches share, checked, and the rows to draw from."""
    sampler = make_sampler(graph, [None], False, mode, weights, None, "random")
    if isinstance(layer_sizes, str) or not isinstance(layer_sizes, Sequence) or not layer_sizes:
        raise TypeError(
            "layer_sizes must list the number of vertices of each hop, such as [512, 512], got "
            f"{layer_sizes!r}"
        )
    wanted = tuple(check_count(one, "layer_sizes", 1) for one in layer_sizes)
    return LayerSampler(sampler._replace(weights=None), sampler.weights, wanted)


class LayerSampler(NamedTuple):
    """What a batch draws from, and how."""

    rows: Sampler  # of all edges
    weights: Any
    layer_sizes: tuple[int, ...]

    def __repr__(self) -> str:
        return f"layer_sizes={list(self.layer_sizes)}"

    @property
    def graph(self) -> Any:
        """The graph."""
        return self.rows.graph

    def numbering(self) -> Any:
        """Scratch memory for `draw`, which leaves it as it was."""
        return self.rows.numbering()

    def draw(self, ids: Any, limits: None, seed: np.uint64, slots: Any) -> LayerSample:
        """The batch of some sources."""
        graph, sampler, values = self.graph, self.rows, self.weights
        xp = graph.xp
        members = Members(xp, graph.num_vertices, slots)
        given, sizes, blocks = members.add(ids, None), [], []
        for hop, count in enumerate(self.layer_sizes):
            sizes.append(len(members.ids))
            starts, places = sampler.places(members.ids, None, sampler.fanouts[0], seed)
            rows = xp.repeat(xp.arange(sizes[-1]), xp.diff(starts))
            ones = xp.ones(len(places)) if values is None else values[places].astype(np.float64)
            sums = xp.bincount(rows, ones, sizes[-1])
            shares = ones / xp.where(sums > 0, sums, 1)[rows]
            near, group = xp.unique(sampler.indices[places].astype(np.int64), return_inverse=True)
            chances = _chances(xp, xp.sqrt(xp.bincount(group, shares**2, len(near))), count)
            kept = uniform(random.bits(seed, hop), near) < chances
            chosen = xp.flatnonzero(kept[group] & (shares > 0))
            at, places, rows = group[chosen], places[chosen], rows[chosen]
            edges = graph.arc_to_edge[places if sampler.arcs is None else sampler.arcs[places]]
            indptr = offsets(xp.bincount(rows, minlength=sizes[-1]))
            blocks.append(LayerBlock(indptr, members.add(near[at], None), edges,
                                     shares[chosen] / chances[at]))  # fmt: skip
        sizes.append(len(members.ids))
        members.forget()
        vertices = members.ids.astype(graph.indices.dtype)
        return LayerSample(vertices, given, tuple(sizes), tuple(blocks))


def _chances(xp: Any, importance: Any, count: int) -> Any:
    """Probabilities min(1, c q) that sum to ``count``, or 1 if no more are positive.

    With q in descending order and the first k at 1, c is (count - k) over the sum of the rest; k is
    the first for which the next one does not exceed 1.
    """
    if int((importance > 0).sum()) <= count:
        return (importance > 0).astype(np.float64)
    falling = -xp.sort(-importance)
    rest = xp.cumsum(falling[::-1])[::-1]
    left = count - xp.arange(len(falling))
    k = int(xp.argmax(falling * left <= rest))
    return xp.minimum(1, importance * (float(left[k]) / float(rest[k])))
