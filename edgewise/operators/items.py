"""Contract of `for_each`, the parallel loop over items: walks, pairs, places of a list.

Items are the numbers below a count. They need no graph: state says where the loop runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edgewise.base.checks import check_count
from edgewise.graph.transfer import number_of, on_gpu
from edgewise.operators.arguments import plain_on_host, state_tuple
from edgewise.operators.engines import Place, run
from edgewise.operators.requests import Members
from edgewise.operators.results import is_record

__all__ = ["for_each"]

_HOST = Place("cpu", np)


def for_each(
    count: int,
    function: Callable[..., Any],
    state: Any = (),
    *,
    device: str | None = None,
    work: int | None = None,
) -> None:
    """Call ``function(i, *state)`` once for each i in ``range(count)``, in parallel.

    Parameters
    ----------
    count : int
        The number of calls. Their order is not defined.
    function : callable
        A function that changes elements of ``state``. Its return value is ignored.
    state : array, number, NamedTuple of these, or tuple of all three
        The arguments passed on to ``function``.
    device : {"cpu", "cuda", "cuda:1", ...}, optional
        The device of the arrays, such as ``graph.device``; by default derived from ``state``.
    work : int, optional
        As for `compute`.

    Examples
    --------
    >>> import numpy as np
    >>> from edgewise.operators import for_each
    >>> squares = np.zeros(4, np.int64)
    >>> def fill(i, out):
    ...     out[i] = i * i
    >>> for_each(4, fill, squares)
    >>> squares.tolist()
    [0, 1, 4, 9]
    """
    count = check_count(count, "count")
    given = state if type(state) is tuple else (state,)
    if device in (None, "cpu") and plain_on_host(given):
        place = _HOST
    else:
        place = _place(device, given)
        given = state_tuple(place, state)
    if work is not None:
        work = check_count(work, "work")
    run(place, "compute")(place, Members(None, function, given, work, count))


def _place(device: Any, state: tuple) -> Place:
    """The device that was asked for, or the one that has the arrays of the state."""
    if isinstance(device, str) and device == "cpu":
        return _HOST
    from edgewise.base.cuda.device import array_module, device_number

    if device is not None:
        return Place(f"cuda:{device_number(device)}", array_module())
    given = [one for many in state for one in (many if is_record(many) else (many,))]
    there = [one for one in given if on_gpu(one)]
    return Place(f"cuda:{number_of(*there)}", array_module()) if there else _HOST
