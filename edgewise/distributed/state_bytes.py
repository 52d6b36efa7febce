"""What algorithms on a grid take of a rank's memory: bytes for each vertex at hand and each arc.

Measured on R-MAT graphs with 0.5 and 7 to 15 arcs per vertex at hand, on 2 x 2 ranks: how far the
peak of a process grows, beyond the graph.
"""

from __future__ import annotations

from difflib import get_close_matches

from edgewise.algorithms import names_on

__all__ = ["STATE", "bytes_of", "full_name"]

STATE = {
    "bfs": (32, 0),
    "sssp": (40, 0),
    "pagerank": (64, 0),
    "connected_components": (48, 0),
    "core_number": (76, 0),
    "triangle_count": (40, 36),
    "communities.louvain": (256, 0),
    "communities.label_propagation": (88, 48),
    "minimum_spanning_tree": (48, 250),
    "bridges": (64, 260),
    "two_edge_connected_components": (64, 260),
    "articulation_points": (64, 260),
    "biconnected_components": (100, 275),
    "truss_number": (384, 370),
    "k_truss": (32, 100),
    "similarity.jaccard": (40, 70),
    "all_pairs_shortest_paths": (64, 0),
}
#: Algorithms whose result has a number for each pair of vertices: bytes for one at a source.
_PAIRS = {"all_pairs_shortest_paths": 8}
#: What is assumed of all others, which were not measured: some take less, and some several times as
#: much.
_ASSUMED = (256, 48)


def full_name(algorithm: str) -> str:
    """The name of an algorithm that runs on a grid; its family may be left out.

    >>> full_name("louvain")
    'communities.louvain'
    >>> full_name("pagerang")
    Traceback (most recent call last):
    ...
    ValueError: algorithm must be one that runs on a grid, got 'pagerang'; is it 'pagerank'?
    """
    known = names_on("grid")
    if algorithm in known:
        return algorithm
    short = {name.rpartition(".")[2]: name for name in known}
    if algorithm in short:
        return short[algorithm]
    near = get_close_matches(algorithm, [*known, *short], 1)
    hint = f"; is it {near[0]!r}?" if near else ""
    raise ValueError(f"algorithm must be one that runs on a grid, got {algorithm!r}{hint}")


def bytes_of(algorithm: str, vertices: int, arcs: int, total: int) -> int:
    """The bytes on a rank with so many vertices and arcs at hand, of ``total`` vertices."""
    vertex, arc = STATE.get(algorithm, _ASSUMED)
    return (vertex + _PAIRS.get(algorithm, 0) * total) * vertices + arc * arcs
