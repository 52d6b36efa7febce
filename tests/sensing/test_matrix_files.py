"""Traffic matrices in files: round trips, damage, and files of others."""

from __future__ import annotations

import struct
import sys
import zlib
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.errors import FileFormatError
from edgewise.sensing import TrafficMatrix, read_matrix, write_matrix
from edgewise.sensing.matrix_files import _HEADER_SIZE

SUFFIXES = [".ewt", ".mtx", ".mtx.gz", ".ewt.zst"]


def small(**times) -> TrafficMatrix:
    return TrafficMatrix.from_links(
        [7, 1, 7, 2**32 - 1], [9, 0, 8, 2**32 - 1], [10, 1, 300, 2], **times
    )


def same(one: TrafficMatrix, other: TrafficMatrix) -> bool:
    """Equal in types and times, too."""
    types = [array.dtype for array in one.links] == [array.dtype for array in other.links]
    return one == other and types and (one.start, one.stop) == (other.start, other.stop)


@st.composite
def matrices(draw):
    wide = draw(st.booleans())
    ids = st.one_of(
        st.integers(0, 5),
        st.integers(2**64 - 4, 2**64 - 1) if wide else st.integers(2**32 - 4, 2**32 - 1),
        st.integers(0, 2 ** (64 if wide else 32) - 1),
    )
    packets = st.one_of(st.integers(1, 3), st.integers(1, 2**40))
    links = draw(st.dictionaries(st.tuples(ids, ids), packets, max_size=30))
    dtype = np.uint64 if wide else np.uint32
    columns = [np.array([link[side] for link in links], dtype) for side in (0, 1)]
    times = [draw(st.none() | st.integers(-(2**63), 2**63 - 1)) for _ in range(2)]
    counts = np.array([*links.values()], np.int64)
    return TrafficMatrix.from_links(*columns, counts, start=times[0], stop=times[1])


@settings(max_examples=50)
@given(matrix=matrices(), suffix=st.sampled_from(SUFFIXES))
def test_round_trips(matrix, suffix, tmp_path_factory):
    path = tmp_path_factory.mktemp("trip") / f"matrix{suffix}"
    write_matrix(matrix, path)
    assert same(read_matrix(path), matrix)
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_large_round_trip_is_compact(tmp_path):
    random = np.random.default_rng(3)
    ids = (random.zipf(1.5, (2, 200_000)) % 5000).astype(np.uint32) * np.uint32(77_777)
    matrix = TrafficMatrix.from_links(*ids, np.ones(len(ids[0]), np.int64))
    write_matrix(matrix, tmp_path / "a.ewt")
    assert same(read_matrix(tmp_path / "a.ewt"), matrix)
    assert (tmp_path / "a.ewt").stat().st_size < matrix.nbytes / 3


def test_ids_of_ipv6_addresses(tmp_path):
    """The last one, counted from 1, does not fit into 64 bits."""
    last = 2**64 - 1
    ids = np.array([[last, 1], [last, 2**63]], np.uint64)
    matrix = TrafficMatrix.from_links(*ids, [3, 4])
    for suffix in SUFFIXES:
        write_matrix(matrix, tmp_path / f"a{suffix}")
        assert same(read_matrix(tmp_path / f"a{suffix}"), matrix)
    assert (tmp_path / "a.mtx").read_text() == (
        "%%MatrixMarket matrix coordinate integer general\n"
        "18446744073709551616 18446744073709551616 2\n"
        "2 9223372036854775809 4\n"
        "18446744073709551616 18446744073709551616 3\n"
    )


def test_matrix_market_text(tmp_path):
    write_matrix(small(start=-5, stop=2**62), tmp_path / "a.mtx")
    assert (tmp_path / "a.mtx").read_text() == (
        "%%MatrixMarket matrix coordinate integer general\n"
        "% start -5 nanoseconds since 1970\n"
        "% stop 4611686018427387904 nanoseconds since 1970\n"
        "4294967296 4294967296 4\n"
        "2 1 1\n8 9 300\n8 10 10\n4294967296 4294967296 2\n"
    )


def test_matrix_market_of_others(tmp_path):
    path = tmp_path / "a.mtx"
    path.write_text(
        "%%MatrixMarket Matrix Coordinate Pattern General\r\n% of nobody\r\n\r\n"
        "5 9 4\r\n5 9\r\n% between\r\n1\t1\r\n5 9\r\n2 1\r\n"
    )
    matrix = read_matrix(path)
    assert matrix == TrafficMatrix.from_links([0, 1, 4], [0, 0, 8], [1, 1, 2])
    assert matrix.source.dtype == np.uint32 and matrix.start is None
    path.write_text(
        "%%MatrixMarket matrix coordinate integer general\n5000000000 3 1\n5000000000 1 7\n"
    )
    assert read_matrix(path).source.tolist() == [4999999999]


BANNER = "%%MatrixMarket matrix coordinate integer general\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1: expected a %%MatrixMarket banner"),
        ("1 2 3\n", "line 1: expected a %%MatrixMarket banner"),
        (BANNER.replace("general", "symmetric"), "integer or pattern, general, not"),
        (BANNER.replace("integer", "real") + "1 1 0\n", "integer or pattern, general, not"),
        (BANNER, "no line with the matrix's size"),
        (BANNER + "1 2\n", "line 2: expected the numbers of rows, columns and entries, got '1 2'"),
        (BANNER + f"{2**64 + 1} 1 0\n", "2[*][*]64 is most"),
        (BANNER + "5 5 2\n1 1 1\n", "line 2: the header promises 2 entries, but 1 follow"),
        (BANNER + "5 5 1\n0 1 1\n", "line 3: .*0"),
        (BANNER + "5 5 1\n6 1 1\n", "line 3: .*6"),
        (BANNER + "9 5 1\n1 6 1\n", "id 6 of a matrix with side 5"),
        (BANNER + "5 5 1\n1 1 0\n", "no number of packets"),
        (BANNER + "5 5 1\n1 1 1.5\n", "line 3: "),
        (BANNER + "5 5 1\n1 1\n", "line 3: "),
        (BANNER + "5 5 1\n1 1 99999999999999999999\n", "no number of packets"),
        (BANNER + f"{2**64} 5 1\n{2**64 + 1} 1 1\n", f"id {2**64 + 1} of a matrix"),
        (BANNER + f"{2**64} {2**64} 1\n0 1 1\n", "expected an id from 1 on, got '0'"),
        (BANNER + f"{2**64} {2**64} 1\nx 1 1\n", "expected an id from 1 on, got 'x'"),
        (BANNER + f"{2**64} 5 1\n1 6 1\n", "id 6 of a matrix with side 5"),
    ],
)
def test_wrong_matrix_market_files(tmp_path, text, reason):
    path = tmp_path / "a.mtx"
    path.write_text(text)
    with pytest.raises(FileFormatError, match=reason) as info:
        read_matrix(path)
    assert str(path) in str(info.value)


def test_every_cut_and_every_changed_byte_is_noticed(tmp_path):
    path = tmp_path / "a.ewt"
    write_matrix(small(start=1, stop=2), path)
    content = path.read_bytes()
    for size in range(len(content)):
        path.write_bytes(content[:size])
        with pytest.raises(FileFormatError, match="truncated|not an .ewt file"):
            read_matrix(path)
    for at in range(len(content)):
        path.write_bytes(content[:at] + bytes([content[at] ^ 0x41]) + content[at + 1 :])
        with pytest.raises(FileFormatError, match="damaged|not an .ewt file|truncated"):
            read_matrix(path)
    path.write_bytes(content + b"\0")
    with pytest.raises(FileFormatError, match="its header says"):
        read_matrix(path)


def forged(content: bytes, changes: dict[int, bytes]) -> bytes:
    """Another header, with the right checksum."""
    head = bytearray(content[: _HEADER_SIZE - 8])
    for at, new in changes.items():
        head[at : at + len(new)] = new
    return bytes(head) + struct.pack("<II", zlib.crc32(head), 0) + content[_HEADER_SIZE:]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({8: b"\2\0"}, "version 2"),
        ({10: b"\3\0"}, "impossible fields"),
        ({12: b"\4"}, "impossible fields"),
        ({16: struct.pack("<q", -1)}, "impossible fields"),
        ({24: struct.pack("<q", 5)}, "impossible fields"),
        ({24: struct.pack("<q", 0)}, "impossible fields"),
        ({48: b"\3"}, "impossible fields"),
        ({16: struct.pack("<q", 2**50)}, "takes more than .*; pass max_bytes="),
        ({16: struct.pack("<q", 5)}, "section destinations"),
        ({24: struct.pack("<q", 2)}, "section sources"),
        ({48: b"\0\0\0\0"}, "section sources has bytes and no numbers"),
        ({48: b"\1"}, "section sources"),
        ({56: struct.pack("<q", 2**62)}, "truncated"),
    ],
)
def test_headers_that_lie(tmp_path, changes, reason):
    path = tmp_path / "a.ewt"
    write_matrix(small(), path)
    path.write_bytes(forged(path.read_bytes(), changes))
    with pytest.raises(FileFormatError, match=reason):
        read_matrix(path)


@settings(max_examples=60)
@given(data=st.data())
def test_sections_that_lie(data, tmp_path_factory):
    """Any numbers, with the right checksums: a matrix in order, or an error."""
    from edgewise.sensing import matrix_files

    numbers = st.one_of(st.integers(0, 4), st.integers(0, 2**64 - 1))
    links = data.draw(st.integers(1, 6))
    sources = data.draw(st.integers(1, links))
    frames, head = [], b""
    for items in (sources, sources, links, links):
        drawn = data.draw(st.lists(numbers, min_size=items, max_size=items))
        width, frame = matrix_files._frame(np.array(drawn, np.uint64))
        head += matrix_files._SECTION.pack(width, zlib.crc32(frame), len(frame))
        frames.append(frame)
    size = data.draw(st.sampled_from([4, 8]))
    head = matrix_files._START.pack(matrix_files._MAGIC, 1, size, 0, links, sources, 0, 0) + head
    path = tmp_path_factory.mktemp("lie") / "a.ewt"
    path.write_bytes(b"".join([head, matrix_files._END.pack(zlib.crc32(head), 0), *frames]))
    try:
        matrix = read_matrix(path)
    except FileFormatError as error:
        assert "damaged: " in str(error)
    else:
        assert matrix == TrafficMatrix.from_links(*matrix.links) and matrix.num_links == links


def test_max_bytes(tmp_path):
    path = tmp_path / "a.ewt"
    write_matrix(small(), path)
    with pytest.raises(FileFormatError, match="takes more than 10 bytes; pass max_bytes="):
        read_matrix(path, max_bytes=10)
    assert read_matrix(path, max_bytes=1000) == small()


@pytest.mark.parametrize("suffix", [".ewt", ".mtx", ".grb"])
def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch, suffix):
    if suffix == ".grb":
        pytest.importorskip("graphblas")
    path = tmp_path / f"a{suffix}"
    write_matrix(small(), path)
    before = path.read_bytes()
    monkeypatch.setattr("os.fsync", lambda descriptor: (_ for _ in ()).throw(OSError(28, "full")))
    with pytest.raises(OSError, match="full|No space"):
        write_matrix(small() + small(), path)
    assert path.read_bytes() == before and [*tmp_path.iterdir()] == [path]


def test_graphblas(tmp_path):
    graphblas = pytest.importorskip("graphblas")
    path = tmp_path / "a.grb"
    for matrix in (small(), small(start=-1, stop=2**62), TrafficMatrix.from_links([], [], [])):
        write_matrix(matrix, path)
        assert same(read_matrix(path), matrix)
        theirs = graphblas.Matrix.ss.deserialize(path.read_bytes())
        assert theirs.shape == (2**32, 2**32) and theirs.nvals == matrix.num_links
    wide = TrafficMatrix.from_links(np.array([2**59], np.uint64), np.array([1], np.uint64), [4])
    write_matrix(wide, path)
    assert same(read_matrix(path), wide)
    theirs = graphblas.Matrix.from_coo([3, 1], [4, 2], [5, 6], nrows=2**32, ncols=2**32)
    path.write_bytes(theirs.ss.serialize().tobytes())
    assert read_matrix(path) == TrafficMatrix.from_links([1, 3], [2, 4], [6, 5])
    write_matrix(small(), path)
    content = path.read_bytes()
    name = content.index(b"edgewise")
    for at in range(0, len(content), 3):
        path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        if name <= at < content.index(b"\0", name):  # damage to the name does no harm
            with suppress(FileFormatError):
                assert read_matrix(path) == small()
        else:
            with pytest.raises(FileFormatError, match="damaged"):
                read_matrix(path)
    path.write_bytes(b"")
    with pytest.raises(FileFormatError, match="GraphBLAS cannot read it"):
        read_matrix(path)
    floats = graphblas.Matrix.from_coo([3], [4], [0.5], nrows=2**32, ncols=2**32)
    path.write_bytes(floats.ss.serialize().tobytes())
    with pytest.raises(FileFormatError, match="packets must be whole numbers, not FP64"):
        read_matrix(path)
    far = TrafficMatrix.from_links(np.array([2**63], np.uint64), np.array([1], np.uint64), [4])
    with pytest.raises(ValueError, match="save it as .ewt or .mtx"):
        write_matrix(far, tmp_path / "b.grb")
    assert not (tmp_path / "b.grb").exists()


def test_what_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "graphblas", None)
    with pytest.raises(ImportError, match="pip install 'python-graphblas"):
        write_matrix(small(), tmp_path / "a.grb")


def test_wrong_arguments(tmp_path):
    with pytest.raises(ValueError, match="path must end in one of '.ewt', '.mtx', '.grb', got"):
        write_matrix(small(), tmp_path / "a.csv")
    with pytest.raises(ValueError, match="path must end in one of"):
        read_matrix(tmp_path / "a")
    with pytest.raises(TypeError, match="matrix must be a TrafficMatrix, got list"):
        write_matrix([], tmp_path / "a.ewt")  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        read_matrix(tmp_path / "a.ewt")
