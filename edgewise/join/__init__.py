"""Fuzzy joins: pairs of similar sets of strings in one or two collections.

Strings become integers (`corpus`), filters leave few candidate pairs, and bipartite matchings of
the elements give the scores. The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy

#: Where each public name lives.
_HOME: dict[str, str] = {
    "Clusters": "pairs",
    "Corpus": "corpus",
    "Pairs": "pairs",
    "StringSets": "corpus",
    "corpus": "corpus",
    "fuzzy_join": "fuzzy",
    "read_column": "set_files",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
