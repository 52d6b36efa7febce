"""Tables to anonymize: the columns as integer codes, k of each record, and the released table."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

__all__ = ["Records", "read_records"]


class Records(NamedTuple):
    """A table made ready: equal cells of a column have equal codes."""

    table: Any  # without the column of k
    columns: list[str]
    codes: np.ndarray  # records x columns, int32
    k: np.ndarray

    def released(self, hidden: np.ndarray) -> Any:
        """The table with the hidden cells as nulls."""
        import pyarrow as pa
        import pyarrow.compute as pc

        table = self.table
        for place, name in enumerate(self.columns):
            at, values = table.schema.get_field_index(name), table.column(name)
            mask = pa.array(~hidden[:, place])
            field = table.schema.field(at).with_nullable(True)
            missing = pa.scalar(None, values.type)
            table = table.set_column(at, field, pc.if_else(mask, values, missing))
        return table


def read_records(table: Any, k: Any, columns: Any) -> Records:
    """The arguments of a call, checked."""
    table = _as_arrow(table)
    _check_distinct(table.column_names)
    if columns is None:
        names = [name for name in table.column_names if not (isinstance(k, str) and name == k)]
    else:
        names = _names(table, columns, k)
    counts = _own_k(table, k)
    if isinstance(k, str):
        table = table.drop_columns([k])
    codes = np.empty((table.num_rows, len(names)), np.int32)
    for place, name in enumerate(names):
        codes[:, place] = _codes(table, name)
    return Records(table, names, codes, counts)


def _as_arrow(table: Any) -> Any:
    import pyarrow as pa

    if isinstance(table, pa.Table):
        return table
    if type(table).__module__.startswith("pandas"):
        return _from_pandas(table)
    if hasattr(table, "__arrow_c_stream__"):
        return pa.table(table)
    raise TypeError(
        f"table must be a pyarrow.Table or a data frame of pandas or Polars, got {type(table)}"
    )


def _from_pandas(frame: Any) -> Any:
    """The table of a data frame; an error names the column that has no type."""
    import pyarrow as pa

    _check_distinct([str(name) for name in frame.columns])
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        for place, name in enumerate(frame.columns):
            one = frame.iloc[:, place]
            try:
                pa.array(one, from_pandas=True)
            except (pa.ArrowException, TypeError, ValueError, OverflowError):
                kinds = " and ".join(sorted({type(cell).__name__ for cell in one.dropna()}))
                raise TypeError(
                    f"column {str(name)!r} must have values of one type, got {kinds}; "
                    "astype(str) makes them text"
                ) from None
        raise TypeError(f"table: {error}") from None


def _check_distinct(names: list[str]) -> None:
    double = {name for name in names if names.count(name) > 1}
    if double:
        raise ValueError(f"table must have distinct column names, got {sorted(double)[0]!r} twice")


def _own_k(table: Any, k: Any) -> np.ndarray:
    """k of every record as int64."""
    n, what = table.num_rows, "k"
    if isinstance(k, str):
        _check_name(table, k, "k")
        found, what = _column_of_k(table.column(k), k), f"column {k!r}"
    else:
        found = np.asarray(k)
        if found.ndim == 0:
            found = np.full(n, k)
    if found.shape != (n,):
        raise ValueError(f"k must have one entry per record ({n}), got shape {found.shape}")
    if n and (found.dtype.kind not in "iu"):
        raise TypeError(
            f"{what} must be whole numbers, got {found.dtype} such as {found[0]!s} for record 0"
        )
    wrong = np.flatnonzero((found < 1) | (found > n))
    if len(wrong):
        raise ValueError(
            f"{what} must lie in 1 to the number of records ({n}), got {found[wrong[0]]} for "
            f"record {wrong[0]} (from 0)"
        )
    return found.astype(np.int64)


def _column_of_k(values: Any, name: str) -> np.ndarray:
    """The column of k; texts are read as numbers."""
    import pyarrow as pa

    if values.null_count:
        first = int(np.argmax(values.is_null().to_numpy()))
        raise ValueError(
            f"column {name!r} must have k of every record, and {values.null_count} are missing, "
            f"first of record {first} (from 0)"
        )
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    kind = values.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_binary(kind)):
        return np.asarray(values.to_numpy())
    found = np.empty(len(values), np.int64)
    for record, text in enumerate(values.to_pylist()):
        text = text.decode("latin-1") if isinstance(text, bytes) else text
        if not (text.strip().isdecimal() and len(text) < 19):
            raise TypeError(
                f"column {name!r} must be whole numbers, got {text!r} for record {record} (from 0)"
            )
        found[record] = int(text)
    return found


def _names(table: Any, columns: Any, k: Any) -> list[str]:
    if isinstance(columns, str) or not all(isinstance(one, str) for one in columns):
        raise TypeError(f"columns must be a list of names, got {columns!r}")
    names = list(dict.fromkeys(columns))
    for name in names:
        if isinstance(k, str) and name == k:
            raise ValueError(f"columns must not have the column of k, {k!r}")
        _check_name(table, name, "columns")
    return names


def _check_name(table: Any, name: str, argument: str) -> None:
    if name not in table.column_names:
        known = ", ".join(map(repr, table.column_names[:20])) or "none"
        raise ValueError(f"{argument}: the table has no column {name!r}; its columns are {known}")


def _codes(table: Any, name: str) -> np.ndarray:
    """Equal values as equal numbers; a missing value is one of its own."""
    import pyarrow as pa

    values = table.column(name).combine_chunks()
    if isinstance(values, pa.ChunkedArray):
        values = pa.concat_arrays(values.chunks)
    try:
        if pa.types.is_dictionary(values.type):
            values = values.dictionary_decode()
        found = values.dictionary_encode(null_encoding="encode")
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
        raise TypeError(f"column {name!r} of type {values.type} has no equality: {error}") from None
    return found.indices.to_numpy(zero_copy_only=False)
