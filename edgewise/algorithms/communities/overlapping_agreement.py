"""Agreement of overlapping communities: normalized mutual information (McDaid et al. [1]).

Every community is a random variable: is a vertex a member? The entropy of a community given the
others' communities is that given the best one of them. The mutual information of two sets of
communities is divided by the larger of their entropies.

Sizes of intersections come from a product of sparse matrices. Disjoint pairs count by their sizes.

[1] A. McDaid, D. Greene, N. Hurley. Normalized mutual information to evaluate overlapping community
    finding algorithms. arXiv:1110.2515, 2011.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.overlapping import OverlappingCommunities

__all__ = ["overlapping_nmi_score"]


def overlapping_nmi_score(
    communities_true: OverlappingCommunities, communities_pred: OverlappingCommunities
) -> float:
    """Return the normalized mutual information of two sets of overlapping communities.

    Parameters
    ----------
    communities_true, communities_pred : OverlappingCommunities
        Communities of the same vertices. Their order does not matter.

    Returns
    -------
    float
        From 0 to 1. Equal communities score 1.

    Raises
    ------
    ValueError
        If the two have different numbers of vertices.

    See Also
    --------
    normalized_mutual_info_score : For partitions. Its values differ.

    Notes
    -----
    O(sum over vertices of the pairs of their communities) time.

    References
    ----------
    A. McDaid, D. Greene, N. Hurley. Normalized mutual information to evaluate overlapping community
    finding algorithms. arXiv:1110.2515, 2011.

    Examples
    --------
    >>> from edgewise.communities import k_clique_communities
    >>> from edgewise.generators import karate_club
    >>> found = [k_clique_communities(karate_club(), k=k) for k in (3, 4)]
    >>> overlapping_nmi_score(found[0], found[0]), round(overlapping_nmi_score(*found), 2)
    (1.0, 0.07)
    """
    given = {"communities_true": communities_true, "communities_pred": communities_pred}
    for name, one in given.items():
        if not isinstance(one, OverlappingCommunities):
            raise TypeError(f"{name} must be OverlappingCommunities, got {type(one).__name__}")
    n = communities_true.num_vertices
    if communities_pred.num_vertices != n:
        raise ValueError(
            "communities_true and communities_pred must have the same number of vertices, "
            f"got {n} and {communities_pred.num_vertices}"
        )
    one, other = _members(communities_true), _members(communities_pred)
    shared = (one @ other.T).tocsr()
    entropies = [_entropies(np.diff(side.indptr), n).sum() for side in (one, other)]
    largest = max(entropies)
    if largest == 0.0:  # all communities are empty or have all vertices
        return float(one.shape[0] > 0 and other.shape[0] > 0 or one.shape[0] == other.shape[0])
    sizes = np.diff(one.indptr), np.diff(other.indptr)
    left = _given(shared.tocoo(), *sizes, n) + _given(shared.T.tocoo(), *sizes[::-1], n)
    mutual = (sum(entropies) - left) / 2
    return float(min(max(mutual / largest, 0.0), 1.0))


def _members(communities: OverlappingCommunities) -> Any:
    """The matrix of communities and vertices."""
    from scipy.sparse import csr_array

    indptr, members, _, n = communities
    ones = np.ones(len(members), np.int64)
    return csr_array((ones, members, indptr), shape=(len(indptr) - 1, n))


def _given(shared: Any, a: np.ndarray, b: np.ndarray, n: int) -> float:
    """The sum of the entropies of communities, each given the best community of the others."""
    row, column, both = shared.row, shared.col, shared.data
    least = _entropies(a, n)
    np.minimum.at(least, row, _conditional(a[row], b[column], both, n))
    sizes, kinds = np.unique(b, return_inverse=True)
    for kind, size in enumerate(sizes.tolist()):  # communities of this size that are disjoint
        met = np.bincount(row[kinds[column] == kind], minlength=len(a))
        some = np.flatnonzero((met < np.count_nonzero(kinds == kind)) & (a + size <= n))
        apart = _conditional(a[some], np.full(len(some), size), np.zeros(len(some), np.int64), n)
        least[some] = np.minimum(least[some], apart)
    return float(least.sum())


def _conditional(a: np.ndarray, b: np.ndarray, both: np.ndarray, n: int) -> np.ndarray:
    """The entropy of communities of sizes a given those of sizes b; that of a if they disagree."""
    same = _part(both, n) + _part(n - a - b + both, n)
    different = _part(a - both, n) + _part(b - both, n)
    found = np.maximum(same + different - _entropies(b, n), 0.0)
    return np.where(same >= different, found, _entropies(a, n))


def _entropies(sizes: np.ndarray, n: int) -> np.ndarray:
    """The entropy of each community, times n, in bits."""
    return _part(sizes, n) + _part(n - sizes, n)


def _part(count: np.ndarray, n: int) -> np.ndarray:
    """A term of an entropy: -count log2(count / n)."""
    share = np.maximum(count, 1) / max(n, 1)
    return np.where(count > 0, -count * np.log2(share), 0.0)
