"""Vectors of vertices by skip-gram over random walks: node2vec [1] and DeepWalk [2].

Walks are sentences and vertices are words. Vertices that occur near each other in walks get vectors
with a large scalar product, and random pairs a small one (skip-gram with negative sampling [3]).
With p = q = 1 the walks are uniform, as in DeepWalk. Walks are drawn in batches, so that memory is
that of the vectors. `edgewise.learning.skip_gram` trains.

[1] A. Grover, J. Leskovec. node2vec: scalable feature learning for networks. KDD 2016.
[2] B. Perozzi, R. Al-Rfou, S. Skiena. DeepWalk: online learning of social representations. KDD
    2014.
[3] T. Mikolov, I. Sutskever, K. Chen, G. Corrado, J. Dean. Distributed representations of words and
    phrases and their compositionality. NIPS 2013.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.walks.node2vec_walk import node2vec_walker
from edgewise.base.checks import check_count, check_flag, check_number, check_one_device
from edgewise.base.observe import notify
from edgewise.base.random import bits, check_seed, uniform
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.learning.skip_gram import Training, train
from edgewise.operators.engines import CROWD, members_at_once

__all__ = ["node2vec"]

#: Walks in a batch, and places per vertex in the table of counterexamples, at least so many in all.
_BATCH, _PLACES, _TABLE = 1 << 14, 8, 1 << 16
#: On a GPU, a batch has one walk for so many vertices: more walks at once undo each other's steps.
_SHARE = 4


@takes_graph
def node2vec(
    graph: LocalGraphLike,
    *,
    dim: int = 128,
    p: float = 1.0,
    q: float = 1.0,
    length: int = 80,
    num_walks: int = 10,
    window: int = 5,
    negatives: int = 5,
    learning_rate: float = 0.025,
    weights: Any = "weight",
    deterministic: bool = True,
    seed: int = 0,
) -> Any:
    """Return a vector for each vertex, trained by node2vec; p = q = 1 is DeepWalk.

    Parameters
    ----------
    graph : Graph
        On one device, where the result is, too. Walks follow its edges.
    dim : int
        The number of entries of a vector.
    p, q, length, num_walks, weights
        As for `edgewise.node2vec_walk`. More walks give better vectors and take longer.
    window : int
        The largest distance in a walk of two vertices that are drawn together. A distance is drawn
        for each position, so that near vertices count more.
    negatives : int
        The number of random counterexamples for each pair. They are drawn by in-degree to the power
        of 3/4.
    learning_rate : float
        The step size at the beginning. It falls linearly to 0.
    deterministic : bool
        Whether one thread trains, with the same result in every run. False uses all threads, and
        the vectors differ a little from run to run. A GPU needs False.
    seed : int
        Seed of the walks, the initial vectors and the counterexamples.

    Returns
    -------
    array of float32, n x dim
        Row v is the vector of vertex v. Vertices without edges keep small random vectors.

    Raises
    ------
    ValueError
        If ``learning_rate`` is so large that the vectors are not finite.

    See Also
    --------
    fast_rp : Much faster, without training.
    edgewise.spectral_embedding : Coordinates by eigenvectors.

    Notes
    -----
    O(n num_walks length window (negatives + 1) dim) time and 8 n dim bytes.

    Examples
    --------
    Two cliques that share one edge:

    >>> import numpy as np
    >>> from edgewise import generators
    >>> graph = generators.barbell(8, 0)
    >>> vectors = node2vec(graph, dim=8, num_walks=50, length=20)
    >>> cosine = np.corrcoef(vectors)
    >>> bool(cosine[1, 2] > cosine[1, 14])
    True
    """
    check_one_device(graph, "node2vec")
    dim, window = check_count(dim, "dim", 1), check_count(window, "window", 1)
    negatives = check_count(negatives, "negatives", 1)
    rate = check_number(learning_rate, "learning_rate", positive=True)
    alone, hashed = check_flag(deterministic, "deterministic"), check_seed(seed)
    if alone and graph.device != "cpu":
        raise ValueError("deterministic must be False on a GPU, where many threads train")
    n, xp = graph.num_vertices, graph.xp
    sources = np.argsort(bits(hashed, np.arange(n), 1), kind="stable")
    walker = node2vec_walker(graph, p, q, sources, length, num_walks, weights, int(hashed))
    vectors = (uniform(hashed, np.arange(n * dim), 2).reshape(n, dim) - 0.5) / dim
    vectors = xp.asarray(vectors.astype(np.float32))
    if graph.num_arcs == 0:
        return vectors
    training = Training(vectors, xp.zeros_like(vectors), _noise(graph), window, negatives, rate,
                        walker.total, hashed)  # fmt: skip
    crowded = members_at_once(graph) >= CROWD
    batch = min(_BATCH, max(n // _SHARE, 1)) if crowded else _BATCH
    for turn, first in enumerate(range(0, walker.total, batch)):
        notify(turn, phase="skip_gram", done=first, total=walker.total)
        walks = walker.take(first, min(first + batch, walker.total))
        train(training, walks, first, alone, graph.device)
        if not xp.isfinite(vectors).all():
            raise ValueError(f"learning_rate must be smaller than {rate:g}: the vectors diverge")
    return vectors


def _noise(graph: AnyGraph) -> Any:
    """Vertices in proportion to their in-degree to the power of 3/4, in a table."""
    xp = graph.xp
    totals = xp.cumsum(graph.in_degrees().astype(np.float64) ** 0.75)
    size = max(_PLACES * graph.num_vertices, _TABLE)
    shares = (xp.arange(size) + 0.5) * (float(totals[-1]) / size)
    return xp.searchsorted(totals, shares).astype(graph.indices.dtype)
