"""The step of Markov clustering on CPU threads: each row is pruned and inflated as it is computed.

Only what remains of a row is stored, so the memory is that of the next matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cache import inner
from edgewise.linalg.cpu.spgemm import Finish
from edgewise.linalg.pruning import row_pruner

__all__ = ["finish"]


def _spare(spare):
    """Memory for the values of a row: an array, and the place where it begins."""
    return spare[2], spare[4]


_prune = row_pruner(inner, inner(_spare))


def finish(pruning: Any, chaos: np.ndarray) -> Finish:
    """What shortens rows of a product."""
    return Finish(_prune, (tuple(pruning), chaos), max(pruning.select, pruning.recover))
