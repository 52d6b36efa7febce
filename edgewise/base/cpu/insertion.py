"""The sorts of `edgewise.base.insertion` on CPU threads, for arrays of numbers."""

from __future__ import annotations

from edgewise.base.cache import inner
from edgewise.base.insertion import insertion, is_less, read, write

__all__ = ["insert", "sort_few"]

insert, sort_few = insertion(is_less, read, write, inner)
