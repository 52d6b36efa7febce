"""Fuzzy joins of collections of sets of strings: which sets say the same in other letters.

Sets become integers (`corpus`), filters leave few pairs, matchings of the elements give the scores.
The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy

#: Where each public name lives.
_HOME: dict[str, str] = {
    "Block": "candidates",
    "Clusters": "pairs",
    "Corpus": "corpus",
    "Distinct": "distinct",
    "Pairs": "pairs",
    "Plan": "candidates",
    "Sets": "corpus",
    "blocks": "candidates",
    "candidates": "candidates",
    "corpus": "corpus",
    "distinct": "distinct",
    "expand": "distinct",
    "fuzzy_join": "fuzzy",
    "plan": "candidates",
    "read_column": "set_files",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
