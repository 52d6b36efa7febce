"""What a format has no place for is left out of a file, and one warning says so.

A format that could hold something only by meaning another graph refuses it with a ValueError.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

from edgewise.graph import Graph

__all__ = ["beside", "count_isolated", "warn_left_out"]

_beside: ContextVar[tuple[str, ...]] = ContextVar("edgewise_held_beside", default=())


@contextmanager
def beside(*parts: str) -> Iterator[None]:
    """Parts that another file holds are not left out by what is written inside the block.

    >>> with beside("vertex columns"):
    ...     warn_left_out("CSV files", ["vertex columns"], ".ew files keep them")
    """
    token = _beside.set(parts)
    try:
        yield
    finally:
        _beside.reset(token)


def warn_left_out(form: str, parts: Iterable[str], hint: str) -> None:
    """Tell the caller of `edgewise.io.write` what the format cannot hold, if anything.

    Parameters
    ----------
    form : str
        The files of the format, as in "CSV files".
    parts : iterable of str
        What is left out: "weights", "labels", ...
    hint : str
        Which files hold it.
    """
    parts = [one for one in parts if one not in _beside.get()]
    if parts:
        # from here: the format's `write`, the door's `write`, its caller
        warnings.warn(f"{form} have no place for {' and '.join(parts)}; {hint}", stacklevel=4)


def count_isolated(graph: Graph) -> int:
    """How many vertices have no edge."""
    return int(np.count_nonzero((graph.row_lengths() == 0) & (graph.column_lengths() == 0)))
