"""The largest links, sources and destinations of a traffic matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.parallel import sort

if TYPE_CHECKING:
    from edgewise.sensing.matrix import TrafficMatrix

__all__ = ["HeavyHitters", "TopEnds", "TopLinks", "heavy_hitters"]


class TopLinks(NamedTuple):
    """Links with most packets, the largest first."""

    source: np.ndarray  #: ids
    destination: np.ndarray  #: ids
    packets: np.ndarray


class TopEnds(NamedTuple):
    """Sources or destinations with most packets, the largest first."""

    ids: np.ndarray
    packets: np.ndarray
    links: np.ndarray  #: the fan-out of each source, or the fan-in of each destination


class HeavyHitters(NamedTuple):
    """The links, sources and destinations with the most packets."""

    links: TopLinks
    sources: TopEnds
    destinations: TopEnds


def heavy_hitters(matrix: TrafficMatrix, k: int = 10) -> HeavyHitters:
    """Return the links, sources and destinations with the most packets; ties go to smaller ids.

    Parameters
    ----------
    matrix : TrafficMatrix
        The traffic. A matrix on a GPU is copied to the host.
    k : int
        The maximum number of links, of sources and of destinations.

    Returns
    -------
    HeavyHitters

    Examples
    --------
    >>> from edgewise.sensing import TrafficMatrix
    >>> found = heavy_hitters(TrafficMatrix.from_links([1, 1, 2], [5, 6, 5], [10, 1, 4]), 2)
    >>> found.links.destination.tolist(), found.links.packets.tolist()
    ([5, 5], [10, 4])
    >>> found.sources.ids.tolist(), found.sources.packets.tolist(), found.sources.links.tolist()
    ([1, 2], [11, 4], [2, 1])
    >>> found.destinations.ids.tolist(), found.destinations.links.tolist()
    ([5, 6], [2, 1])
    """
    k = check_count(k, "k", 1)
    matrix = matrix.to("cpu")
    top = _top(matrix.packets, k)
    links = TopLinks(matrix.source[top], matrix.destination[top], matrix.packets[top])
    ends, packets = matrix.destination.astype(np.uint64), matrix.packets.copy()
    sort(ends, packets)
    destinations = _ends(ends, packets, k)
    return HeavyHitters(links, _ends(matrix.source, matrix.packets, k), destinations)


def _ends(ids: np.ndarray, packets: np.ndarray, count: int) -> TopEnds:
    """The largest of sorted ids by the sums of their packets."""
    if not len(ids):
        return TopEnds(ids, packets, packets)
    first = np.flatnonzero(np.concatenate(([True], ids[1:] != ids[:-1])))
    sums, links = np.add.reduceat(packets, first), np.diff(np.append(first, len(ids)))
    top = _top(sums, count)
    return TopEnds(ids[first[top]], sums[top], links[top])


def _top(values: np.ndarray, count: int) -> np.ndarray:
    """The positions of the largest values, descending; of equal ones those that come first."""
    if len(values) > count:
        least = np.partition(values, len(values) - count)[len(values) - count]
        above = np.flatnonzero(values > least)
        found = np.append(above, np.flatnonzero(values == least)[: count - len(above)])
    else:
        found = np.arange(len(values))
    return found[np.lexsort((found, -values[found]))]
