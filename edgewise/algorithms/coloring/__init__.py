"""Graph coloring, and the compression of sparse Jacobians and Hessians by it.

Colors are integers, numbered from 0. The same arguments give the same colors on every engine and
for any number of threads. `distance_2` is an exception: its default method depends on the engine.

The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy, rows

#: Where each public name lives: those of the table, and these.
_HOME: dict[str, str] = {
    **rows(__name__),
    "Balanced": "balance",
    "Bicoloring": "two_sides",
    "Coloring": "colored",
    "HessianColoring": "hessian_coloring",
    "JacobianColoring": "jacobian_result",
    "PatternVerdict": "verify_pattern_coloring",
    "acyclic_bicoloring": "bicoloring",
    "balance": "balance",
    "hessian_coloring": "hessian_coloring",
    "improve": "improve",
    "independent_sets": "colored",
    "jacobian_coloring": "jacobian_coloring",
    "partial_distance_2": "partial_distance_2",
    "star_bicoloring": "bicoloring",
    "ColoringVerdict": "verify_coloring",
    "verify_coloring": "verify_coloring",
    "verify_pattern_coloring": "verify_pattern_coloring",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
