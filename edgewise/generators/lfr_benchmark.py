"""LFR benchmark graphs (Lancichinetti, Fortunato and Radicchi [1]): graphs with known communities.

1. Degrees follow a power law with exponent tau1 up to ``max_degree`` and have the given mean.
   Community sizes follow a power law with exponent tau2 and add up to n.
2. A vertex of degree k keeps (1 - mu) k of its edges inside its community, rounded up or down at
   random. Vertices are assigned to random free places in communities that are large enough, those
   with the most inside edges first.
3. The inside ends of every community are paired at random, and so are all outside ends. Loops,
   repeats and outside pairs from one community are removed by exchanging ends with random other
   pairs [2]. The few pairs that cannot be repaired in many tries are dropped.

Communities are paired in parallel, each from hashes of (seed, community, step). Linear work.

[1] A. Lancichinetti, S. Fortunato, F. Radicchi. Benchmark graphs for testing community detection
    algorithms. Phys. Rev. E, 2008.
[2] M. Hamann, U. Meyer, M. Penschuck, H. Tran, D. Wagner. I/O-efficient generation of massive
    graphs following the LFR benchmark. ACM J. Exp. Algorithmics, 2018.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.checks import check_count, check_fraction
from edgewise.base.offsets import offsets
from edgewise.base.parallel import get_threads, launch, threads
from edgewise.base.random import check_seed
from edgewise.generators.block_model import Planted
from edgewise.generators.draws import MOST_VERTICES, check_number, id_type, stream, uniforms
from edgewise.graph import Graph

__all__ = ["lfr_benchmark"]


def lfr_benchmark(
    n: int,
    *,
    mu: float = 0.2,
    tau1: float = 2.5,
    tau2: float = 1.5,
    average_degree: float = 15.0,
    max_degree: int = 50,
    min_community: int = 20,
    max_community: int = 100,
    seed: int = 0,
) -> Planted:
    """Return an LFR benchmark graph and its communities: power-law degrees and community sizes.

    Parameters
    ----------
    n : int
        The number of vertices.
    mu : float
        The mixing parameter: the fraction of a vertex's edges that leave its community. Larger
        values make the communities harder to find.
    tau1, tau2 : float
        The exponents of the degrees and of the community sizes, from 0 to 50.
    average_degree : float
        The mean degree, which determines the smallest degree.
    max_degree : int
        The largest degree.
    min_community, max_community : int
        The smallest and the largest community size.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Planted
        ``graph`` and ``communities``, the community of each vertex.

    Raises
    ------
    ValueError
        If the sizes cannot add up to n, the average degree cannot be reached, or the largest
        community is too small for the largest degree.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> graph, labels = lfr_benchmark(1000, mu=0.1, seed=3)
    >>> sources, targets, _ = graph.edges()
    >>> bool((labels[sources] != labels[targets]).mean() < 0.15)
    True
    """
    n, mu, key = (
        check_count(n, "n", least=1, most=MOST_VERTICES),
        check_fraction(mu, "mu"),
        check_seed(seed),
    )
    max_degree = check_count(max_degree, "max_degree", least=1)
    min_community = check_count(min_community, "min_community", least=1)
    max_community = check_count(max_community, "max_community")
    _check_sizes(n, mu, max_degree, min_community, max_community)
    degrees = _degrees(
        stream(key, 1), n, check_number(tau1, "tau1", least=0, most=50), average_degree, max_degree
    )
    sizes = _sizes(
        stream(key, 2),
        n,
        check_number(tau2, "tau2", least=0, most=50),
        min_community,
        max_community,
    )
    if len(sizes) == 1 and mu > 0:
        raise ValueError(f"mu must be 0 when all {n} vertices form one community, got {mu}")
    inside = (degrees * (1 - mu) + uniforms(stream(key, 3), n)).astype(np.int64)
    labels = _place(stream(key, 4), inside, sizes)
    inside, outside = _split(degrees, inside, sizes, labels, mu)
    first = _pair_inside(stream(key, 5), inside, labels, len(sizes))
    second = _pair_outside(stream(key, 6), outside, labels)
    sources, targets = np.concatenate([first, second]).T
    return Planted(Graph.from_edges(sources, targets, num_vertices=n), labels)


def _check_sizes(n: int, mu: float, max_degree: int, smallest: int, largest: int) -> None:
    if largest < smallest:
        raise ValueError(
            f"max_community must be at least min_community = {smallest}, got {largest}"
        )
    if largest > n:
        raise ValueError(f"max_community must be at most n = {n}, got {largest}")
    if (1 - mu) * max_degree > largest - 1:
        raise ValueError(
            f"max_community must exceed the largest number of inside edges, "
            f"(1 - mu) * max_degree = {(1 - mu) * max_degree:g}, got {largest}"
        )


def _degrees(seed, n: int, tau: float, average: float, largest: int) -> np.ndarray:
    """Power-law degrees of the wanted mean: a mixture of two distributions with neighboring
    smallest degrees, whose means lie around it.
    """
    k = np.arange(1, largest + 1)
    law = k**-tau
    tails = np.cumsum(law[::-1])[::-1]
    means = np.cumsum((k * law)[::-1])[::-1] / tails  # means[i]: the smallest degree is k[i]
    average = check_number(average, "average_degree")
    if not means[0] <= average <= largest:
        raise ValueError(
            f"average_degree must lie between {means[0]:.4g}, the mean of the power law from 1, "
            f"and max_degree = {largest}, got {average:g}"
        )
    i = min(int(np.searchsorted(means, average, side="right")), largest) - 1
    after = min(i + 1, largest - 1)
    share = (average - means[i]) / (means[after] - means[i]) if after > i else 0.0
    chances = [np.where(k >= k[j], law / tails[j], 0) for j in (i, after)]
    chance = (1 - share) * chances[0] + share * chances[1]
    degrees = k[np.minimum(np.searchsorted(np.cumsum(chance), uniforms(seed, n)), largest - 1)]
    if degrees.sum() % 2:
        degrees[degrees.argmin()] += 1 if degrees.min() < largest else -1
    return degrees


def _sizes(seed, n: int, tau: float, smallest: int, largest: int) -> np.ndarray:
    """Power-law sizes, drawn until they reach n, then changed by ones to add up to it."""
    k = np.arange(smallest, largest + 1)
    law = np.cumsum(k**-tau)
    draws = uniforms(seed, n // smallest + 1) * law[-1]
    sizes = k[np.minimum(np.searchsorted(law, draws), len(k) - 1)]
    count = int(np.searchsorted(np.cumsum(sizes), n)) + 1
    count = min(count, n // smallest)
    if count * largest < n:
        raise ValueError(
            f"n = {n} cannot be divided into communities of min_community = {smallest} to "
            f"max_community = {largest}"
        )
    sizes = sizes[:count]
    while missing := n - sizes.sum():
        adjustable = np.flatnonzero(sizes < largest if missing > 0 else sizes > smallest)
        sizes[adjustable[: abs(missing)]] += np.sign(missing)
    return np.sort(sizes)[::-1].copy()


def _place(seed, inside: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """The community of every vertex."""
    from edgewise.generators.cpu.stub_pairing import place

    order = np.argsort(-inside, kind="stable")
    labels, free = np.empty(len(inside), np.int64), np.empty(len(inside), np.int64)
    with threads(1):
        launch(place, seed, order, inside, sizes, free, labels, work=len(order))
    return labels


def _split(degrees, inside, sizes, labels, mu: float) -> tuple[np.ndarray, np.ndarray]:
    """Inside ends fit the community and come in even numbers; the rest goes outside.

    Without mixing there is no outside: the rest is dropped.
    """
    inside = np.minimum(inside, sizes[labels] - 1)
    ends = np.bincount(labels, inside, len(sizes)).astype(np.int64)
    order = np.lexsort((-inside, labels))
    firsts = order[np.searchsorted(labels[order], np.arange(len(sizes)))]
    inside[firsts[ends % 2 == 1]] -= 1  # an odd sum is positive, so is its largest member
    return inside, degrees - inside if mu > 0 else np.zeros_like(degrees)


def _pair_inside(seed, inside: np.ndarray, labels: np.ndarray, count: int) -> np.ndarray:
    order = np.argsort(labels, kind="stable").astype(id_type(len(labels)))
    ends = np.repeat(order, inside[order])
    bounds = offsets(np.bincount(labels, inside, count).astype(np.int64))
    return _pair(seed, ends, bounds, np.empty(0, np.int64), len(labels))


def _pair_outside(seed, outside: np.ndarray, labels: np.ndarray) -> np.ndarray:
    ends = np.repeat(np.arange(len(outside), dtype=id_type(len(outside))), outside)
    with threads(1):
        return _pair(seed, ends, np.array([0, len(ends)]), labels, len(labels))


def _pair(seed, ends, bounds, labels, n: int) -> np.ndarray:
    """Pairs of the ends of each group, without loops and repeats, between different labels."""
    from edgewise.generators.cpu.stub_pairing import pair_up

    places = 1 << int(np.diff(bounds).max(initial=0)).bit_length()
    tables = np.empty((get_threads(), places), np.int64)
    good = np.zeros(len(ends) // 2, bool)
    launch(pair_up, seed, n, bounds, labels, ends, good, tables, work=len(ends), team=len(tables))
    pairs = ends.reshape(-1, 2)
    return pairs if good.all() else pairs[good]
