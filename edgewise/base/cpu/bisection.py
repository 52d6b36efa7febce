"""The searches of `edgewise.base.bisection` on CPU threads."""

from __future__ import annotations

from edgewise.base.bisection import searches
from edgewise.base.cache import inner

__all__ = ["first_from", "lower_bound", "row_of", "upper_bound"]

lower_bound, upper_bound, row_of, first_from = searches(inner)
