"""Tables to anonymize: the columns as integer codes, k of each record, and the released table."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Records", "read_records", "read_table", "write_table"]


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
    double = {name for name in table.column_names if table.column_names.count(name) > 1}
    if double:
        raise ValueError(f"table must have distinct column names, got {sorted(double)[0]!r} twice")
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


def read_table(path: Path) -> Any:
    """The Arrow table of a .csv, .tsv or .parquet file; a FileFormatError says what is wrong."""
    import pyarrow as pa

    from edgewise.base.errors import FileFormatError

    kind = _kind(path)
    try:
        if kind == "parquet":
            import pyarrow.parquet as parquet

            return parquet.read_table(path)
        from pyarrow import csv

        return csv.read_csv(path, parse_options=csv.ParseOptions(delimiter=kind))
    except pa.ArrowException as error:
        raise FileFormatError(path, str(error)) from None


def write_table(table: Any, file: Any, path: Path) -> None:
    """Write an Arrow table to an open file, in the format of the path; CSV if it has no suffix."""
    kind = "," if path.name == "-" else _kind(path)
    if kind == "parquet":
        import pyarrow.parquet as parquet

        parquet.write_table(table, file)
        return
    from pyarrow import csv

    csv.write_csv(table, file, csv.WriteOptions(delimiter=kind))


def _kind(path: Path) -> str:
    """The separator of a text file, or "parquet"."""
    ends = [one.lower() for one in path.suffixes]
    for suffix, kind in ((".parquet", "parquet"), (".csv", ","), (".tsv", "\t")):
        if suffix in ends[-2:]:
            return kind
    raise ValueError(f"{path} must end in .csv, .tsv or .parquet")


def _as_arrow(table: Any) -> Any:
    import pyarrow as pa

    if isinstance(table, pa.Table):
        return table
    if type(table).__module__.startswith("pandas"):
        return pa.Table.from_pandas(table, preserve_index=False)
    if hasattr(table, "__arrow_c_stream__"):
        return pa.table(table)
    raise TypeError(
        f"table must be a pyarrow.Table or a data frame of pandas or Polars, got {type(table)}"
    )


def _own_k(table: Any, k: Any) -> np.ndarray:
    """k of every record as int64."""
    n = table.num_rows
    if isinstance(k, str):
        _check_name(table, k, "k")
        values = table.column(k)
        if values.null_count:
            raise ValueError(f"column {k!r} must have k of every record, and {values.null_count} "
                             "are missing")  # fmt: skip
        found = np.asarray(values.to_numpy())
    else:
        found = np.asarray(k)
        if found.ndim == 0:
            found = np.full(n, k)
    if found.shape != (n,):
        raise ValueError(f"k must have one entry per record ({n}), got shape {found.shape}")
    if n and (found.dtype.kind not in "iu"):
        raise TypeError(f"k must be whole numbers, got {found.dtype}")
    wrong = np.flatnonzero((found < 1) | (found > n))
    if len(wrong):
        raise ValueError(
            f"k must lie in 1 to the number of records ({n}), got {found[wrong[0]]} for record "
            f"{wrong[0]}"
        )
    return found.astype(np.int64)


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
