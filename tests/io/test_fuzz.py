"""Mangled files of every format: a sound graph or a clean error; no crash, no hang, no other error.

`tests.io.fuzz` makes and tries them: a few hundred of each format here, ten thousand in processes
of their own in the second tier; and all of `CORPUS` and of the folder ``corpus``, inputs that once
ended otherwise. Where a format counts its lines, a line more or less is noticed; and the parser of
edge lists agrees with a slow and obvious one on whatever text.
"""

import faulthandler
import json
import random
import re
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from edgewise.base.errors import FileFormatError
from edgewise.io import FORMATS, format_of, write
from tests.conftest import ROOT
from tests.io.fuzz import JUNK, TEXT, attempt, graphs, mangle, run

MANGLED = {name: 400 if name in TEXT else 150 for name in FORMATS}
BATCHES, BATCH = 5, 2000
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # what a format cannot hold


@pytest.fixture(autouse=True)
def no_hang():
    """A hang inside a kernel cannot be raised out of: say where, and end."""
    faulthandler.dump_traceback_later(120, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.mark.parametrize("name", FORMATS)
def test_mangled_files(name, tmp_path):
    assert run(name, 0, MANGLED[name], tmp_path)["error"] > 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, BATCHES + 1))
@pytest.mark.parametrize("name", FORMATS)
def test_many_mangled_files(name, seed, tmp_path):
    """In a process of its own: after a crash, the culprit is in the folder."""
    command = [sys.executable, "-m", "tests.io.fuzz", name, seed, BATCH, tmp_path]
    done = subprocess.run([*map(str, command)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"see {tmp_path}:\n{done.stderr[-2000:]}"
    outcomes = json.loads(done.stdout)
    assert sum(outcomes.values()) == BATCH and min(outcomes.values()) > 10


#: Inputs that ended in a crash or in another error: a suffix, the content, the options.
CORPUS = [
    (".csv", b'"a"\n"b"\n', {"header": "none"}),
    (".csv", b'"a"\n"b"\n', {}),
    (".csv", b'"a\n', {"header": "none"}),
    (".csv", b"source,target,type\n0,1\n", {}),
    (".txt", b"7 3\n1 b\n2 a\n", {"ids": "str"}),
    (".txt", b"0 1\n5 2000000000\n", {"ids": "as_is"}),
    (".txt", b"0 1 9223372036854775807\n0 1 1\n", {"columns": (0, 1, 2)}),
    (".txt", b"0 1\n0 1\n", {"duplicates": "raise"}),
    (".txt", b"0 1\n", {"symmetrize": "given"}),
    (
        ".txt",
        b"# edgewise vertices: 3 edges: 1 directed: no weights: none labels: int\n"
        b"# vertex: 7\n0 1\n",
        {"ids": "str"},
    ),
    (
        ".graphml",
        b'<graphml><key id="d" for="edge" attr.name="weight" attr.type="long"/><graph '
        b'edgedefault="directed"><node id="a"/><node id="b"/><edge source="a" target="b">'
        b'<data key="d">' + b"1" * 400 + b"</data></edge></graph></graphml>",
        {},
    ),
]


@pytest.mark.parametrize(("suffix", "content", "options"), CORPUS)
def test_corpus(suffix, content, options, tmp_path):
    path = tmp_path / f"graph{suffix}"
    path.write_bytes(content)
    attempt(path, **options)


@pytest.mark.parametrize(
    "path", sorted((ROOT / "tests/io/corpus").iterdir()), ids=lambda path: path.name
)
def test_corpus_of_binary_files(path):
    attempt(path, format=format_of(path, None))
    if path.suffix == ".ew":
        assert isinstance(attempt(path, format="ew", verify=True), FileFormatError)


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
    "adjacency": [b"", b"# edgewise vertices: 3 edges: 2 directed: no weights: none labels: str\n"],
    "gml": [b"graph [ node [ id 1 ] ", b'graph [ directed 1 node [ id 1 label "a" ] ', b"g"],
    "dot": [b"graph { a -- b [weight=", b"strict digraph x { 1 -> 2 ; { a b } -> ", b"g"],
    "pajek": [b"*Vertices 3\n", b'*Vertices 2\n1 "a"\n*Arcs\n', b"*Vertices 2\n*Matrix\n"],
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
        b"node [ id 2 ] ",
        b"edge [ source 1 target 2 weight ",
        b"]\n",
        b"*Edges\n",
        b"a -- ",
        b"{ a b } -> ",
        b"subgraph x ",
        b"*Arcslist\n",
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
