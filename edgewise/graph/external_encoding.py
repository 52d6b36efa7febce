"""Streams of edges to graphs within a memory limit: names are numbered on disk.

The stream is read in chunks of a part of the limit. The distinct names of a chunk are sorted
and written to a file, with the places of its edges among them. Names are then cut into ranges that
are a part of the limit, by samples; a range is a slice of every sorted file. One range after
the other is read, its names are merged and numbered, and the numbers go back to the slices. So the
numbers ascend with the names, and the graph equals that of `Graph.from_arrow`. Last, every chunk
looks up its numbers.

All names are written once per chunk in which they occur, and read once. The graph and its labels
must fit the limit while the graph is built: 24 bytes per edge, 24 more with weights, 8 bytes per
vertex and its label.
"""

from __future__ import annotations

import tempfile
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_bytes
from edgewise.graph.labels import Labels, TextLabels
from edgewise.graph.uuids import with_text

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["graph_of_stream"]

_CHUNK, _RANGE = 32, 24  # parts of the limit; work on one takes six to eight times as much
_SAMPLES = 256  # names of each chunk
_LEAST = 1 << 16  # bytes of a chunk


def graph_of_stream(
    cls: Any, reader: Any, names: list[str], memory: int | str, options: dict[str, Any]
) -> Graph:
    """The graph of an Arrow stream: columns of sources and targets, and perhaps of weights.

    Parameters
    ----------
    reader : pyarrow.RecordBatchReader
    names : list of str
        The two or three columns.
    memory : int or str
        The limit in bytes, or as "2GiB".
    options : dict
        Those of `Graph.from_edges`.
    """
    limit = check_bytes(memory, "memory")
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        chunks = list(_spilled(reader, names, limit, Path(folder)))
        count, weighted = sum(one.rows for one in chunks), len(names) == 3
        if chunks and chunks[0].text:
            labels, n, size = _numbered(chunks, limit)
            options = {**options, "num_vertices": n, "labels": False}
        else:
            labels, n, size = None, 0, 0
        need = count * (48 if weighted else 24) + 8 * n + size
        if need > limit:
            raise MemoryError(
                f"memory must be at least {need:,} bytes for a graph of {count:,} edges and {n:,} "
                f"vertices with labels of {size:,} bytes, got {limit:,}"
            )
        ends, weights = _collected(chunks, count, n)
    graph = cls.from_edges(*ends, weights, **options)
    return graph if labels is None else graph.with_labels(labels)


class _Chunk(NamedTuple):
    """What a chunk left on disk: its edges as places among its names, and these, sorted."""

    folder: Path
    number: int
    rows: int
    text: bool
    kind: Any  # of the weights, or None

    def path(self, what: str) -> Path:
        return self.folder / f"{self.number}.{what}"

    def names(self) -> Any:
        """The sorted names, in pages of the file that the system may drop again."""
        import pyarrow

        with pyarrow.memory_map(str(self.path("names"))) as source:
            return pyarrow.ipc.open_file(source).get_batch(0).column(0)


def _spilled(reader: Any, names: list[str], limit: int, folder: Path) -> Iterator[_Chunk]:
    """All chunks of the stream, each of which is written to files when it is given."""
    import pyarrow

    waiting: list[Any] = []
    size = number = before = 0
    for batch in reader:
        part = batch.select(names)
        for name in names:
            if (column := part.column(name)).null_count:
                row = before + int(np.argmax(column.is_null().to_numpy(zero_copy_only=False)))
                raise ValueError(f"column {name!r} must not have missing values, got one in row "
                                 f"{row}")  # fmt: skip
        before += len(part)
        step = max(1, len(part) * max(limit // _CHUNK, _LEAST) // max(part.nbytes, 1))
        for low in range(0, len(part), step):
            waiting.append(some := part.slice(low, step))
            size += some.nbytes
            if size >= max(limit // _CHUNK, _LEAST):
                table, waiting = pyarrow.Table.from_batches(waiting), []
                yield _spill(table, folder, number)
                del table, some
                pyarrow.default_memory_pool().release_unused()
                size, number = 0, number + 1
    if waiting or number == 0:
        table = pyarrow.Table.from_batches(waiting, pyarrow.schema(
            [reader.schema.field(name) for name in names]))  # fmt: skip
        yield _spill(table, folder, number)


def _spill(table: Any, folder: Path, number: int) -> _Chunk:
    """Write one chunk to files."""
    import pyarrow
    import pyarrow.compute as pc

    kinds = [field.type for field in table.schema]
    whole = all(pyarrow.types.is_integer(kind) for kind in kinds[:2])
    weights = None
    if len(kinds) == 3:
        decimal = pyarrow.types.is_decimal(kinds[2])
        weights = pc.cast(table.column(2), "float64" if decimal else kinds[2]).to_numpy()
    kind = None if weights is None else weights.dtype
    chunk = _Chunk(folder, number, table.num_rows, not whole, kind)
    if weights is not None:
        weights.tofile(chunk.path("weights"))
    if whole:
        for side in (0, 1):
            table.column(side).to_numpy().astype(np.int64).tofile(chunk.path(f"ends{side}"))
        return chunk
    texts = [_as_text(table.column(side), table.column_names[side]) for side in (0, 1)]
    text = pyarrow.chunked_array([*texts[0].chunks, *texts[1].chunks], pyarrow.large_string())
    encoded = text.dictionary_encode().combine_chunks() if len(text) else (
        pyarrow.array([], pyarrow.large_string()).dictionary_encode())  # fmt: skip
    del text, texts
    encoded = encoded.chunk(0) if isinstance(encoded, pyarrow.ChunkedArray) else encoded
    order = pc.sort_indices(encoded.dictionary)
    rank = np.empty(len(order), np.int32)
    rank[order.to_numpy()] = np.arange(len(order), dtype=np.int32)
    rank[encoded.indices.to_numpy()].tofile(chunk.path("places"))
    known = pyarrow.record_batch({"name": encoded.dictionary.take(order)})
    with pyarrow.OSFile(str(chunk.path("names")), "wb") as sink, pyarrow.ipc.new_file(
            sink, known.schema) as writer:  # fmt: skip
        writer.write_batch(known)
    return chunk


def _as_text(column: Any, name: str) -> Any:
    import pyarrow

    column = with_text(column)
    kind = column.type.value_type if pyarrow.types.is_dictionary(column.type) else column.type
    if not any(word in str(kind) for word in ("string", "utf8")):
        raise TypeError(
            f"with memory=, columns of sources and targets must both hold strings or both hold "
            f"integers, but {name!r} holds {column.type}"
        )
    return column.cast(pyarrow.large_string())


def _numbered(chunks: list[_Chunk], limit: int) -> tuple[Labels, int, int]:
    """Number all names: the labels, their count and their bytes; numbers go to a file per chunk."""
    import pyarrow
    import pyarrow.compute as pc

    cuts = _cuts(chunks, limit)
    bounds = [_bounds(chunk, cuts) for chunk in chunks]
    files = [open(chunk.path("numbers"), "wb") for chunk in chunks]  # noqa: SIM115 - closed below
    labels: list[Any] = []
    first = size = 0
    try:
        for k in range(len(cuts) + 1):
            parts = [chunk.names().slice(low := bound[k], bound[k + 1] - low)
                     for chunk, bound in zip(chunks, bounds, strict=True)]  # fmt: skip
            text = pyarrow.concat_arrays(parts)
            lengths = [len(part) for part in parts]
            del parts
            encoded = text.dictionary_encode()
            del text
            order = pc.sort_indices(encoded.dictionary).to_numpy()
            rank = np.empty(len(order), np.int64)
            rank[order] = np.arange(first, first + len(order))
            numbers, at = rank[encoded.indices.to_numpy()], 0
            for file, length in zip(files, lengths, strict=True):
                numbers[at : at + length].tofile(file)
                at += length
            labels.append(encoded.dictionary.take(pyarrow.array(order)))
            first, size = first + len(order), size + labels[-1].nbytes
            del encoded, order, rank, numbers
            pyarrow.default_memory_pool().release_unused()
    finally:
        for file in files:
            file.close()
    return TextLabels(pyarrow.chunked_array(labels, pyarrow.large_string())), first, size


def _cuts(chunks: list[_Chunk], limit: int) -> list[str]:
    """The names where ranges begin, so that each has a part of the limit."""
    size = sum(chunk.path("names").stat().st_size for chunk in chunks)
    count = -(-size // max(limit // _RANGE, _LEAST))
    samples: list[str] = []
    for chunk in chunks:
        names = chunk.names()
        samples += names.take(np.linspace(0, len(names) - 1, min(_SAMPLES, len(names)),
                                          dtype=np.int64)).to_pylist()  # fmt: skip
    samples.sort(key=str.encode)
    chosen = [samples[len(samples) * k // count] for k in range(1, count) if samples]
    return list(dict.fromkeys(chosen))


def _bounds(chunk: _Chunk, cuts: list[str]) -> list[int]:
    """Where the ranges begin among the sorted names of a chunk, and where the last one ends."""
    names = chunk.names()  # of one chunk at a time: the search touches all its pages

    def at(i: int) -> bytes:
        return names[i].as_py().encode()

    places = range(len(names))
    return [0, *(bisect_left(places, cut.encode(), key=at) for cut in cuts), len(names)]


def _collected(chunks: list[_Chunk], count: int, n: int) -> tuple[list[np.ndarray], Any]:
    """Sources and targets as vertices, or as given, and the weights; their files are removed."""
    kind = np.int32 if chunks[0].text and n < 2**31 else np.int64
    ends = [np.empty(count, kind) for _ in range(2)]
    weights = None if chunks[0].kind is None else np.empty(count, chunks[0].kind)
    at = 0
    for chunk in chunks:
        part = slice(at, at + chunk.rows)
        at += chunk.rows
        if weights is not None:
            weights[part] = np.fromfile(chunk.path("weights"), chunk.kind)
        if chunk.text:
            places = np.fromfile(chunk.path("places"), np.int32)
            numbers = np.fromfile(chunk.path("numbers"), np.int64)
            ends[0][part], ends[1][part] = (numbers[places[: chunk.rows]],
                                            numbers[places[chunk.rows :]])  # fmt: skip
        else:
            for side in (0, 1):
                ends[side][part] = np.fromfile(chunk.path(f"ends{side}"), np.int64)
        for path in chunk.folder.glob(f"{chunk.number}.*"):
            path.unlink()
    return ends, weights
