"""Traffic matrices as Matrix Market files, and as GraphBLAS serializes them.

Matrix Market counts from 1, and a side has 2**32 or 2**64 ids: the last of these, counted from 1,
fits in no 64-bit word, so ids of such a side are read as text. Comments say when the traffic was.

What GraphBLAS serializes has no checksum, and a changed byte can give another matrix or end the
process. But it ends in the name that a matrix may have, and nothing depends on that: our name tells
the times and the CRC-32 of all the bytes, those of the CRC itself taken as zeros.
"""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, NoReturn

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.io.parse import Layout, parse
from edgewise.io.text import lines, shown, split_line, text_start, write_rows
from edgewise.sensing.matrix import TrafficMatrix

__all__ = ["of_blob", "read_market", "to_blob", "write_market"]

_BANNER = "%%MatrixMarket matrix coordinate integer general"
_TIME = re.compile(rb"%\s*(start|stop) (-?[0-9]{1,19}) nanoseconds since 1970")
_LAST = 2**64 - 1
_GRAPHBLAS_SIDE = 1 << 60
_ZEROS = b"00000000"
_NAME = re.compile(
    rb"edgewise traffic start=(-?[0-9]+|none) stop=(-?[0-9]+|none) crc32=([0-9a-f]{8})\0"
)


def write_market(matrix: TrafficMatrix, file: BinaryIO) -> None:
    """Write the links as entries of a general integer matrix, with ids from 1."""
    rows, columns = matrix.shape
    head = [_BANNER]
    for name, time in (("start", matrix.start), ("stop", matrix.stop)):
        if time is not None:
            head.append(f"% {name} {time} nanoseconds since 1970")
    head.append(f"{rows} {columns} {matrix.num_links}")
    file.write("\n".join([*head, ""]).encode())
    write_rows(file, [_from_one(matrix.source), _from_one(matrix.destination), matrix.packets])


def _from_one(ids: np.ndarray) -> Any:
    """Ids counted from 1; as text where one has more than 64 bits."""
    if len(ids) and int(ids.max()) == _LAST:
        return np.array([str(int(one) + 1) for one in ids], object)
    return ids.astype(np.uint64) + np.uint64(1)


def read_market(path: Path, data: np.ndarray) -> TrafficMatrix:
    """Read a general matrix of whole numbers, or a pattern, each entry of which is one packet."""
    head = _read_head(path, data)
    side, pattern = max(head.rows, head.columns), head.field == "pattern"
    layout = Layout(
        (0, 1, -1 if pattern else 2),
        width=2 if pattern else 3,
        comments=b"%",
        low=1,
        high=min(side, 2**63 - 1),
        names=side >= 2**63,
        weights="whole",
    )
    sources, targets, packets = parse(path, data, layout, start=head.after, line=head.line + 1)
    if len(sources) != head.entries:
        reason = f"the header promises {head.entries} entries, but {len(sources)} follow"
        raise FileFormatError(path, reason, head.line)
    if packets is None:
        packets = np.ones(head.entries, np.int64)
    if len(packets) and (packets.dtype.kind != "i" or int(packets.min()) < 1):
        raise FileFormatError(path, "an entry is no number of packets, from 1 to 2**63 - 1")
    ends: list[Any] = []
    for column, most in ((sources, head.rows), (targets, head.columns)):
        ids = _to_zero(path, column, most) if layout.names else column.astype(np.uint64)
        if len(ids) and int(ids.max()) >= most:
            raise FileFormatError(path, f"id {int(ids.max()) + 1} of a matrix with side {most}")
        ends.append(ids.astype(np.uint32 if side <= 1 << 32 else np.uint64))
    source, destination = ends
    return TrafficMatrix.from_links(source, destination, packets, start=head.start, stop=head.stop)


def _to_zero(path: Path, column: Any, most: int) -> np.ndarray:
    """Ids counted from 0, of those that are written from 1, in up to 20 digits."""
    import pyarrow
    import pyarrow.compute as pc

    wrong = pc.invert(pc.match_substring_regex(column, "^[1-9][0-9]{0,19}$"))
    if pc.any(wrong).as_py():
        bad = column.filter(wrong)[0].as_py()
        raise FileFormatError(path, f"expected an id from 1 on, got {shown(bad.encode())}")
    try:
        return pc.cast(column, pyarrow.uint64()).to_numpy(zero_copy_only=False) - np.uint64(1)
    except pyarrow.ArrowInvalid:  # 2**64, or beyond
        ids = [int(one) - 1 for one in column.to_pylist()]
    if max(ids) >= most:
        raise FileFormatError(path, f"id {max(ids) + 1} of a matrix with side {most}")
    return np.array(ids, np.uint64)


class _Head(NamedTuple):
    field: str
    rows: int
    columns: int
    entries: int
    start: int | None
    stop: int | None
    line: int
    after: int


def _read_head(path: Path, data: np.ndarray) -> _Head:
    """The banner, the comments and the sizes."""
    above = lines(data, text_start(data))
    banner = next(above, None)
    words = [] if banner is None else banner.content.decode("ascii", "replace").lower().split()
    if not words or words[0] != "%%matrixmarket":
        raise FileFormatError(path, "expected a %%MatrixMarket banner", 1)
    fields = ("integer", "pattern")
    if words[1:3] != ["matrix", "coordinate"] or words[3:] not in [[f, "general"] for f in fields]:
        wanted = "a traffic matrix must be 'matrix coordinate', integer or pattern, general"
        raise FileFormatError(path, f"{wanted}, not {' '.join(words[1:])!r:.60}", 1)
    times: dict[bytes, int] = {}
    for line in above:
        if line.content.startswith(b"%"):
            if found := _TIME.fullmatch(line.content):
                times[found[1]] = int(found[2])
        elif line.content:
            break
    else:
        raise FileFormatError(path, "there is no line with the matrix's size")
    counts = split_line(line.content)
    if len(counts) != 3 or not all(one.isdigit() and len(one) <= 20 for one in counts):
        reason = f"expected the numbers of rows, columns and entries, got {shown(line.content)}"
        raise FileFormatError(path, reason, line.number)
    rows, columns, entries = map(int, counts)
    if max(rows, columns) > 1 << 64:
        raise FileFormatError(
            path, f"sides of {rows} and {columns} ids; 2**64 is most", line.number
        )
    sizes = (rows, columns, entries)
    return _Head(words[3], *sizes, times.get(b"start"), times.get(b"stop"), line.number, line.after)


def to_blob(matrix: TrafficMatrix) -> bytes:
    """The matrix as GraphBLAS serializes it, with a name that tells of times and of damage."""
    graphblas = _graphblas()
    ids = [np.ascontiguousarray(one, np.uint64) for one in (matrix.source, matrix.destination)]
    if matrix.num_links and max(int(one.max()) for one in ids) >= _GRAPHBLAS_SIDE:
        raise ValueError(
            "matrix has ids from 2**60 on (of IPv6 addresses), and GraphBLAS has none: save it as "
            ".ewt or .mtx"
        )
    side = min(matrix.shape[0], _GRAPHBLAS_SIDE)
    entries = graphblas.Matrix.from_coo(*ids, matrix.packets, dtype="INT64", nrows=side, ncols=side)
    times = ("none" if time is None else time for time in (matrix.start, matrix.stop))
    name = "edgewise traffic start={} stop={} crc32=".format(*times).encode() + _ZEROS
    library, ffi = graphblas.core.lib, graphblas.core.ffi
    library.GrB_Matrix_set_String(entries._carg, ffi.new("char[]", name), library.GrB_NAME)
    blob = entries.ss.serialize().tobytes()
    place = blob.rindex(name) + len(name) - len(_ZEROS)
    checksum = f"{zlib.crc32(blob):08x}".encode()
    return blob[:place] + checksum + blob[place + len(_ZEROS) :]


def of_blob(path: Path, data: np.ndarray) -> TrafficMatrix:
    """The matrix that GraphBLAS reads; one with our name is looked for damage first."""
    graphblas = _graphblas()
    start, stop = _checked_times(path, data)
    try:
        entries = graphblas.Matrix.ss.deserialize(data.copy())
        rows, columns, packets = entries.to_coo()
    except Exception as error:  # GraphBLAS has its own kinds, and they tell little
        _refuse(path, error)
    if entries.dtype.name.rstrip("0123456789") not in ("INT", "UINT", "BOOL"):
        raise FileFormatError(path, f"packets must be whole numbers, not {entries.dtype.name}")
    packets = packets.astype(np.int64)
    if len(packets) and int(packets.min()) < 1:
        raise FileFormatError(path, "packets must be from 1 to 2**63 - 1, and some are not")
    kind = np.uint32 if max(entries.shape) <= 1 << 32 else np.uint64
    ids = (rows.astype(kind), columns.astype(kind))
    return TrafficMatrix.from_links(*ids, packets, start=start, stop=stop)


def _checked_times(path: Path, data: np.ndarray) -> tuple[int | None, int | None]:
    """The times in our name, if it is one of ours: then its checksum must be right."""
    found = _NAME.search(tail := data[-200:].tobytes())
    if found is None:
        return None, None
    place = len(data) - len(tail) + found.start(3)
    checksum = zlib.crc32(data[:place].data)
    checksum = zlib.crc32(data[place + len(_ZEROS) :].data, zlib.crc32(_ZEROS, checksum))
    if checksum != int(found[3], 16):
        raise FileFormatError(path, "damaged: it does not have its checksum")
    start, stop = (None if time == b"none" else int(time) for time in found.group(1, 2))
    return start, stop


def _refuse(path: Path, error: Exception) -> NoReturn:
    reason = f"GraphBLAS cannot read it: {type(error).__name__}: {error}"
    raise FileFormatError(path, " ".join(reason.split())[:200]) from None


def _graphblas() -> Any:
    try:
        import graphblas
    except ImportError:
        raise ImportError(
            "GraphBLAS files need python-graphblas: pip install 'python-graphblas[default]'"
        ) from None
    return graphblas
