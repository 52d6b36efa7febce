"""Preferential attachment (Barabasi and Albert [1]): new vertices choose neighbors by degree.

In the list of edge ends, a uniformly drawn entry is a vertex drawn by degree [2]. An entry that is
a target refers to an earlier draw. So each draw is a hash of (seed, edge, try) and a lookup of an
earlier edge [3]. Threads process new vertices in order and wait for the rare reference that is not
there yet. A new vertex draws again until its targets are distinct, so the distribution is the same
as in NetworkX. Linear work.

[1] A.-L. Barabasi, R. Albert. Emergence of scaling in random networks. Science, 1999.
[2] V. Batagelj, U. Brandes. Efficient generation of large random networks. Phys. Rev. E, 2005.
[3] P. Sanders, C. Schulz. Scalable generation of scale-free graphs. Inf. Process. Lett., 2016.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.parallel import launch
from edgewise.base.random import check_seed
from edgewise.generators.draws import MOST_VERTICES, id_type
from edgewise.graph import Graph

__all__ = ["barabasi_albert"]


def barabasi_albert(n: int, m: int, *, seed: int = 0) -> Graph:
    """Return a Barabasi-Albert preferential attachment graph, with power-law degrees.

    It starts as a star of ``m + 1`` vertices around vertex 0. Every later vertex is joined to ``m``
    distinct earlier ones, chosen with probability proportional to their degrees.

    Parameters
    ----------
    n : int
        The number of vertices.
    m : int
        The number of edges that each later vertex adds, from 1 to n - 1.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Graph
        An undirected graph with ``m * (n - m)`` edges.

    Notes
    -----
    O(n m) time.

    Examples
    --------
    >>> graph = barabasi_albert(100, 3)
    >>> graph.num_edges
    291
    >>> int(graph.degrees()[4:].min())
    3
    """
    from edgewise.generators.cpu.preferential import attach

    n, m, key = (
        check_count(n, "n", most=MOST_VERTICES),
        check_count(m, "m", least=1),
        check_seed(seed),
    )
    if m >= n:
        raise ValueError(f"m must be less than n = {n}, got {m}")
    edges = np.arange(m * (n - m))
    sources = np.where(edges < m, edges + 1, m + edges // m).astype(id_type(n))
    targets = np.full(len(edges), -1, sources.dtype)
    targets[:m] = 0
    launch(attach, key, m, sources, targets, work=len(edges))
    return Graph.from_edges(sources, targets, num_vertices=n)
