"""The result of a coloring: an array of colors over vertices with extra methods.

On a GPU and on a grid, functions of this family return that engine's own array instead;
``Coloring(colors, graph)`` makes one of an array from a GPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.partition import Partition, plain
from edgewise.graph.foreign import as_graph
from edgewise.graph.kinds import AnyGraph

__all__ = ["Coloring", "as_coloring", "independent_sets"]

_SHOWN = 1 << 24  # arcs up to which showing a coloring computes its lower bound


class Coloring(Partition):
    """The color of each vertex, an integer from 0 on: an array with extra methods.

    A `Coloring` keeps its graph in memory. ``labels`` is a view, a plain array that may keep the
    `Coloring` and its graph in memory. ``labels.copy()`` keeps neither.

    Parameters
    ----------
    labels : array of int over vertices
        The colors, numbered from 0. An array from a GPU is copied to host memory.
    graph : Graph, optional
        The graph that `lower_bound` is computed on.

    Examples
    --------
    >>> Coloring([0, 1, 0, 2])
    Coloring(3 colors of 4 vertices)
    [0 1 0 2]
    >>> import edgewise as ew
    >>> cycle = ew.Graph.from_edges([0, 1, 2, 3, 4], [1, 2, 3, 4, 0])
    >>> found = ew.coloring.greedy(cycle)
    >>> found.num_colors, found.lower_bound, found.class_sizes().tolist()
    (3, 2, [2, 2, 1])
    >>> [independent.tolist() for independent in found.independent_sets()]
    [[1, 3], [2, 4], [0]]
    """

    _word = "colors"
    _graph: Any = None
    _bound: int | None = None
    _find_bound: Any = None

    def __new__(cls, labels: Any, graph: AnyGraph | None = None) -> Any:
        found = super().__new__(cls, labels)
        found._graph = None if graph is None else as_graph(graph)
        return found

    @property
    def num_colors(self) -> int:
        """The number of colors.

        >>> Coloring([0, 1, 0, 2]).num_colors
        3
        """
        return int(self.labels.max()) + 1 if len(self) else 0

    @property
    def lower_bound(self) -> int:
        """A number of colors that every coloring of the graph needs: the size of a clique.

        The clique is found greedily along the smallest-last order, at the first use. The bound of
        a distance-2 coloring is the largest degree plus 1. The bound of a partial distance-2
        coloring is the largest number of entries in a row (or column). The bound of a star or
        acyclic coloring also counts edges, because any two colors induce a forest.
        """
        if self._bound is None:
            if self._graph is None:
                raise ValueError(
                    "the graph of this coloring is unknown (pickling leaves it out): "
                    "make one with edgewise.coloring.Coloring(colors, graph)"
                )
            from edgewise.algorithms.coloring.clique_bound import clique_bound

            self._bound = (self._find_bound or clique_bound)(self._graph)
        return self._bound

    def class_sizes(self) -> np.ndarray:
        """Return the number of vertices of each color.

        >>> Coloring([0, 1, 0, 2]).class_sizes().tolist()
        [2, 1, 1]
        """
        return np.bincount(self.labels, minlength=self.num_colors)

    def independent_sets(self) -> list[np.ndarray]:
        """Return the vertices of each color in ascending order: sets without an edge inside.

        The unknowns of one set can be updated at the same time. It is the same as `groups`.

        >>> [one.tolist() for one in Coloring([0, 1, 0, 2]).independent_sets()]
        [[0, 2], [1], [3]]
        """
        return self.groups()

    def _facts(self) -> str:
        text = f"{self.num_colors:,} colors of {len(self):,} vertices"
        small = self._graph is not None and self._graph.num_arcs <= _SHOWN
        if self._bound is None and not small:
            return text
        return f"{text}, lower bound {self.lower_bound:,}"

    def _kept(self) -> dict[str, Any]:
        return {"_bound": self._bound}


def independent_sets(colors: Any) -> list[np.ndarray]:
    """Return the vertices of each color in ascending order: sets without an edge inside.

    Parameters
    ----------
    colors : array of int over vertices
        A coloring of any engine, in which no two neighbors share a color.

    Returns
    -------
    list of arrays
        One array of vertices for each color that occurs.

    See Also
    --------
    maximal_independent_set : A single set that no vertex can be added to.
    verify_coloring : Checks a coloring.

    Notes
    -----
    O(n log n) time.

    Examples
    --------
    >>> [one.tolist() for one in independent_sets([0, 1, 0, 2])]
    [[0, 2], [1], [3]]
    """
    return Coloring(colors).independent_sets()


def as_coloring(colors: Any, graph: AnyGraph | None = None, bound: Any = None) -> Any:
    """Return host colors as a `Coloring`, and arrays of other engines unchanged.

    ``bound`` is a lower bound that is known already, or a function that finds one on the graph when
    it is needed: by default `clique_bound`.
    """
    colors = plain(colors)
    if type(colors) is not np.ndarray:
        return colors
    found = colors.view(Coloring)
    found._graph = graph
    found._bound, found._find_bound = (None, bound) if callable(bound) else (bound, None)
    return found
