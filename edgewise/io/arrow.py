"""Tables of edges in Parquet (.parquet) and Arrow IPC files (.arrow, .feather).

A folder of Parquet files is read as one table (see `edgewise.io.parquet_parts`).

Each row is an edge, with the columns ``source``, ``target``, optionally ``weight``, and those of
``graph.edges``. `write` stores a note under the key ``edgewise`` of the schema's metadata. It holds
the direction, the number of vertices, and whether the ends are labels. It also holds the first
label if labels are consecutive, and otherwise the labels of isolated vertices, or of all vertices
if labels do not ascend. `read` uses the note for options that are not given. The note and the pages
of a Parquet file have checksums; an Arrow file has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.graph.occurring import from_occurring
from edgewise.graph.titles import find_ends
from edgewise.io.binary import label_column
from edgewise.io.edge_columns import check_names, say_unread
from edgewise.io.files import byte_limit, compression, read_bytes
from edgewise.io.header import named_vertices
from edgewise.io.left_out import warn_left_out
from edgewise.io.notes import tell_repeats
from edgewise.io.parquet_parts import Parts, is_parts
from edgewise.io.table_note import KEY, Note, pack, read_note
from edgewise.io.table_streams import read_stream
from edgewise.io.text import check_size
from edgewise.io.text_graph import tell_ids

__all__ = ["check_columns", "check_memory", "find_columns", "more_columns", "opened", "read",
           "write"]  # fmt: skip

_COLUMNS = ("source", "target", "weight")
_Wanted = Sequence[int | str | None]


def read(
    path: Path,
    *,
    suffix: str,
    columns: Sequence[int | str | None] | None = None,
    directed: bool | None = None,
    ids: str = "auto",
    num_vertices: int | None = None,
    duplicates: str = "sum",
    self_loops: str = "keep",
    symmetrize: str | None = None,
    labels: bool | None = None,
    edge_columns: bool | Sequence[str] = False,
    memory: int | str | None = None,
    filesystem: Any = None,
) -> Graph:
    """Return the graph in a table of edges.

    Parameters
    ----------
    path : path
        The file; for Parquet also a folder of files, or a URI of either, such as
        ``s3://bucket/folder``.
    suffix : {".parquet", ".arrow", ".feather"}
        The format of the file.
    columns : sequence of two or three str or int, optional
        The names, or numbers from 0, of the columns of source, target and weight. By default they
        are found by name, as in CSV files, with ``weight`` if present. None stands for the default
        source or target, as in ``(None, None, "km")``.
    directed : bool, optional
        Whether edges are directed; by default as stored by `write`, otherwise False.
    ids : {"auto", "as_is"}
        Each id that occurs is a vertex; integers other than 0 to n - 1 become labels. With
        ``"as_is"`` integers are vertex ids, and those that do not occur are isolated vertices.
    num_vertices, duplicates, self_loops, symmetrize, labels
        As in `Graph.from_edges`. By default the number of vertices and the use of labels are as
        stored by `write`.
    edge_columns : bool or list of str
        The other columns that the edges keep: all of them for True.
    memory : int or str, optional
        The memory limit in bytes, or as "2GiB", for a table whose ends are names. The table is
        then read in pieces, and the names are numbered on disk. MemoryError is raised if the graph
        does not fit.
    filesystem : pyarrow.fs.FileSystem or fsspec filesystem, optional
        Where the Parquet file or folder is; by default this machine's, or the URI says it.

    Returns
    -------
    Graph
        Labels are numbered in ascending order.

    Raises
    ------
    FileFormatError
        If the file is damaged, a column is missing, or a value is missing or of a wrong type.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "path.parquet"
    ...     with open(path, "wb") as file:
    ...         write(Graph.from_edges(["ann", "bob"], ["bob", "eve"]), file, suffix=".parquet")
    ...     read(path, suffix=".parquet").labels.values.tolist()
    ['ann', 'bob', 'eve']
    """
    check_choice(ids, "ids", ("auto", "as_is"))
    if filesystem is not None and suffix != ".parquet":
        raise ValueError(f"filesystem is for Parquet files, got a {suffix} file")
    parts = Parts(path, filesystem) if is_parts(path, filesystem) else None
    if memory is not None:
        if parts is not None:
            raise ValueError("memory cannot be given with a folder or another filesystem")
        for name, given in (("num_vertices", num_vertices), ("labels", labels),
                            ("edge_columns", edge_columns or None)):  # fmt: skip
            if given is not None:
                raise ValueError(f"memory cannot be given with {name}")
        find = partial(find_columns, wanted=check_columns(columns))
        more = {"duplicates": duplicates, "directed": directed, "self_loops": self_loops,
                "symmetrize": symmetrize}  # fmt: skip
        return read_stream(path, suffix, opened(path), find, memory, more)
    table, names = _read_table(path, suffix, check_columns(columns), edge_columns, parts)
    note = read_note(path, table.schema.metadata or {})
    ends = [_column(path, table, name) for name in names[:2]]
    weights = _column(path, table, names[2]).to_numpy() if len(names) == 3 else None
    options: dict[str, Any] = {
        "directed": note.directed if directed is None else directed,
        "duplicates": duplicates,
        "self_loops": self_loops,
        "symmetrize": symmetrize,
    }
    if kept := {name: table.column(name) for name in table.column_names if name not in names}:
        options["edge_columns"] = kept
    try:
        graph = _built(path, ends, weights, note, num_vertices, labels, ids, options)
    except FileFormatError:
        raise
    except (TypeError, ValueError, OverflowError, NotImplementedError) as error:
        raise FileFormatError(path, str(error)) from None
    if not note.labeled and self_loops == "keep" and symmetrize != "given":
        tell_repeats(graph, table.num_rows, weights is not None, duplicates)
    return graph


def _built(
    path: Path, ends: list[Any], weights: Any, note: Note, num_vertices: int | None,
    labels: bool | None, ids: str, options: dict[str, Any],
) -> Graph:  # fmt: skip
    """The graph of a table's columns."""
    import pyarrow

    if note.labeled and num_vertices is None and labels is None:
        if note.first is not None:
            check_size(path, note.num_vertices or 0, len(ends[0]))
        return _labeled(ends, weights, note, options)
    if num_vertices is None and not note.labeled and labels is not True:
        num_vertices = note.num_vertices
        check_size(path, num_vertices or 0, len(ends[0]))
    whole = all(pyarrow.types.is_integer(end.type) for end in ends)
    if whole and num_vertices is None and labels is None and ids == "auto":
        graph = from_occurring(ends[0].to_numpy(), ends[1].to_numpy(), weights, **options)
        tell_ids(graph)
        return graph
    labels = False if whole and ids == "as_is" else labels
    options |= {"num_vertices": num_vertices, "labels": labels}
    return Graph.from_edges(ends[0], ends[1], weights, **options)


def write(graph: Graph, file: BinaryIO, *, suffix: str) -> None:
    """Write a graph as a table of edges, with labels as endpoints, or vertex ids without labels.

    Parameters
    ----------
    graph : Graph
        The graph to write. Labels must be 64-bit integers or strings.
    file : binary file
        The open file.
    suffix : {".parquet", ".arrow", ".feather"}
        The format of the file.

    Raises
    ------
    ValueError
        If the labels are of another type, or if a column is called as the ends or weights are.
    """
    import pyarrow

    check_names(graph)
    sources, targets, weights = graph.edges()
    note = Note(graph.directed, graph.num_vertices)
    if graph.labels is not None:
        named, first = named_vertices(graph, every=False), graph.labels.range_start
        every = bool(named) and len(named) == graph.num_vertices
        note = note._replace(labeled=True, isolated=named, ordered=every, first=first)
        values = label_column(graph.labels)
        sources, targets = (values.take(pyarrow.array(ids)) for ids in (sources, targets))
    columns = [sources, targets] if weights is None else [sources, targets, weights]
    arrays = [pyarrow.array(column) for column in columns]
    names = list(_COLUMNS[: len(arrays)])
    if graph.columns is not None:
        if (kept := graph.columns.edges) is not None:
            arrays, names = arrays + kept.columns, names + kept.column_names
        warn_left_out("Tables of edges", _not_held(graph), ".ew files keep them")
    table = pyarrow.table(arrays, names, metadata={KEY: pack(note)})
    if suffix == ".parquet":
        from pyarrow import parquet

        parquet.write_table(table, file, write_page_checksum=True)
    else:
        options = pyarrow.ipc.IpcWriteOptions(compression="lz4" if suffix == ".feather" else None)
        with pyarrow.ipc.new_file(file, table.schema, options=options) as writer:
            writer.write_table(table)


def _not_held(graph: Graph) -> list[str]:
    return [] if graph.columns is None or graph.columns.vertices is None else ["vertex columns"]


def check_columns(columns: _Wanted | None) -> _Wanted:
    """The columns' names or numbers, None for the usual one; nothing where all are the usual."""
    if columns is None:
        return ()
    named = not isinstance(columns, str) and all(
        isinstance(name, str) or (type(name) is int and name >= 0) or (name is None and place < 2)
        for place, name in enumerate(columns)
    )
    if not named or len(columns) not in (2, 3):
        raise ValueError(
            "columns must be the names, or numbers from 0, of the source, the target and perhaps "
            f"the weight, got {columns!r}"
        )
    return columns


def _read_table(
    path: Path, suffix: str, wanted: _Wanted, others: bool | Sequence[str],
    parts: Parts | None = None,
) -> tuple[Any, list[str]]:  # fmt: skip
    """The wanted columns as a table that is checked to be sound, and the names of the first three.

    ``others`` are more columns, or True for all.
    """
    import pyarrow
    from pyarrow import ipc, parquet

    try:
        if parts is not None:
            names = find_columns(path, parts.in_files, wanted, tell=others is False)
            table = parts.table(names + more_columns(path, parts.schema, names, others))
            table.validate(full=True)
            return table.replace_schema_metadata(parts.schema.metadata), names
        data = opened(path)
        if suffix == ".parquet":
            file = parquet.ParquetFile(data, page_checksum_verification=True)
            names = find_columns(path, file.schema_arrow, wanted, tell=others is False)
            every = names + more_columns(path, file.schema_arrow, names, others)
            check_memory(path, file.metadata, every)
            table = file.read(every)
        else:
            schema = ipc.open_file(data).schema
            names = find_columns(path, schema, wanted, tell=others is False)
            data.seek(0)
            every = names + more_columns(path, schema, names, others)
            fields = [schema.names.index(name) for name in every]
            options = ipc.IpcReadOptions(included_fields=fields)
            table = ipc.open_file(data, options=options).read_all()
        table.validate(full=True)
    except (pyarrow.ArrowException, OSError, MemoryError, UnicodeDecodeError) as error:
        kind = "a Parquet" if suffix == ".parquet" else "an Arrow IPC"
        raise FileFormatError(path, f"not {kind} file, or damaged: {error}") from None
    return table, names


def opened(path: Path) -> Any:
    """The file for Arrow: read as it goes, so that what becomes of it is an error, not a crash."""
    import pyarrow

    if compression(path) is None and path.is_file():
        return pyarrow.OSFile(str(path))
    return pyarrow.BufferReader(pyarrow.py_buffer(read_bytes(path)))


def check_memory(path: Path, metadata: Any, names: Sequence[str]) -> None:
    """That a Parquet file does not claim far more rows or bytes than it can hold."""
    groups = [metadata.row_group(k) for k in range(metadata.num_row_groups)]
    need = max(8 * len(names) * metadata.num_rows, sum(one.total_byte_size for one in groups))
    most = byte_limit(path.stat().st_size)
    if need > most or metadata.num_rows < 0:
        raise FileFormatError(
            path,
            f"{metadata.num_rows} rows take {need} bytes, more than {most}; "
            "pass max_bytes= to allow more",
        )


def more_columns(
    path: Path, schema: Any, names: list[str], others: bool | Sequence[str]
) -> list[str]:
    """The columns to keep beside the first three, except for pandas' own in files of others."""
    if others is False:
        return []
    if others is True:
        ours = KEY in (schema.metadata or {})
        return [one for one in schema.names if one not in names and (ours or one[:2] != "__")]
    chosen = [others] if isinstance(others, str) else [*others]
    for name in chosen:
        if schema.names.count(name) != 1 or name in names:
            raise FileFormatError(
                path, f"edge_columns must name other columns, got {name!r}; there are: "
                f"{', '.join(schema.names)}"
            )  # fmt: skip
    return chosen


def find_columns(path: Path, schema: Any, wanted: _Wanted, *, tell: bool = True) -> list[str]:
    """The names to use, each of which the file must have once."""
    found = schema.names
    ends = find_ends(found)
    usual = _COLUMNS[:2] if ends is None else [found[k] for k in ends]
    names: list[str] = []
    for place, name in enumerate(wanted or (None, None)):
        if isinstance(name, int) and name >= len(found):
            raise FileFormatError(path, f"there are only {len(found)} columns: {', '.join(found)}")
        names.append(
            usual[place] if name is None else found[name] if isinstance(name, int) else name
        )
    if not wanted:
        names += [name for name in found if name.lower() == _COLUMNS[2]][:1]
    for name in names:
        if (count := found.count(name)) != 1:
            raise FileFormatError(
                path,
                f"{count or 'no'} columns named {name!r}; there are: {', '.join(found)}"
                + ("" if count else " (columns= chooses others)"),
            )
    if not wanted and tell:
        _tell_unread(schema, names)
    return names


def _tell_unread(schema: Any, names: list[str]) -> None:
    """Note the columns that are left out, except for those of pandas' own."""
    from pyarrow import types

    titles = schema.names
    picked = [titles.index(name) for name in names]
    unread = [k for k in range(len(titles)) if k not in picked and not titles[k].startswith("__")]

    def numeric(k: int) -> bool:
        kind = schema.field(k).type
        return types.is_integer(kind) or types.is_floating(kind)

    if unread:
        say_unread(unread, (*picked, -1)[:3], titles, numeric)


def _column(path: Path, table: Any, name: str) -> Any:
    """A column without missing values."""
    import pyarrow.compute as pc

    column = table.column(name)
    if column.null_count:
        row = pc.index(pc.is_null(column), True).as_py()
        raise FileFormatError(path, f"column {name!r} has no value in row {row}, counted from 0")
    return column


def _labeled(ends: list[Any], weights: np.ndarray | None, note: Note, options: dict) -> Graph:
    """A graph by labels, with those that no edge has."""
    import pyarrow

    n = note.num_vertices or 0
    if note.first is not None:
        sources, targets = (end.to_numpy().astype(np.int64) - note.first for end in ends)
        graph = Graph.from_edges(sources, targets, weights, num_vertices=n, **options)
        return graph.with_labels(Labels.range(note.first, n))
    alone = pyarrow.array(note.isolated, ends[0].type)
    labels, (sources, targets, _) = Labels.encode(*ends, alone, names=(*_COLUMNS[:2], "isolated"))
    graph = Graph.from_edges(
        sources, targets, weights, num_vertices=len(labels), labels=False, **options
    )
    graph = graph.with_labels(labels)
    if not note.ordered:
        return graph
    new_ids = np.empty(len(labels), np.int64)
    new_ids[labels.vertex(alone.to_numpy(zero_copy_only=False))] = np.arange(len(alone))
    return graph.permute(new_ids)
