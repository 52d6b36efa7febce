"""Tables in files: cells of text files are read and written as they are, without types.

``00712`` and ``1.0`` are texts and remain so. An empty cell is missing, and two quotes are an empty
text. Parquet files keep their types.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["read_table", "write_table"]

#: Rows that are written at a time.
_ROWS = 1 << 16


def read_table(path: Path) -> Any:
    """The Arrow table of a .csv, .tsv or .parquet file; a FileFormatError says what is wrong."""
    import pyarrow as pa

    from edgewise.base.errors import FileFormatError

    kind = _kind(path)
    try:
        if kind == "parquet":
            import pyarrow.parquet as parquet

            return parquet.read_table(path)
        return _read_text(path, kind)
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise FileFormatError(path, str(error)) from None


def write_table(table: Any, file: Any, path: Path) -> None:
    """Write an Arrow table to an open file, in the format of the path; CSV if it has no suffix."""
    kind = "," if path.name == "-" else _kind(path)
    if kind == "parquet":
        import pyarrow.parquet as parquet

        parquet.write_table(table, file)
        return
    import pyarrow as pa

    header = pa.table([[name] for name in table.column_names],
                      names=[f"{i}" for i in range(table.num_columns)])  # fmt: skip
    file.write(_lines(header, table.column_names, kind))
    for start in range(0, table.num_rows, _ROWS):
        file.write(_lines(table.slice(start, _ROWS), table.column_names, kind))


def _kind(path: Path) -> str:
    """The separator of a text file, or "parquet"."""
    ends = [one.lower() for one in path.suffixes]
    for suffix, kind in ((".parquet", "parquet"), (".csv", ","), (".tsv", "\t")):
        if suffix in ends[-2:]:
            return kind
    raise ValueError(f"{path} must end in .csv, .tsv or .parquet")


def _read_text(path: Path, separator: str) -> Any:
    """All columns as text, or as bytes where they are not UTF-8."""
    import pyarrow as pa
    from pyarrow import csv

    parse = csv.ParseOptions(delimiter=separator, newlines_in_values=True)
    with csv.open_csv(path, parse_options=parse) as start:
        names = start.schema.names
    convert = csv.ConvertOptions(
        column_types=dict.fromkeys(names, pa.binary()), null_values=[""],
        strings_can_be_null=True, quoted_strings_can_be_null=False,
    )  # fmt: skip
    table = csv.read_csv(path, parse_options=parse, convert_options=convert)
    columns = []
    for column in table.columns:
        try:
            columns.append(column.cast(pa.string()))
        except pa.ArrowInvalid:
            columns.append(column)
    return pa.table(columns, names=names)


def _lines(table: Any, names: list[str], separator: str) -> bytes:
    """The rows as text."""
    import pyarrow.compute as pc

    if table.num_columns == 0:
        return b""
    cells = [
        _quoted(column.combine_chunks(), name, separator)
        for name, column in zip(names, table.columns, strict=True)
    ]
    # a line of one missing cell would be empty, which readers skip
    missing = b'""' if len(cells) == 1 else b""
    filled = [pc.fill_null(one, missing) for one in cells]
    rows = pc.binary_join_element_wise(*filled, separator.encode())
    ended = pc.binary_join_element_wise(rows, b"", b"\n")
    return b"".join(ended.to_pylist())


def _quoted(cells: Any, name: str, separator: str) -> Any:
    """A column as bytes, in quotes where a reader needs them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        if pa.types.is_dictionary(cells.type):
            cells = cells.dictionary_decode()
        if not (pa.types.is_binary(cells.type) or pa.types.is_large_binary(cells.type)):
            cells = cells.cast(pa.string())
        cells = cells.cast(pa.binary())
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
        raise TypeError(
            f"column {name!r} of type {cells.type} cannot be written as text: {error}"
        ) from None
    special = pc.match_substring_regex(cells, f'^$|["\r\n{separator}]')
    if not pc.any(special).as_py():
        return cells
    doubled = pc.replace_substring(cells, b'"', b'""')
    return pc.if_else(special, pc.binary_join_element_wise(b'"', doubled, b'"', b""), cells)
