"""What a join gives: pairs with their scores, as arrays, tables and groups."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Clusters", "Pairs"]


class Clusters(NamedTuple):
    """Clusters of sets connected by pairs, numbered by their first members, left sets first."""

    left: np.ndarray  #: int64, the group of each left set
    right: np.ndarray | None  #: the same of right sets; None after a self-join
    sizes: np.ndarray  #: int64, how many sets are in each group

    @property
    def duplicates(self) -> int:
        """The number of sets removed if one set of each cluster is kept."""
        return int(self.sizes.sum() - len(self.sizes))


@dataclass(frozen=True, eq=False, repr=False)
class Pairs:
    """Pairs of sets, as positions, with their scores.

    Pairs of a threshold join are sorted by ``(left, right)``; in a self-join ``left < right``. With
    ``top``, the best pairs come first. With ``k``, pairs are sorted by ``left``, best first.
    """

    left: np.ndarray  #: int64, positions in the left collection
    right: np.ndarray  #: int64, positions in the right collection, or in the left one
    score: np.ndarray  #: float64
    sizes: tuple[int, int | None]  #: how many left and right sets there are; None: a self-join
    #: how many pairs each filter has left; and as "tokens", the entries of the index read for the
    #: costliest tokens and elements
    tally: dict[str, Any] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)  #: what the stages took

    def __len__(self) -> int:
        return len(self.left)

    def __repr__(self) -> str:
        left, right = self.sizes
        sets = f"{left:,} sets" if right is None else f"{left:,} and {right:,} sets"
        scores = f", scores {self.score.min():.4g} to {self.score.max():.4g}" if len(self) else ""
        return f"Pairs({len(self):,} of {sets}{scores})"

    def to_pandas(self, left: Any = None, right: Any = None) -> Any:
        """Return the pairs as a pandas data frame with columns ``left``, ``right`` and ``score``.

        Parameters
        ----------
        left, right : arrays or columns, optional
            The names of the sets (such as ids), used instead of positions. After a self-join,
            ``left`` names the right sets too.
        """
        return self.to_arrow(left, right).to_pandas()

    def to_arrow(self, left: Any = None, right: Any = None) -> Any:
        """Return the pairs as an Arrow table with columns ``left``, ``right`` and ``score``.

        Parameters
        ----------
        left, right : arrays or columns, optional
            As for `to_pandas`.

        Examples
        --------
        >>> pairs = Pairs(np.array([0]), np.array([2]), np.array([0.75]), (3, None))
        >>> pairs.to_arrow(["a", "b", "c"]).to_pylist()
        [{'left': 'a', 'right': 'c', 'score': 0.75}]
        """
        import pyarrow as pa

        right_names = left if self.sizes[1] is None and right is None else right
        columns = {
            "left": _named(self.left, left, self.sizes[0], "left"),
            "right": _named(self.right, right_names, self.sizes[1] or self.sizes[0], "right"),
            "score": pa.array(self.score),
        }
        return pa.table(columns)

    def clusters(self) -> Clusters:
        """Return the clusters of sets that pairs connect, directly or through other sets.

        Examples
        --------
        >>> pairs = Pairs(np.array([0, 2]), np.array([2, 4]), np.array([0.9, 0.8]), (5, None))
        >>> groups = pairs.clusters()
        >>> groups.left.tolist(), groups.sizes.tolist(), groups.duplicates
        ([0, 1, 0, 2, 0], [3, 1, 1], 2)
        """
        from edgewise.algorithms.components.connected_components import connected_components
        from edgewise.graph import Graph

        left, right = self.sizes
        total, behind = left + (right or 0), left if right is not None else 0
        graph = Graph.from_edges(self.left, self.right + behind, num_vertices=total)
        first = connected_components(graph)  # the smallest of each group
        leads = first == np.arange(total)
        groups = (np.cumsum(leads) - 1)[first]
        sizes = np.bincount(groups, minlength=int(leads.sum())).astype(np.int64)
        return Clusters(groups[:left], None if right is None else groups[left:], sizes)


def _named(positions: np.ndarray, names: Any, count: int, side: str) -> Any:
    """The names of sets as an Arrow column; their positions, if there are no names."""
    import pyarrow as pa

    if names is None:
        return pa.array(positions)
    if not isinstance(names, (pa.Array, pa.ChunkedArray)):
        names = names.to_arrow() if hasattr(names, "to_arrow") else pa.array(names)
    if len(names) != count:
        raise ValueError(f"{side} must have a name for each of {count:,} sets, got {len(names):,}")
    return names.take(pa.array(positions))
