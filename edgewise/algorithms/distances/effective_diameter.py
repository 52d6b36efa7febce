"""The effective diameter: within how many hops most connected pairs lie [1].

Where the neighborhood function, estimated by HyperBall sketches (`neighborhood_function`), crosses
90% of its last value, interpolated between whole hops; pairs of a vertex and itself do not count.

[1] J. Leskovec, J. Kleinberg, C. Faloutsos. Graph evolution. ACM TKDD 2007.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.distances.neighborhood_function import neighborhood_function
from edgewise.base.checks import check_fraction
from edgewise.graph.foreign import GraphLike, takes_graph

__all__ = ["effective_diameter", "percentile"]


@takes_graph
def effective_diameter(
    graph: GraphLike, *, share: float = 0.9, runs: int = 4, seed: int = 0
) -> float:
    """The distance, between whole hops, within which a share of the connected pairs lies.

    Parameters
    ----------
    graph : Graph
        Directed graphs are followed along their edges.
    share : float
        Which share, from 0 to 1.
    runs : int
        Of how many estimates of the neighborhood function the mean is taken.
    seed : int
        The same seed gives the same estimate for any number of threads.

    Returns
    -------
    float
        0 where no vertex reaches another. On networks of a hundred thousand vertices and more some
        2% off with the default ``runs``, whose number lowers that as its square root.

    Examples
    --------
    >>> from edgewise.generators import complete
    >>> round(effective_diameter(complete(50)), 1)
    0.9
    """
    share = check_fraction(share, "share")
    counts = np.diff(neighborhood_function(graph, runs=runs, seed=seed), prepend=0.0)
    counts[:1] = 0.0
    found = percentile(counts, share)
    return 0.0 if found is None else found


def percentile(counts: np.ndarray, share: float = 0.9, width: int = 1) -> float | None:
    """Where a cumulative histogram of distances crosses ``share``, between whole hops.

    ``counts[i]`` pairs lie at the distances ``i * width .. (i + 1) * width - 1``; none lies at 0.

    >>> percentile(np.array([0, 50, 40, 10]))
    2.0
    """
    upto = np.cumsum(counts)
    if not len(upto) or not upto[-1]:
        return None
    i = int(np.searchsorted(upto, share * upto[-1]))
    below = upto[i - 1] if i else 0.0
    part = float((share * upto[-1] - below) / counts[i]) if counts[i] else 0.0
    return max(0.0, (i - 1 + part) * width + width - 1)
