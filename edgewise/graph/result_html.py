"""How notebooks show results: the fields of a NamedTuple, the groups of a partition.

`takes_graph` gives `result_html` to every NamedTuple that an algorithm returns.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import numpy as np

from edgewise.graph.html import bars, by_powers, table
from edgewise.graph.transfer import host, on_gpu

__all__ = ["partition_html", "result_html", "shows_itself"]

_BARS = 24  # of a sparkline at most
_LARGEST = 8  # sizes of groups that are listed
_LONG = 160  # characters of a value that are shown


def shows_itself(function: Callable[..., Any]) -> None:
    """Give `result_html` to the NamedTuple that a function returns, if its signature names one."""
    name = function.__annotations__.get("return")
    kind = getattr(function, "__globals__", {}).get(name) if isinstance(name, str) else name
    if isinstance(kind, type) and hasattr(kind, "_fields") and not hasattr(kind, "_repr_html_"):
        kind._repr_html_ = result_html  # type: ignore[attr-defined]


def result_html(result: Any) -> str:
    """A NamedTuple as a table: what each field holds, its range, and a sparkline of its values.

    >>> import edgewise as ew
    >>> "0 to 4" in result_html(ew.bfs(ew.generators.path(5), 0))
    True
    """
    name, own = type(result).__name__, type(result).__repr__ is not tuple.__repr__
    said = repr(result).partition("\n")[0] if own else ""
    about = said.removeprefix(f"{name}(").removesuffix(")") if said.startswith(f"{name}(") else ""
    plain = about and not any(f"{field}=" in about for field in result._fields)
    rows = [("", escape(about))] if plain else []
    rows += [(field, _field(value)) for field, value in result._asdict().items()]
    return table(name, rows)


def partition_html(title: str, word: str, sizes: np.ndarray, *more: tuple[str, str]) -> str:
    """The groups of a partition: their number and sizes, and further rows."""
    rows = [("vertices", f"{sizes.sum():,}"), (word, f"{len(sizes):,}")]
    if len(sizes):
        text = f"{sizes.min():,} to {sizes.max():,}, mean {sizes.mean():.3g}"
        rows.append(("sizes", f"{text} {by_powers(sizes, 'size', word)}"))
        largest = np.sort(sizes)[::-1][:_LARGEST]
        rows.append(("largest", ", ".join(f"{one:,}" for one in largest)
                     + ", ..." * (len(sizes) > _LARGEST)))  # fmt: skip
    return table(title, [*rows, *more])


def _field(value: Any) -> str:
    if isinstance(value, np.ndarray) or on_gpu(value):
        return _array(np.asarray(host(value)))
    if isinstance(value, (bool, np.bool_, str)) or value is None:
        return escape(str(value)[:_LONG])
    if isinstance(value, (int, np.integer)):
        return f"{value:,}"
    if isinstance(value, (float, np.floating)):
        return f"{value:.6g}"
    text = repr(value).partition("\n")[0]
    return escape(text if len(text) <= _LONG else text[:_LONG] + "...")


def _array(array: np.ndarray) -> str:
    """The shape, the type and the range of an array, and a sparkline if it is a list of numbers."""
    shape = " x ".join(f"{length:,}" for length in array.shape)
    text = f"{shape} {array.dtype}"
    if array.dtype.kind not in "iuf" or not array.size:
        return escape(text)
    known = array[np.isfinite(array)]
    if array.dtype.kind in "iu":
        known = array[array != np.iinfo(array.dtype).max]
    if not known.size:
        return escape(text)
    low, high = known.min(), known.max()
    ends = f"{low:,} to {high:,}" if array.dtype.kind in "iu" else f"{low:.4g} to {high:.4g}"
    text += f", {ends}, mean {known.mean():.4g}"
    if known.size < array.size:
        text += f", {array.size - known.size:,} without a value"
    return f"{escape(text)} {_histogram(known, low, high)}" if array.ndim == 1 else escape(text)


def _histogram(known: np.ndarray, low: Any, high: Any) -> str:
    if low == high:
        return ""
    if known.dtype.kind in "iu" and int(high) - int(low) < _BARS:
        counts = np.bincount((known - low).astype(np.int64))
        titles = [f"{low + i}: {count:,}" for i, count in enumerate(counts)]
        return bars(counts, titles, "number by value")
    counts, edges = np.histogram(known.astype(np.float64), bins=_BARS)
    pairs = zip(edges[:-1], edges[1:], counts, strict=True)
    return bars(counts, [f"{a:.4g} to {b:.4g}: {n:,}" for a, b, n in pairs], "number by value")
