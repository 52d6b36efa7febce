"""The stages by pandas: a window is grouped by source and destination, then by each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.sensing.given import Given
from benchmarks.sensing.graphblas import binned, gathered

__all__: list[str] = []

_ENDS = ["source", "destination"]


def build(given: Given) -> Callable[[], Any]:
    ends = given.packets[:2]
    return lambda: _built(given, *ends)


def windows(given: Given) -> Callable[[], Any]:
    ends = given.packets[:2]
    return lambda: [_measured(one) for one in _built(given, *ends)]


def sum(given: Given) -> Callable[[], Any]:
    tables = _built(given, *given.packets[:2])
    return lambda: _sum(tables)


def total(given: Given) -> Callable[[], Any]:
    table = _sum(_built(given, *given.packets[:2]))
    return lambda: _measured(table)


def analysis(given: Given) -> Callable[[], Any]:
    ends = given.packets[:2]
    return lambda: _analyzed(given, *ends)


def apart(given: Given) -> Callable[[], Any]:
    return analysis(given.apart)


def whole(given: Given) -> Callable[[], Any]:
    def run() -> Any:
        from edgewise.sensing import iter_records

        parts = list(iter_records(given.records))
        return _analyzed(given, *(np.concatenate([part[i] for part in parts]) for i in range(2)))

    return run


def _analyzed(given: Given, source: np.ndarray, destination: np.ndarray) -> Any:
    tables = _built(given, source, destination)
    return gathered(_measured(one) for one in [*tables, _sum(tables)])


def _built(given: Given, source: np.ndarray, destination: np.ndarray) -> list[Any]:
    import pandas as pd

    made = []
    for low, high in given.bounds:
        frame = pd.DataFrame({"source": source[low:high], "destination": destination[low:high]})
        made.append(frame.groupby(_ENDS, sort=False).size().rename("packets").reset_index())
    return made


def _sum(tables: list[Any]) -> Any:
    import pandas as pd

    return pd.concat(tables).groupby(_ENDS, sort=False)["packets"].sum().reset_index()


def _measured(table: Any) -> tuple[Any, Any]:
    """Quantities and distributions, which come from the same groups."""
    links = table["packets"]
    ends = [table.groupby(end, sort=False)["packets"].agg(["sum", "size"]) for end in _ENDS]
    (sent, fan_out), (got, fan_in) = ((one["sum"], one["size"]) for one in ends)
    found = [links.sum(), len(links), links.max()]
    for packets, fan in ((sent, fan_out), (got, fan_in)):
        found += [len(packets), packets.max(), fan.max()]
    shapes = [binned(one.to_numpy()) for one in (sent, fan_out, links, fan_in, got)]
    return found, shapes
