"""Classic families of graphs, numbered as in NetworkX."""

from __future__ import annotations

import numpy as np

from edgewise.base.checks import check_count
from edgewise.generators.draws import MOST_VERTICES, id_type
from edgewise.graph import Graph

__all__ = [
    "barbell",
    "circular_ladder",
    "complete",
    "complete_bipartite",
    "cycle",
    "empty",
    "hypercube",
    "ladder",
    "lollipop",
    "path",
    "star",
    "turan",
    "wheel",
]


def empty(n: int, *, directed: bool = False) -> Graph:
    """Return the empty graph: ``n`` vertices and no edges.

    Parameters
    ----------
    n : int
        The number of vertices.
    directed : bool
        Make a directed graph.

    Returns
    -------
    Graph
        A graph without edges.

    Examples
    --------
    >>> empty(3).num_edges
    0
    """
    nothing = np.empty(0, np.int32)
    return Graph.from_edges(
        nothing, nothing, directed=directed, num_vertices=check_count(n, "n", most=MOST_VERTICES)
    )


def path(n: int) -> Graph:
    """Return the path graph: edges v to v + 1.

    Parameters
    ----------
    n : int
        The number of vertices.

    Returns
    -------
    Graph
        An undirected graph.

    Examples
    --------
    >>> path(4).degrees().tolist()
    [1, 2, 2, 1]
    """
    n = check_count(n, "n", most=MOST_VERTICES)
    return _graph(n, _row(0, n))


def cycle(n: int) -> Graph:
    """Return the cycle graph.

    As in NetworkX, a single vertex gets a self-loop.

    Parameters
    ----------
    n : int
        The number of vertices.

    Returns
    -------
    Graph
        An undirected graph.

    Examples
    --------
    >>> cycle(5).degrees().tolist()
    [2, 2, 2, 2, 2]
    """
    n = check_count(n, "n", most=MOST_VERTICES)
    return _graph(n, _ring(0, n))


def complete(n: int) -> Graph:
    """Return the complete graph: all pairs of ``n`` vertices.

    Parameters
    ----------
    n : int
        The number of vertices.

    Returns
    -------
    Graph
        An undirected graph.

    Examples
    --------
    >>> complete(5).num_edges
    10
    """
    n = check_count(n, "n", most=MOST_VERTICES)
    return _graph(n, _clique(0, n))


def complete_bipartite(left: int, right: int) -> Graph:
    """Return the complete bipartite graph: all pairs across two sides.

    Parameters
    ----------
    left, right : int
        The number of vertices of each side. The left side has the smaller ids.

    Returns
    -------
    Graph
        An undirected graph.

    Examples
    --------
    >>> complete_bipartite(2, 3).degrees().tolist()
    [3, 3, 2, 2, 2]
    """
    left, right = (
        check_count(left, "left", most=MOST_VERTICES),
        check_count(right, "right", most=MOST_VERTICES),
    )
    u, v = np.divmod(np.arange(left * right), max(right, 1))
    return _graph(left + right, (u, v + left))


def turan(n: int, r: int) -> Graph:
    """Return the Turan graph: the densest graph on ``n`` vertices without an (r + 1)-clique.

    It is complete multipartite with r parts of nearly equal size.

    Parameters
    ----------
    n : int
        The number of vertices.
    r : int
        The number of parts, from 1 to n.

    Returns
    -------
    Graph
        An undirected graph.

    Examples
    --------
    >>> turan(5, 2).num_edges
    6
    """
    n, r = check_count(n, "n", most=MOST_VERTICES), check_count(r, "r", least=1, most=MOST_VERTICES)
    if r > n:
        raise ValueError(f"r must be at most n = {n}, got {r}")
    parts = np.repeat(np.arange(r), [n // r] * (r - n % r) + [n // r + 1] * (n % r))
    u, v = _clique(0, n)
    between = parts[u] != parts[v]
    return _graph(n, (u[between], v[between]))


def star(leaves: int) -> Graph:
    """Return the star graph: vertex 0 joined to vertices 1 to ``leaves``.

    Parameters
    ----------
    leaves : int
        The number of vertices around the center.

    Returns
    -------
    Graph
        An undirected graph.

    Examples
    --------
    >>> star(3).degrees().tolist()
    [3, 1, 1, 1]
    """
    leaves = check_count(leaves, "leaves", most=MOST_VERTICES)
    return _graph(leaves + 1, _hub(0, 1, leaves + 1))


def wheel(n: int) -> Graph:
    """Return the wheel graph: vertex 0 joined to a cycle of the ``n - 1`` others.

    Parameters
    ----------
    n : int
        The number of vertices, including the center.

    Returns
    -------
    Graph
        An undirected graph.

    Examples
    --------
    >>> wheel(6).degrees().tolist()
    [5, 3, 3, 3, 3, 3]
    """
    n = check_count(n, "n", most=MOST_VERTICES)
    ring = _ring(1, n) if n > 2 else _row(1, n)
    return _graph(n, _hub(0, 1, n), ring)


def ladder(n: int) -> Graph:
    """Return the ladder graph: two paths of ``n`` vertices joined by rungs.

    Parameters
    ----------
    n : int
        The number of rungs.

    Returns
    -------
    Graph
        An undirected graph.

    Examples
    --------
    >>> ladder(3).num_edges
    7
    """
    n = check_count(n, "n", most=MOST_VERTICES)
    return _graph(2 * n, _row(0, n), _row(n, 2 * n), _rungs(n))


def circular_ladder(n: int) -> Graph:
    """Return the circular ladder graph: two cycles of ``n`` vertices joined by rungs.

    Parameters
    ----------
    n : int
        The number of rungs.

    Returns
    -------
    Graph
        An undirected graph.

    Examples
    --------
    >>> set(circular_ladder(5).degrees().tolist())
    {3}
    """
    n = check_count(n, "n", most=MOST_VERTICES)
    return _graph(2 * n, _ring(0, n), _ring(n, 2 * n), _rungs(n))


def barbell(bell: int, bar: int) -> Graph:
    """Return the barbell graph: two cliques joined by a path.

    Parameters
    ----------
    bell : int
        The number of vertices of each clique, at least 2.
    bar : int
        The number of vertices of the path between them.

    Returns
    -------
    Graph
        An undirected graph.

    Examples
    --------
    >>> barbell(3, 2).num_edges
    9
    """
    bell = check_count(bell, "bell", least=2, most=MOST_VERTICES)
    second = bell + check_count(bar, "bar", most=MOST_VERTICES)
    return _graph(
        second + bell,
        _clique(0, bell),
        _row(bell - 1, second + 1),
        _clique(second, second + bell),
    )


def lollipop(candy: int, stick: int) -> Graph:
    """Return the lollipop graph: a clique with a path attached to its last vertex.

    Parameters
    ----------
    candy : int
        The number of vertices of the clique, at least 2.
    stick : int
        The number of vertices of the path.

    Returns
    -------
    Graph
        An undirected graph.

    Examples
    --------
    >>> lollipop(4, 3).num_edges
    9
    """
    candy = check_count(candy, "candy", least=2, most=MOST_VERTICES)
    n = candy + check_count(stick, "stick", most=MOST_VERTICES)
    return _graph(n, _clique(0, candy), _row(candy - 1, n))


def hypercube(dimension: int) -> Graph:
    """Return the hypercube graph: vertices are adjacent if their binary ids differ in one bit.

    Parameters
    ----------
    dimension : int
        The number of bits, at most 40. The graph has ``2**dimension`` vertices.

    Returns
    -------
    Graph
        An undirected graph.

    Examples
    --------
    >>> hypercube(3).num_edges
    12
    """
    dimension = check_count(dimension, "dimension", most=MOST_VERTICES)
    if dimension > 40:
        raise ValueError(f"dimension must be at most 40, got {dimension}")
    v = np.arange(1 << dimension, dtype=id_type(1 << dimension))
    pieces = [(v[v & bit == 0], v[v & bit == 0] | bit) for bit in 1 << np.arange(dimension)]
    return _graph(len(v), *pieces)


_Pairs = tuple[np.ndarray, np.ndarray]


def _graph(n: int, *pieces: _Pairs) -> Graph:
    kind = id_type(n)
    sources = [np.empty(0, kind), *(u.astype(kind) for u, _ in pieces)]
    targets = [np.empty(0, kind), *(v.astype(kind) for _, v in pieces)]
    return Graph.from_edges(
        np.concatenate(sources), np.concatenate(targets), num_vertices=n, duplicates="first"
    )


def _row(first: int, last: int) -> _Pairs:
    v = np.arange(first, max(last - 1, first))
    return v, v + 1


def _ring(first: int, last: int) -> _Pairs:
    v = np.arange(first, last)
    return v, np.roll(v, -1)


def _clique(first: int, last: int) -> _Pairs:
    u, v = np.triu_indices(max(last - first, 0), 1)
    return u + first, v + first


def _hub(center: int, first: int, last: int) -> _Pairs:
    v = np.arange(first, last)
    return np.full(len(v), center), v


def _rungs(n: int) -> _Pairs:
    return np.arange(n), np.arange(n, 2 * n)
