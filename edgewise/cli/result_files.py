"""Tables of results in CSV, Parquet, JSON or npz files, and summaries.

A `Result` has named columns of equal length, the first being the vertex (or the edge's two ends);
what an algorithm leaves open (an unreached vertex, no parent) is a null in a table.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edgewise.cli.streams import is_stream, open_output
from edgewise.io.files import plain_suffix

__all__ = ["Result", "check_suffix", "summary", "write_result"]

SUFFIXES = (".csv", ".tsv", ".parquet", ".json", ".npz")


class Result(NamedTuple):
    """``keys`` say where, ``values`` what; vertices are called what the file calls them.

    ``groups`` has for each vertex the one that stands for its group, if there are groups.
    ``totals`` are facts about the whole, instead of a list of the largest. ``parts`` are columns of
    other lengths, for ``.json`` and ``.npz`` files alone.
    """

    keys: dict[str, Any]
    values: dict[str, Any]
    groups: np.ndarray | None = None
    totals: dict[str, Any] | None = None
    parts: dict[str, Any] = {}  # noqa: RUF012 - nobody changes it

    @property
    def columns(self) -> dict[str, Any]:
        """All that has one length."""
        return {**self.keys, **self.values}


def check_suffix(path: Path) -> str:
    """The kind of file, if results can be written to it; standard output gets CSV."""
    if is_stream(path):
        return ".csv"
    suffix = plain_suffix(path)
    if suffix not in SUFFIXES:
        raise ValueError(f"results go to {', '.join(SUFFIXES)} files, not to {path}")
    return suffix


def write_result(result: Result, path: Path) -> None:
    """Write a result whole or not at all, in the format that the suffix names."""
    suffix = check_suffix(path)
    with open_output(path) as file:
        if suffix == ".npz":
            columns = {**result.columns, **result.parts}
            arrays: dict[str, Any] = {name: _array(column) for name, column in columns.items()}
            np.savez_compressed(file, **arrays)
        elif suffix == ".json":
            columns = {**result.columns, **result.parts}
            text = json.dumps({name: _plain(column) for name, column in columns.items()})
            file.write(text.encode())
        else:
            _write_table(result, file, suffix)


def summary(result: Result, top: int = 10) -> dict[str, Any]:
    """A few numbers about a result and the vertices with the largest values, or largest groups."""
    if result.totals is not None:
        return {
            key: _plain(value) if np.ndim(value) else _json_number(value)
            for key, value in result.totals.items()
        }
    name, column = next(iter(result.values.items()))
    if not result.keys:
        return {name: _plain(column)[0]}
    if result.groups is not None:
        _, first, sizes = np.unique(result.groups, return_index=True, return_counts=True)
        order = np.argsort(-sizes, kind="stable")[:top]
        largest = [
            {"group": label, "size": size}
            for label, size in zip(_plain(column[first[order]]), sizes[order].tolist(), strict=True)
        ]
        return {name: {"groups": len(sizes)}, "largest": largest}
    found: dict[str, Any] = {name: _column_summary(column)}
    known = np.ma.masked_invalid(np.ma.asarray(column, np.float64))
    order = np.argsort(-known.filled(-np.inf), kind="stable")[: min(top, known.count())]
    found["largest"] = [
        {
            **{key: _plain(part[i : i + 1])[0] for key, part in result.keys.items()},
            name: _plain(column[i : i + 1])[0],
        }
        for i in order.tolist()
    ]
    return found


def _column_summary(column: Any) -> dict[str, Any]:
    known = np.ma.asarray(column).compressed()
    found: dict[str, Any] = {"count": len(known), "missing": len(column) - len(known)}
    if len(known):
        found |= {"min": known.min().item(), "max": known.max().item()}
        found |= {"mean": float(known.mean(dtype=np.float64))}
        if np.issubdtype(known.dtype, np.integer):
            found["different"] = len(np.unique(known))
    return {key: _json_number(value) for key, value in found.items()}


def _write_table(result: Result, file: Any, suffix: str) -> None:
    import pyarrow as pa

    columns = result.columns
    table = pa.table({name: _arrow(column) for name, column in columns.items()})
    if suffix in (".csv", ".tsv"):
        from pyarrow import csv

        between = "," if suffix == ".csv" else "\t"
        file.write((between.join(columns) + "\n").encode())
        style = "needed" if _must_quote(table, between) else "none"
        options = csv.WriteOptions(include_header=False, quoting_style=style, delimiter=between)
        csv.write_csv(table, file, options)
    else:
        from pyarrow import parquet

        parquet.write_table(table, file)


def _must_quote(table: Any, between: str) -> bool:
    """Has any text a separator, a quote or a line's end in it, or nothing at all?"""
    import pyarrow as pa
    from pyarrow import compute

    texts = (one for one in table.columns if pa.types.is_string(one.type))
    return any(
        compute.any(compute.match_substring_regex(one, f'["{between}\\r\\n]|^$')).as_py()
        for one in texts
    )


def _arrow(column: Any) -> Any:
    import pyarrow as pa

    if isinstance(column, np.ma.MaskedArray):
        return pa.array(column.data, mask=np.ma.getmaskarray(column), from_pandas=True)
    return pa.array(column)


def _plain(column: Any) -> list[Any]:
    """A column as JSON: nulls for what is open or not finite, text for other objects."""
    values = column.tolist() if hasattr(column, "tolist") else list(column)
    return [_json_number(value) for value in values]


def _json_number(value: Any) -> Any:
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return value.item() if isinstance(value, np.generic) else str(value)


def _array(column: Any) -> np.ndarray:
    """A column as NumPy's files can hold it: numbers, or text."""
    array = np.asarray(np.ma.getdata(column))
    return array.astype(str) if array.dtype == object else array
