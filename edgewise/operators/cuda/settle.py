"""`settle` on CUDA: passes by `for_rows`, in parts, because thousands act at once."""

from __future__ import annotations

from edgewise.operators.settling import in_passes as settle

__all__ = ["settle"]
