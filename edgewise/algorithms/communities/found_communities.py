"""Communities: the array of labels that functions of this family return.

On a GPU and on a grid they return that engine's own array; ``Communities(labels, graph)`` makes one
of an array from a GPU.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edgewise.algorithms.partition import Partition, plain
from edgewise.graph.edges import Arcs, arcs_of
from edgewise.graph.foreign import as_graph
from edgewise.graph.kinds import AnyGraph

if TYPE_CHECKING:
    from edgewise.algorithms.communities.dendrograms import Dendrogram

__all__ = ["Communities", "Overlap", "as_communities"]

_SHOWN = 1 << 24  # arcs up to which showing communities computes their modularity


class Overlap(NamedTuple):
    """The memberships of vertices that belong to several communities, in order of the vertices.

    ``vertices[i]`` belongs to the community ``communities[i]`` (its label) with the share
    ``shares[i]``. The shares of a vertex sum to 1, up to shares that are too small to count.
    """

    vertices: np.ndarray
    communities: np.ndarray
    shares: np.ndarray


class Communities(Partition):
    """The community of each vertex, an array over vertices labeled by the smallest member.

    A `Communities` array keeps its graph in memory. ``labels`` is a view: a plain array that may
    keep the `Communities` array alive, and the graph with it. ``labels.copy()`` keeps neither.

    Parameters
    ----------
    labels : array of int over vertices
        Members of the same community have equal values. An array from a GPU is copied to host
        memory.
    graph : Graph, optional
        The graph that `modularity` is computed on.
    weights : str, array over edges, or None
        The weights that `modularity` uses, as in `edgewise.communities.modularity`.

    Examples
    --------
    >>> import edgewise as ew
    >>> graph = ew.Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> found = ew.communities.louvain(graph)
    >>> found
    Communities(2 communities of 6 vertices, modularity 0.3571)
    [0 0 0 3 3 3]
    >>> found.sizes().tolist(), [group.tolist() for group in found.groups()]
    ([3, 3], [[0, 1, 2], [3, 4, 5]])

    ``overlap`` is an `Overlap` if the method finds overlapping communities, else None.
    ``dendrogram`` is a `Dendrogram` if it merges or divides communities one by one, else None.
    """

    _word = "communities"
    overlap: Overlap | None = None
    dendrogram: Dendrogram | None = None
    _found_on: tuple[Any, Any] | None = None
    _modularity: float | None = None

    def __new__(cls, labels: Any, graph: AnyGraph | None = None, *, weights: Any = "weight") -> Any:
        found = super().__new__(cls, labels)
        if graph is not None:
            graph = as_graph(graph)
            found._found_on = graph, arcs_of(graph, weights, "weights")
        return found

    @property
    def num_communities(self) -> int:
        """The number of communities."""
        return len(self.sizes())

    @property
    def modularity(self) -> float:
        """The modularity of the communities on their graph, at resolution 1.

        It uses the weights that the communities were found with. It is computed at the first use
        and kept until an entry of the array changes.
        """
        if self._modularity is None:
            if self._found_on is None:
                raise ValueError(
                    "the graph of these communities is unknown (pickling leaves it out): "
                    "call edgewise.communities.modularity(graph, labels)"
                )
            from edgewise.algorithms.communities.modularity import modularity

            graph, weights = self._found_on
            self._modularity = modularity(graph, self.labels, weights=Arcs(weights))
        return self._modularity

    def _facts(self) -> str:
        return ", ".join([super()._facts(), *(" ".join(row) for row in self._more())])

    def _more(self) -> list[tuple[str, str]]:
        small = self._found_on is not None and self._found_on[0].num_arcs <= _SHOWN
        if self._modularity is None and not small:
            return []
        return [("modularity", f"{self.modularity:.4g}")]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._modularity = self.overlap = self.dendrogram = None
        self.labels[plain(key)] = value

    def _kept(self) -> dict[str, Any]:
        kept = "_modularity", "overlap", "dendrogram"
        return {name: getattr(self, name) for name in kept}


def as_communities(
    graph: AnyGraph, labels: Any, weights: Any = "weight", overlap: Overlap | None = None,
    dendrogram: Dendrogram | None = None,
) -> Any:  # fmt: skip
    """The result of a function that has found communities; ``weights`` are over arcs.

    Arrays of other engines stay as they are.
    """
    labels = plain(labels)
    if type(labels) is not np.ndarray:
        return labels
    found = labels.view(Communities)
    found._found_on, found.overlap, found.dendrogram = (graph, weights), overlap, dendrogram
    return found
