"""Mangled graph files: sound ones to start from, ways to damage them, and what must come of it.

As a program it tries a batch in a process of its own, so that a crash is seen and its input kept:

    python -m tests.io.fuzz FORMAT SEED COUNT FOLDER

Reading a file, however damaged, gives a sound graph on which algorithms run, or a FileFormatError,
or a ValueError that names the file. Anything else is a fault.
"""

import contextlib
import faulthandler
import io
import json
import random
import re
import struct
import sys
import time
import warnings
import zipfile
import zlib
from pathlib import Path

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.graph.validate import check_rows
from edgewise.io import FORMATS, read, write

TEXT = ("edges", "csv", "matrix_market", "metis", "dimacs", "adjacency", "gml", "pajek", "dot")
JUNK = [
    b"\x00", b"\xff\xfe", b"-1", b"1e999", b"nan", b"99999999999999999999", b",,", b'"', b"\r",
    b"\n\n", b"%", b"#", b" ", b"1 " * 50, b"4294967296", b"9007199254740993", b"\xc3\xa4", b";",
    b"2147483648", b"%%MatrixMarket", b"p sp 5 5\n", b"{}", b"inf", b".", b"e", b"[" * 300, b"<",
    b"9223372036854775807", b"9223372036854775808", b"2147483647", b"-9223372036854775809",
    b"\xef\xbb\xbf", b"'", b"\\", b"\x85", b"\xe2\x80\xa8", b"e400", b"]]>", b"&amp;", b"&x;", b"*",
    b"1" * 400, b"0x10", b"1_0", b"\xd9\xa1",
]  # fmt: skip
#: Options that take turns.
OPTIONS = {name: [{}, {"on_bad_line": "skip"}] for name in (*TEXT[:3], "dimacs", "adjacency")}
OPTIONS["csv"] += [{"header": "none"}, {"header": "none", "ids": "str"}, {"delimiter": ";"}]
OPTIONS["edges"] += [
    *({"columns": (0, 1, 2)}, {"ids": "int"}, {"ids": "str"}, {"ids": "as_is"}),
    *({"header": "counts"}, {"header": "none"}, {"labels": True}, {"duplicates": "raise"}),
    *({"symmetrize": "given"}, {"num_vertices": 14}),
]
OPTIONS["adjacency"] += [{"ids": "int"}, {"ids": "str"}, {"ids": "as_is"}]
OPTIONS["dimacs"] += [{"directed": False}, {"ids": "as_is"}]
OPTIONS["matrix_market"] += [{"directed": True}, {"ids": "as_is"}]
OPTIONS["metis"] = [{}, {"ids": "as_is"}]
OPTIONS["gml"] = [{}, {"weight": "value"}, {"label": None}, {"directed": True}]
OPTIONS["dot"] = [{}, {"weight": "len"}, {"label": "label"}, {"directed": True}]
OPTIONS["pajek"] = [{}, {"labels": False}, {"ids": "as_is"}, {"directed": False}]
OPTIONS["graphml"] = OPTIONS["gexf"] = [{}, {"node_type": int}, {"weight": None}]
OPTIONS["graph_tool"] = [{}, {"weight": None}, {"label": None}]
OPTIONS["npz"] = [{}, {"directed": False}, {"directed": True}]
OPTIONS["parquet"] = OPTIONS["arrow"] = [{}, {"labels": True}, {"symmetrize": "given"}]
OPTIONS["ew"] = [{}, {"verify": True}, {"memory_map": False}]


def graphs():
    """Graphs of every sort that some format can hold."""
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 12, (2, 25))
    options = {"num_vertices": 14, "self_loops": "drop", "duplicates": "first"}
    for directed in (False, True):
        plain = Graph.from_edges(*ends, directed=directed, **options)
        yield plain
        for dtype in ("int64", "int32", "float64"):
            weights = rng.integers(1, 1000, 25).astype(dtype) / (4 if dtype == "float64" else 1)
            yield Graph.from_edges(*ends, weights.astype(dtype), directed=directed, **options)
        for values in (list("abcdefghijklmn"), [10**k for k in range(14)]):
            yield Graph(plain.indptr, plain.indices, directed=directed, labels=Labels(values))


def files(name, folder):
    """The bytes and suffix of each graph that the format can hold."""
    for graph in graphs():
        for suffix in FORMATS[name].suffixes[:2]:
            with contextlib.suppress(ValueError), warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                write(graph, folder / f"sound{suffix}", format=name)
                yield (folder / f"sound{suffix}").read_bytes(), suffix


def attempt(path, **options):
    """The graph, which must be sound, or the error, which must name the file."""
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)
        try:
            graph = read(path, **options)
        except ValueError as error:  # FileFormatError among them
            graph = error
    assert time.perf_counter() - start < 20
    if isinstance(graph, Graph):
        _check_sound(graph, options)
        if 0 < graph.num_vertices < 10**6:
            from edgewise import bfs

            bfs(graph, graph.num_vertices - 1)
    else:
        assert type(graph) in (ValueError, FileFormatError), repr(graph)
        assert str(path) in str(graph), f"does not name the file: {graph}"
    return graph


def _check_sound(graph, options):
    labels = graph.labels
    if options.get("format") == "ew" and not options.get("verify"):
        # opening checks what could lead out of the arrays; the rest is for verify=True
        check_rows(graph.indptr, graph.indices, graph.num_vertices)
        if not graph.directed:
            assert len(graph.reverse_arc) == graph.num_arcs
        with contextlib.suppress(FileFormatError):
            assert labels is None or len(labels.values) == graph.num_vertices
    else:
        graph.validate()
        assert labels is None or len(labels.values) == graph.num_vertices


def mangle(content, rng, others=(b"",)):
    """Bytes with a few faults."""
    junk = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        place = rng.randrange(len(junk) + 1)
        lines = bytes(junk).split(b"\n")
        line = rng.randrange(len(lines))
        match rng.randrange(11):
            case 0:
                del junk[place:]
            case 1 if place < len(junk):
                junk[place] ^= 1 << rng.randrange(8)
            case 2:
                junk[place:place] = rng.choice(JUNK)
            case 3:
                junk[place : place + rng.randrange(1, 9)] = rng.choice(JUNK)
            case 4:
                del lines[line]
                junk = bytearray(b"\n".join(lines))
            case 5:
                lines.insert(rng.randrange(len(lines)), lines[line])
                junk = bytearray(b"\n".join(lines))
            case 6:
                junk[place:place] = rng.randbytes(rng.randrange(1, 9))
            case 7:  # one of the numbers
                numbers = list(re.finditer(rb"[0-9]+", junk))
                if numbers:
                    junk[slice(*rng.choice(numbers).span())] = rng.choice(JUNK)
            case 8:  # the end of another file
                other = rng.choice(others)
                junk[place:] = other[rng.randrange(len(other) + 1) :]
            case 9:  # a piece once more
                piece = junk[place : place + rng.randrange(1, 200)]
                junk[place:place] = piece * rng.choice((1, 1, 3))
            case 10:
                junk[place : place + 8] = struct.pack("=q", rng.choice((-1, 2**31, 2**62, 0, 1)))
    return bytes(junk)


def mangle_inside(name, content, rng, others):
    """Faults behind a checksum or a container, which is made right again."""
    if name == "ew" and len(content) >= 512:
        if rng.random() < 0.5:  # the body; or some fields of the header
            body = mangle(content[512:], rng)[: len(content) - 512]
            return content[:512] + body.ljust(len(content) - 512, b"\0")
        header = bytearray(content[:508])
        for _ in range(rng.choice((1, 2, 3))):
            field = rng.choice((10, 12, 16, 24, 32, *range(40, 200, 8)))
            value = rng.choice((0, 1, -1, 2, 15, 31, 2**31, 2**62, rng.randrange(60)))
            struct.pack_into("=q" if field % 8 == 0 else "=h", header, field, value % 2**15 if
                             field % 8 else value)  # fmt: skip
        return bytes(header) + struct.pack("=I", zlib.crc32(header)) + content[512:]
    if name == "npz":
        return _mangled_npz(content, rng)
    if name in ("parquet", "arrow"):
        return _mangled_table(name, rng)
    return mangle(content, rng, others)


def _mangled_npz(content, rng):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {one: archive.read(one) for one in archive.namelist()}
    chosen = rng.choice(list(members))
    if rng.random() < 0.5:
        members[chosen] = mangle(members[chosen], rng)
    else:
        file = io.BytesIO()
        values = rng.choice(
            ([], [0], [2**31], [-1, 5], [2**62] * 2, [0.5, np.nan], [[1]], ["a"], [True], 7,
             [0, 3, 1], list(range(20)), [2**31, 2**31], [5, 5], b"coo", b"csc", b"csr")
        )  # fmt: skip
        np.save(file, np.array(values))
        members[chosen] = file.getvalue()
    if rng.random() < 0.2:
        members.pop(rng.choice(list(members)))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as out:
        for one, data in members.items():
            out.writestr(one, data)
    return file.getvalue()


def _mangled_table(name, rng):
    """A table of odd columns with an odd note, whose checksum is right."""
    import pyarrow as pa
    from pyarrow import parquet

    size = rng.randrange(4)
    kinds = [
        lambda: pa.array([rng.choice((0, 1, 5, 2**31, 2**62, -1)) for _ in range(size)]),
        lambda: pa.array([rng.choice((0.5, 1.0, float("nan"), 1e300)) for _ in range(size)]),
        lambda: pa.array([rng.choice(("a", "", "ä", "7")) for _ in range(size)]),
        lambda: pa.array([rng.choice((b"a", b"\xff")) for _ in range(size)], pa.binary()),
        lambda: pa.array([rng.choice(("a", "b")) for _ in range(size)]).dictionary_encode(),
        lambda: pa.array([None] * size, pa.int64()),
        lambda: pa.nulls(size),
        lambda: pa.array([[1]] * size, pa.list_(pa.int64())),
        lambda: pa.array([{"a": 1}] * size, pa.struct([("a", pa.int64())])),
        lambda: pa.array([True] * size, pa.bool_()),
        lambda: pa.array([1] * size, pa.uint64()),
        lambda: pa.array([1] * size, pa.timestamp("us")),
        lambda: pa.array([1] * size, pa.decimal128(5)),
    ]
    usual = kinds[0] if rng.random() < 0.5 else kinds[2]
    pick = lambda: (usual if rng.random() < 0.7 else rng.choice(kinds))()  # noqa: E731
    columns = {"source": pick(), "target": pick()}
    if rng.random() < 0.4:
        columns["weight"] = rng.choice(kinds)()
    odd = (None, True, False, 0, 1, -1, 2**31, 2**70, 1.5, "a", [], {}, [0], ["a"], [2**70], [None])
    note = {
        key: rng.choice(odd) if rng.random() < 0.4 else usual
        for key, usual in (
            ("directed", False), ("num_vertices", 9), ("labeled", rng.random() < 0.5),
            ("isolated", rng.choice(([], ["x"], [7]))),
        )
    }  # fmt: skip
    text = json.dumps(note).encode()
    text = mangle(text, rng) if rng.random() < 0.3 else text
    metadata = {} if rng.random() < 0.2 else {"edgewise": b"%s %08x" % (text, zlib.crc32(text))}
    table = pa.table(columns, metadata=metadata)
    file = io.BytesIO()
    if name == "parquet":
        try:
            parquet.write_table(table, file)
        except pa.ArrowException:
            return b""
    else:
        with pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
    return file.getvalue()


def run(name, seed, count, folder):
    """Try some mangled files; the last one stays in the folder. How many gave graphs and errors."""
    rng = random.Random(f"{name} {seed}")
    samples = list(files(name, folder))
    assert samples, f"{name} holds no graph"
    outcomes = {"graph": 0, "error": 0}
    for k in range(count):
        content, suffix = samples[k % len(samples)]
        others = [one for one, _ in samples]
        inside = name in ("ew", "npz", "parquet", "arrow") and k % 2
        junk = mangle_inside(name, content, rng, others) if inside else mangle(content, rng, others)
        path = folder / f"mangled{suffix}"
        path.write_bytes(junk)
        options = OPTIONS.get(name, [{}])
        chosen = options[rng.randrange(len(options))]
        (folder / "options").write_text(repr(chosen))
        result = attempt(path, format=name, **chosen)
        outcomes["graph" if isinstance(result, Graph) else "error"] += 1
    return outcomes


def main():
    name, seed, count, folder = sys.argv[1:]
    faulthandler.enable()
    faulthandler.dump_traceback_later(300, exit=True)
    print(json.dumps(run(name, int(seed), int(count), Path(folder))))


if __name__ == "__main__":
    main()
