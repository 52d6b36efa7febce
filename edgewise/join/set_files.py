"""Collections of sets from files: a column of a CSV or Parquet file, or the lines of a text.

The result is an Arrow column, which `corpus` and `fuzzy_join` take, and whose entry i is set i, for
whoever shows it. Files are UTF-8 unless said otherwise; one that is not is refused, with the line,
or read with a mark in place of what cannot be.
"""

from __future__ import annotations

import codecs
import csv
import io
import os
from typing import Any

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.base.errors import FileFormatError
from edgewise.io.files import plain_suffix, read_bytes
from edgewise.join.cpu.sorted_rows import packed
from edgewise.join.cpu.split import split
from edgewise.join.cpu.strings import Texts
from edgewise.join.string_columns import as_members, check_separator, is_lists, is_string

__all__ = ["read_column"]

_DELIMITERS = {".csv": ",;\t|", ".tsv": "\t", ".tab": "\t"}
_PARQUET = (".parquet", ".pq")
_BLOCK = (1 << 31) - 1  # bytes that Arrow's reader takes at once, at most
_HEADER = 1 << 20  # bytes in which the header of a CSV file ends
_MARK = b"\xef\xbb\xbf"


def read_column(
    path: str | os.PathLike,
    column: str | None = None,
    *,
    separator: str | None = None,
    encoding: str = "utf-8",
    encoding_errors: str = "strict",
) -> Any:
    r"""Return a collection of sets of strings from a file, as an Arrow column.

    Parameters
    ----------
    path : path
        A ``.csv``, ``.tsv`` or ``.parquet`` file, or a text file. All but Parquet may be compressed
        (``.gz``, ``.bz2``, ``.xz``, ``.zst``).
    column : str, optional
        The name of the column, from the first line of a CSV file. The delimiter (comma, semicolon,
        tab or bar) is detected from this line. Without a name, each line of the file is a set. The
        only column of a Parquet file needs no name.
    separator : str, optional
        The separator between the elements of a set. White space around elements is removed, and
        empty elements are dropped. A Parquet column of lists is not split. FIMI files use ``" "``,
        and sequence files ``" -1 "``.
    encoding : str
        The character encoding of CSV and text files.
    encoding_errors : "strict" or "replace"
        What to do with invalid bytes: raise an error, or replace them with U+FFFD.

    Returns
    -------
    pyarrow.Array or pyarrow.ChunkedArray
        Lists of strings; without a separator, strings.

    Raises
    ------
    FileFormatError
        If the file is damaged or not in the given encoding, or if it has no such column of strings.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "people.csv"
    ...     _ = path.write_text("id,people\n1,J. Smith; A. Jones\n2,\n")
    ...     read_column(path, "people", separator=";").to_pylist()
    [['J. Smith', 'A. Jones'], []]
    """
    check_choice(encoding_errors, "encoding_errors", ("strict", "replace"))
    check_separator(separator)
    suffix = plain_suffix(path)
    if suffix in _PARQUET:
        found = _of_parquet(path, column)
    elif column is None:
        data = _read_text(path, encoding, encoding_errors)
        if suffix in _DELIMITERS:
            _check_lines(path, data, _DELIMITERS[suffix][0])
        found = _lines(data)
    elif suffix in _DELIMITERS:
        found = _of_csv(
            path, column, _read_text(path, encoding, encoding_errors), _DELIMITERS[suffix]
        )
    else:
        known = ", ".join([*_DELIMITERS, *_PARQUET])
        raise FileFormatError(path, f"only {known} files have a column {column!r}")
    if isinstance(found, Texts):
        return _strings(found) if separator is None else _lists(*split(found, separator))
    if separator is None or not is_string(found.type):
        return found
    return _lists(*as_members(found, "column", separator))


def _strings(texts: Texts) -> Any:
    """Texts as an Arrow column."""
    import pyarrow as pa

    offsets, buffer = packed(texts)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(buffer)]
    return pa.Array.from_buffers(pa.large_string(), len(texts.begins), buffers)


def _lists(starts: np.ndarray, texts: Texts) -> Any:
    import pyarrow as pa

    return pa.LargeListArray.from_arrays(pa.array(starts), _strings(texts))


def _read_text(path: Any, encoding: str, errors: str) -> np.ndarray:
    """The bytes of a file as valid UTF-8, without a byte order mark."""
    data = read_bytes(path)
    if _codec(encoding) != "utf-8" or not _is_valid(data):
        try:
            text = data.tobytes().decode(encoding, errors)
        except UnicodeDecodeError as error:
            line = int(np.count_nonzero(data[: error.start] == 10)) + 1
            byte = data[error.start] if error.start < len(data) else 0
            reason = (
                f"byte 0x{byte:02x} is no {encoding}; encoding_errors='replace' or encoding= helps"
            )
            raise FileFormatError(path, reason, line=line) from None
        data = np.frombuffer(text.encode("utf-8", "replace"), np.uint8)
    return data[3:] if data[:3].tobytes() == _MARK else data


def _codec(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        raise ValueError(f"encoding must be one that Python knows, got {encoding!r}") from None


def _is_valid(data: np.ndarray) -> bool:
    """Whether bytes are UTF-8, found without a copy."""
    import pyarrow as pa

    bounds = pa.py_buffer(np.array([0, len(data)], np.int64))
    try:
        pa.Array.from_buffers(pa.large_string(), 1, [None, bounds, pa.py_buffer(data)]).validate(
            full=True
        )
    except pa.ArrowInvalid:
        return False
    return True


def _lines(data: np.ndarray) -> Texts:
    """The lines of a text; a last one without an end counts, too."""
    ends = np.flatnonzero(data == 10)
    begins = np.concatenate(([0], ends + 1))
    if begins[-1] == len(data):
        begins = begins[:-1]
    else:
        ends = np.append(ends, len(data))
    full = ends > begins
    carriage = np.zeros(len(ends), np.int64)
    carriage[full] = data[ends[full] - 1] == 13
    return Texts(data, begins, ends - carriage)


def _check_lines(path: Any, data: np.ndarray, delimiter: str) -> None:
    """Refuse to take the lines of a table for sets."""
    names = _header(path, data, delimiter)
    if len(names) > 1:
        reason = f"give column: one of {_named(names)} (if every line is a set, name the file .txt)"
        raise FileFormatError(path, reason)


def _of_csv(path: Any, column: str, data: np.ndarray, delimiters: str) -> Any:
    import pyarrow as pa
    import pyarrow.csv as arrow

    headers = [(one, _header(path, data, one)) for one in delimiters]
    delimiter, names = next((one for one in headers if column in one[1]), headers[0])
    _check_column(path, column, names)
    kind = {column: pa.large_string()}
    try:
        table = arrow.read_csv(
            pa.BufferReader(pa.py_buffer(data)),
            read_options=arrow.ReadOptions(
                use_threads=False, block_size=min(len(data) + 1, _BLOCK)
            ),
            parse_options=arrow.ParseOptions(
                delimiter=delimiter, newlines_in_values=True, ignore_empty_lines=len(names) > 1
            ),
            convert_options=arrow.ConvertOptions(
                column_types=kind, include_columns=[column], strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid as error:
        raise FileFormatError(path, str(error).removeprefix("CSV parse error: ")) from None
    if np.count_nonzero(data == ord('"')) % 2:
        _check_quotes(path, data, delimiter)
    return table.column(0)


def _check_quotes(path: Any, data: np.ndarray, delimiter: str) -> None:
    """Refuse a table in which a quote is not closed, so that all behind it is in one cell."""
    reader, line = csv.reader(_text(data), delimiter=delimiter, strict=True), 1
    limit = csv.field_size_limit(len(data) + 1)
    try:
        for _ in reader:
            line = reader.line_num + 1
    except csv.Error as error:
        if "end of data" in str(error):
            reason = "a quote is open at the end of the file; its record begins here"
            raise FileFormatError(path, reason, line=line) from None
    finally:
        csv.field_size_limit(limit)


def _header(path: Any, data: np.ndarray, delimiter: str) -> list[str]:
    """The names in the first line, which may have line ends inside of quotes."""
    try:
        return next(csv.reader(_text(data[:_HEADER]), delimiter=delimiter), [])
    except csv.Error as error:
        raise FileFormatError(path, f"the header cannot be read: {error}", line=1) from None


def _text(data: np.ndarray) -> io.TextIOWrapper:
    """Bytes as a file of text."""
    return io.TextIOWrapper(io.BytesIO(data.data), encoding="utf-8", errors="replace", newline="")


def _of_parquet(path: Any, column: str | None) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as parquet

    if not os.path.exists(path):
        raise FileNotFoundError(f"there is no file {path}")
    try:
        names = parquet.read_schema(path).names
        column = names[0] if column is None and len(names) == 1 else column
        if column is None:
            raise FileFormatError(path, f"give column: one of {_named(names)}")
        _check_column(path, column, names)
        found = parquet.read_table(path, columns=[column]).column(column)
    except (pa.ArrowInvalid, OSError) as error:
        raise FileFormatError(path, f"no Parquet file that can be read: {error}") from None
    if not (is_string(found.type) or is_lists(found.type) or pa.types.is_null(found.type)):
        reason = f"column {column!r} must hold strings or lists of strings, got {found.type}"
        raise FileFormatError(path, reason)
    return found


def _check_column(path: Any, column: str, names: list[str]) -> None:
    times = names.count(column)
    if times != 1:
        number = "no column" if times == 0 else f"{times} columns"
        raise FileFormatError(path, f"{number} {column!r} among {_named(names) or 'none'}")


def _named(names: list[str]) -> str:
    return ", ".join(map(repr, names[:20])) + (", ..." if len(names) > 20 else "")
