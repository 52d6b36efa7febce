"""Mangled files of every format: a sound graph or a clean error; no crash, no hang, no other error.

Where a format counts its lines, a line more or less is noticed; and the parser of edge lists agrees
with a slow and obvious one on whatever text.
"""

import contextlib
import faulthandler
import random
import re
import time
import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io import FORMATS, read, write

TEXT = ("edges", "csv", "matrix_market", "metis", "dimacs")
MANGLED = {name: 600 if name in TEXT else 150 for name in FORMATS}
JUNK = [
    b"\x00", b"\xff\xfe", b"-1", b"1e999", b"nan", b"99999999999999999999", b",,", b'"', b"\r",
    b"\n\n", b"%", b"#", b" ", b"1 " * 50, b"4294967296", b"9007199254740993", b"\xc3\xa4", b";",
    b"2147483648", b"%%MatrixMarket", b"p sp 5 5\n", b"{}", b"inf", b".", b"e",
]  # fmt: skip
#: Options that take turns; the body of an .ew file is checked only if asked for.
OPTIONS = {name: [{}, {"on_bad_line": "skip"}] for name in TEXT if name != "metis"}
OPTIONS["ew"] = [{"verify": True}] * 2


@pytest.fixture(autouse=True)
def no_hang():
    """A hang inside a kernel cannot be raised out of: say where, and end."""
    faulthandler.dump_traceback_later(120, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


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
            with contextlib.suppress(ValueError):
                write(graph, folder / f"sound{suffix}", format=name)
                yield (folder / f"sound{suffix}").read_bytes(), suffix


def attempt(path, **options):
    """The graph, which must be sound, or the reason why there is none."""
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            graph = read(path, **options)
        except ValueError as error:  # FileFormatError among them
            graph = error
    assert time.perf_counter() - start < 20
    if isinstance(graph, Graph):
        graph.validate()
    return graph


def mangle(content, rng):
    """Bytes with a few faults."""
    junk = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        place = rng.randrange(len(junk) + 1)
        lines = bytes(junk).split(b"\n")
        line = rng.randrange(len(lines))
        match rng.randrange(7):
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
    return bytes(junk)


@pytest.mark.parametrize("name", FORMATS)
def test_mangled_files(name, tmp_path):
    rng = random.Random(name)
    samples = list(files(name, tmp_path))
    assert samples
    outcomes = {"graph": 0, "error": 0}
    for k in range(MANGLED[name]):
        content, suffix = samples[k % len(samples)]
        path = tmp_path / f"mangled{suffix}"
        path.write_bytes(mangle(content, rng))
        result = attempt(path, format=name, **OPTIONS.get(name, [{}] * 2)[k % 2])
        outcomes["graph" if isinstance(result, Graph) else "error"] += 1
    assert outcomes["error"] > 10


@pytest.mark.parametrize("name", FORMATS)
def test_random_bytes(name, tmp_path):
    rng = random.Random(f"{name} bytes")
    for suffix in FORMATS[name].suffixes[:2]:
        for size in (0, 1, 7, 100, 5000):
            (tmp_path / f"random{suffix}").write_bytes(rng.randbytes(size))
            assert isinstance(attempt(tmp_path / f"random{suffix}", format=name), ValueError)


@pytest.mark.parametrize("name", TEXT)
@pytest.mark.parametrize("more", [".gz", ".bz2", ".xz", ".zst"])
def test_mangled_archives(name, more, tmp_path):
    rng = random.Random(f"{name}{more}")
    path = tmp_path / f"graph{FORMATS[name].suffixes[0]}{more}"
    write(next(graphs()), path)
    content = path.read_bytes()
    for _ in range(40):
        path.write_bytes(content[: rng.randrange(len(content))])
        assert isinstance(attempt(path), FileFormatError)
        path.write_bytes(mangle(content, rng))
        attempt(path)


@pytest.mark.parametrize("name", ["edges", "matrix_market", "metis", "dimacs"])
def test_a_line_more_or_less_is_noticed(name, tmp_path):
    path = tmp_path / f"graph{FORMATS[name].suffixes[0]}"
    write(next(graphs()), path)
    lines = path.read_bytes().splitlines(keepends=True)
    for k in range(1, len(lines)):
        if not lines[k].strip() or lines[k].startswith(b"%"):
            continue  # a METIS vertex without edges, or our header
        for wrong in (lines[:k] + lines[k + 1 :], lines[:k] + [lines[k]] + lines[k:]):
            path.write_bytes(b"".join(wrong))
            assert isinstance(attempt(path), FileFormatError)
        path.write_bytes(b"".join(lines[:k]))
        assert isinstance(attempt(path), FileFormatError)


HEADS = {
    "edges": [b"", b"# edgewise vertices: 3 edges: 2 directed: no weights: none labels: none\n"],
    "csv": [b"source,target\n", b'"source";target,weight\n', b""],
    "matrix_market": [
        b"%%MatrixMarket matrix coordinate real general\n3 3 2\n",
        b"%%MatrixMarket ",
    ],
    "metis": [b"3 2\n", b"3 1 011 2\n", b"3 "],
    "dimacs": [b"p sp 3 2\n", b"c\np sp 2 1\na "],
}
PIECES = st.sampled_from(
    [
        b"0",
        b"1",
        b"2",
        b"3",
        b"17",
        b" ",
        b" ",
        b"\n",
        b"\n",
        b",",
        b"\t",
        b"a ",
        b"1 2\n",
        b"a 1 2 3\n",
    ]
    + JUNK
)


@pytest.mark.parametrize("name", TEXT)
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_made_up_files(name, tmp_path, data):
    head = data.draw(st.sampled_from(HEADS[name]))
    body = b"".join(data.draw(st.lists(PIECES, max_size=30)))
    path = tmp_path / f"made{FORMATS[name].suffixes[0]}"
    path.write_bytes(head + body)
    attempt(path)


def obvious(text):
    """The edges of an edge list with whole ids, or the first bad line, or None for junk."""
    if b"\x00" in text or re.search(rb"\r(?![\r\n]|\Z)", text):
        return None
    edges = []
    for number, line in enumerate(text.split(b"\n"), 1):
        line = line.strip(b" \t\r\v\f")
        if not line or line[:1] in (b"#", b"%"):
            continue
        fields = re.split(rb"[ \t\r\v\f]*,[ \t\r\v\f]*|[ \t\r\v\f]+", line)[:2]
        if len(fields) < 2 or not all(re.fullmatch(rb"[0-9]+", field) for field in fields):
            return number
        if any(int(field) >= 2**63 for field in fields):
            return number
        edges.append(tuple(int(field) for field in fields))
    return edges


@settings(
    max_examples=600, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(pieces=st.lists(PIECES, max_size=20))
def test_edge_lists_as_an_obvious_parser_reads_them(tmp_path, pieces):
    text = b"0 0\n" + b"".join(pieces)
    path = tmp_path / "text.txt"
    path.write_bytes(text)
    result = attempt(path, columns=(0, 1), ids="int", directed=True, labels=True)
    wanted = obvious(text)
    if isinstance(wanted, list):
        names = result.labels.values
        sources, targets, _ = result.arcs()
        found = set(zip(names[sources].tolist(), names[targets].tolist(), strict=True))
        assert found == set(wanted)
    else:
        assert isinstance(result, FileFormatError)
        assert wanted is None or result.line == wanted
