"""Families of algorithms that are public as modules, such as `edgewise.matching`.

Their names load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms import ALGORITHMS
from edgewise.base.lazy import lazy

__all__ = ["lazy", "rows"]


def rows(package: str) -> dict[str, str]:
    """The algorithms of a family in the table, and the module of each within the family.

    >>> rows("edgewise.algorithms.similarity")["cosine"]
    'pairwise'
    """
    family = package.rpartition(".")[2]
    return {
        row.name.rpartition(".")[2]: row.module.partition(".")[2]
        for row in ALGORITHMS.values()
        if row.family == family
    }
