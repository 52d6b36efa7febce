"""The doors `read` and `write`: which format, which options, which errors."""

import importlib
import inspect

import numpy as np
import pytest

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.io import FORMATS, read, write

TRIANGLE = Graph.from_edges([0, 1, 2], [1, 2, 0])


def test_no_suffix_names_two_formats():
    suffixes = [suffix for form in FORMATS.values() for suffix in form.suffixes]
    assert len(suffixes) == len(set(suffixes))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_reads_and_writes(name, tmp_path):
    module = importlib.import_module(FORMATS[name].module)
    assert next(iter(inspect.signature(module.read).parameters)) == "path"
    assert list(inspect.signature(module.write).parameters)[:2] == ["graph", "file"]
    for suffix in FORMATS[name].suffixes:
        for more in ("", ".gz"):
            path = tmp_path / f"triangle{suffix}{more}"
            weights = np.ones(3, np.int32) if suffix == ".wsg" else None
            write(TRIANGLE.with_weights(weights), path)
            assert sorted({*read(path).edges()[0].tolist()}) in ([0, 1], [0, 1, 2])
            assert read(path).num_vertices == 3


def test_format_overrides_the_suffix(tmp_path):
    write(TRIANGLE, tmp_path / "triangle.mtx", format="edges")
    assert (tmp_path / "triangle.mtx").read_text().startswith("# edgewise")
    assert read(tmp_path / "triangle.mtx", format="edges") == TRIANGLE
    write(TRIANGLE, tmp_path / "plain", format="parquet")
    assert read(tmp_path / "plain", format="parquet") == TRIANGLE


@pytest.mark.parametrize("name", ["graph.foo", "graph", "graph.gz", "txt"])
def test_an_unknown_suffix_lists_the_formats(tmp_path, name):
    for attempt in (lambda path: read(path), lambda path: write(TRIANGLE, path)):
        with pytest.raises(ValueError, match=r"matrix_market \(\.mtx\).*\.zst"):
            attempt(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(ValueError, match="format must be one of 'edges'"):
        read(tmp_path / "graph.txt", format="xml")


@pytest.mark.parametrize(
    ("name", "options", "word"),
    [
        ("a.graph", {"columns": (0, 1)}, "columns"),
        ("a.graph", {"directed": False}, "directed"),
        ("a.graph", {"on_bad_line": "skip"}, "on_bad_line"),
        ("a.mtx", {"columns": (0, 1)}, "columns"),
        ("a.mtx", {"delimiter": ","}, "delimiter"),
        ("a.txt", {"suffix": ".wel"}, "suffix"),
        ("a.txt", {"path": "b"}, "path"),
        ("a.ew", {"nonsense": 1}, "nonsense"),
    ],
)
def test_an_option_that_the_format_lacks_is_refused(tmp_path, name, options, word):
    with pytest.raises(TypeError, match=f"'{word}'|multiple values for argument '{word}'"):
        read(tmp_path / name, **options)


def test_an_option_that_the_writer_lacks_leaves_no_file(tmp_path):
    with pytest.raises(TypeError, match="writing edges has no option 'level'"):
        write(TRIANGLE, tmp_path / "a.txt", level=3)
    assert list(tmp_path.iterdir()) == []


def test_on_bad_line_is_checked(tmp_path):
    with pytest.raises(ValueError, match="on_bad_line must be one of 'raise', 'skip'"):
        read(tmp_path / "a.txt", on_bad_line="warn")


def test_a_graph_that_the_format_cannot_hold_leaves_no_file(tmp_path):
    loop = Graph.from_edges([0], [0])
    with pytest.raises(ValueError, match="self-loops"):
        write(loop, tmp_path / "a.graph")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_a_damaged_archive_is_a_format_error(tmp_path, suffix):
    path = tmp_path / f"a.txt{suffix}"
    write(TRIANGLE, path)
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(FileFormatError, match=r"a\.txt"):
        read(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"missing\.txt"):
        read(tmp_path / "missing.txt")
