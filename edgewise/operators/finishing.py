"""What becomes of rows of totals by key: the part of the contract of `reduce_neighbors`.

Each total is replaced by what ``finish`` returns. Of these, the ones below ``least`` are dropped,
and the ``keep`` largest stay (`edgewise.operators.finished_rows`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_count, check_flag
from edgewise.operators.arguments import message_function
from edgewise.operators.functions import Function

__all__ = ["FINISH_NAMES", "Finishing", "check_finishing"]

#: What a finish of totals by key may name, beside params.
FINISH_NAMES = ("v", "key", "total", "row_sum")


class Finishing(NamedTuple):
    """What finishes and shortens rows."""

    function: Function | None
    keep: int  # -1: all
    least: float | None

    @property
    def params(self) -> tuple:
        """The params that the function names."""
        return () if self.function is None else self.function.params

    def rules(self, dtype: np.dtype) -> tuple:
        """The numbers that a finisher takes: keep, whether there is a least, it, and a sum of 0."""
        zero = {"f": np.float64, "u": np.uint64}.get(np.dtype(dtype).kind, np.int64)(0)
        least = 0.0 if self.least is None else self.least
        return np.int64(self.keep), np.bool_(self.least is not None), np.float64(least), zero


def check_finishing(
    sort: Any, finish: Any, keep: Any, least: Any, grouped: bool, named: dict[str, Any]
) -> tuple[bool, Finishing | None]:
    """Whether rows are sorted, and what finishes them; ``named`` are the params."""
    sort = check_flag(sort, "sort")
    given = {"sort": None if sort else sort, "finish": finish, "keep": keep, "least": least}
    for name, one in given.items():
        if one is not None and not grouped:
            raise TypeError(f"{name} belongs to totals by key: give key, and no choose, with it")
    if finish is None and keep is None and least is None:
        return sort, None
    function = None if finish is None else message_function(finish, named, FINISH_NAMES, "finish")
    most = -1 if keep is None else check_count(keep, "keep")
    return sort, Finishing(function, most, None if least is None else _number(least))


def _number(least: Any) -> float:
    if isinstance(least, (bool, np.bool_)) or not isinstance(
        least, (int, float, np.integer, np.floating)
    ):
        raise TypeError(f"least must be a number, got {least!r:.80}")
    if least != least:
        raise ValueError("least must be a number, got nan")
    return float(least)
