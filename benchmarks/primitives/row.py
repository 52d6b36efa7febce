"""What one row of the table of primitives is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["Row", "as_given"]


def as_given(graph: Any) -> Any:
    """Nothing has to be prepared."""
    return graph


class Row(NamedTuple):
    """One primitive on some graphs, beside the libraries that have it.

    What is prepared (a library's own form of the graph, a transposed copy that it keeps) is not
    timed. ``peers`` has a pair for each library: prepare and run. ``same(ours, theirs)`` says
    whether two answers agree; None where they cannot be compared.
    """

    name: str
    graphs: tuple[str, ...]
    run: Callable[[Any], Any]
    peers: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]]
    same: Callable[[Any, Any], bool] | None = None
    prepare: Callable[[Any], Any] = as_given
