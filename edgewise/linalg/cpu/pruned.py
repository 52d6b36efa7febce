"""The step of Markov clustering on CPU threads: each row is pruned and inflated as it is computed.

Only what remains of a row is stored, so the memory is that of the next matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cache import inner
from edgewise.linalg.cpu.spgemm import Finish
from edgewise.linalg.products import multiplied
from edgewise.linalg.pruning import row_pruner

__all__ = ["finish", "within"]


def _spare(spare):
    """Memory for the values of a row: an array, and the place where it begins."""
    return spare[2], spare[4]


@inner
def _enough(count, mass, params):
    """Is nothing recovered of a row with such entries from the threshold on?"""
    _, _, recover, share, _ = params[0]
    return mass >= share or count >= recover


_prune = row_pruner(inner, inner(_spare))


def finish(pruning: Any, chaos: np.ndarray) -> Finish:
    """What shortens rows of a product."""
    most = max(pruning.select, pruning.recover)
    return Finish(_prune, _enough, (tuple(pruning), chaos), pruning.threshold, most)


def within(work: Any, memory: int, sizes: Any, finish: Finish) -> Any:
    """The product with so much memory beside the operand and the result."""
    return multiplied(work, memory, finish)
