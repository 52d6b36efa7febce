"""`settle` on a grid: rounds of operators, in which the vertices of a part act at once."""

from __future__ import annotations

from edgewise.operators.passes import in_rounds as settle

__all__ = ["settle"]
