"""Small named graphs, numbered as in NetworkX.

A cubic graph with a Hamiltonian cycle is given by its LCF code [1]: the offsets from each vertex of
the cycle to its third neighbor, repeated around the cycle.

[1] R. Frucht. A canonical representation of trivalent Hamiltonian graphs. J. Graph Theory, 1976.
[2] W. Zachary. An information flow model for conflict and fission in small groups.
    J. Anthropological Research, 1977.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.graph import Graph

__all__ = ["karate_club", "karate_club_factions", "named", "petersen"]


def named(name: str) -> Graph:
    """Return a small named graph.

    Parameters
    ----------
    name : str
        One of ``bull``, ``chvatal``, ``cubical``, ``desargues``, ``diamond``, ``dodecahedral``,
        ``frucht``, ``heawood``, ``house``, ``icosahedral``, ``karate_club``, ``krackhardt_kite``,
        ``moebius_kantor``, ``octahedral``, ``pappus``, ``petersen``, ``tetrahedral``, ``tutte``.

    Returns
    -------
    Graph
        An undirected graph.

    Raises
    ------
    ValueError
        If there is no graph of that name.

    Examples
    --------
    >>> graph = named("heawood")
    >>> graph.num_vertices, graph.num_edges
    (14, 21)
    """
    check_choice(name, "name", sorted([*_NEIGHBORS, *_LCF]))
    if name in _NEIGHBORS:
        rows = [list(map(int, row.split())) for row in _NEIGHBORS[name].split("/")]
    else:
        n, steps = _LCF[name]
        rows = [[(v + 1) % n, (v + steps[v % len(steps)]) % n] for v in range(n)]
    sources = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    targets = np.concatenate([np.array(row, np.int64) for row in rows])
    return Graph.from_edges(sources, targets, num_vertices=len(rows), duplicates="first")


def petersen() -> Graph:
    """Return the Petersen graph.

    It is 3-regular, with 10 vertices and 15 edges.

    Returns
    -------
    Graph
        An undirected graph.

    Examples
    --------
    >>> set(petersen().degrees().tolist())
    {3}
    """
    return named("petersen")


def karate_club() -> Graph:
    """Return Zachary's karate club graph: 34 members and 78 friendships, unweighted.

    Returns
    -------
    Graph
        An undirected graph.

    Examples
    --------
    >>> graph = karate_club()
    >>> graph.num_vertices, graph.num_edges
    (34, 78)
    """
    return named("karate_club")


def karate_club_factions() -> np.ndarray:
    """Return the faction of each member of `karate_club` after the split.

    Returns
    -------
    numpy.ndarray
        An array over vertices: 0 for the instructor (Mr. Hi), 1 for the officer.

    Examples
    --------
    >>> karate_club_factions().sum()
    np.int64(17)
    """
    officers = [9, 14, 15, 18, 20, *range(22, 34)]
    factions = np.zeros(34, np.int64)
    factions[officers] = 1
    return factions


#: For every vertex its neighbors with larger ids, vertices separated by slashes.
_NEIGHBORS = {
    "bull": "1 2/2 3/4//",
    "chvatal": "1 4 6 9/2 5 7/3 6 8/4 7 9/5 8/10 11/10 11/8 11/10/10 11//",
    "cubical": "1 3 4/2 7/3 6/5/5 7/6/7/",
    "diamond": "1 2/2 3/3/",
    "frucht": "1 6 7/2 7/3 8/4 9/5 9/6 10/10/11/9 11//11/",
    "house": "1 2/3/3 4/4/",
    "icosahedral": "1 5 7 8 11/2 5 6 8/3 6 8 9/4 6 9 10/5 6 10 11/6 11//8 9 10 11/9/10/11/",
    "karate_club": (
        "1 2 3 4 5 6 7 8 10 11 12 13 17 19 21 31/2 3 7 13 17 19 21 30/3 7 8 9 13 27 28 32/7 "
        "12 13/6 10/6 10 16/16//30 32 33/33////33/32 33/32 33///32 33/33/32 33//32 33/25 27 "
        "29 32 33/25 27 31/31/29 33/33/31 33/32 33/32 33/32 33/33/"
    ),
    "krackhardt_kite": "1 2 3 5/3 4 6/3 5/4 5 6/6/6 7/7/8/9/",
    "octahedral": "1 2 3 4/2 3 5/4 5/4 5/5/",
    "petersen": "1 4 5/2 6/3 7/4 8/9/7 8/8 9/9//",
    "tetrahedral": "1 2 3/2 3/3/",
    "tutte": (
        "1 2 3/4 26/10 11/18 19/5 33/6 29/7 27/8 14/9 38/10 37/39/12 39/13 35/14 15/34/16 22/"
        "17 44/18 43/45/20 45/21 41/22 23/40/24 27/25 32/26 31/33/28/29 32/30/31 33/32///35 "
        "38/36/37 39/38///41 44/42/43 45/44//"
    ),
}

#: Number of vertices and repeated steps.
_LCF: dict[str, tuple[int, tuple[int, ...]]] = {
    "desargues": (20, (5, -5, 9, -9)),
    "dodecahedral": (20, (10, 7, 4, -4, -7, 10, -4, 7, -7, 4)),
    "heawood": (14, (5, -5)),
    "moebius_kantor": (16, (5, -5)),
    "pappus": (18, (5, 7, -7, 7, -7, -5)),
}
