"""Streams of named edges within a memory limit: the same graph as in memory, and the limit kept."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import edgewise as ew
from edgewise import Graph
from edgewise.graph.labels import Labels, TextLabels


def table(rows, names, seed=0, weights=True):
    rng = np.random.default_rng(seed)
    ends = [pa.array(np.array([f"näme-{i}" for i in rng.zipf(1.3, rows) % names])) for _ in "st"]
    made = {"source": ends[0], "target": ends[1]}
    if weights:
        made["weight"] = rng.integers(1, 9, rows)
    return pa.table(made)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weights", [False, True])
def test_the_same_graph_as_in_memory(directed, weights):
    edges = table(30_000, 4000, weights=weights)
    expected = Graph.from_arrow(edges, directed=directed)
    for memory in ("2MiB", "64MiB"):  # many chunks and ranges, or one
        found = Graph.from_arrow(edges, directed=directed, memory=memory)
        assert found == expected and isinstance(found.labels, TextLabels)
    name = expected.label(7)
    assert found.vertex(name) == 7 and found.label([7, 8]).tolist() == (
        expected.label([7, 8]).tolist())  # fmt: skip
    assert ew.bfs(found, name).distance.tolist() == ew.bfs(expected, 7).distance.tolist()
    assert found.subgraph([name, 9]).labels.values.tolist() == [name, expected.label(9)]


def test_streams_of_every_kind(tmp_path):
    edges = table(3000, 400)
    expected, path = Graph.from_arrow(edges), tmp_path / "edges.parquet"
    pq.write_table(edges, path, row_group_size=500)
    assert ew.read(path, memory="2MiB") == expected
    assert ew.read(path, memory="2MiB", directed=True) == Graph.from_arrow(edges, directed=True)
    with pa.OSFile(str(tmp_path / "edges.arrow"), "wb") as sink, pa.ipc.new_file(
            sink, edges.schema) as writer:  # fmt: skip
        writer.write_table(edges, 700)
    assert ew.read(tmp_path / "edges.arrow", memory="2MiB") == expected
    from pyarrow import csv

    csv.write_csv(edges, tmp_path / "edges.csv")
    reader = csv.open_csv(tmp_path / "edges.csv")
    assert Graph.from_arrow(reader, memory="2MiB") == expected
    kinds = edges.set_column(0, "source", edges.column(0).dictionary_encode())
    assert Graph.from_arrow(kinds, memory="2MiB") == expected
    assert Graph.from_arrow(edges.to_batches()[0], memory="2MiB") == expected
    pairs = pa.table({"source": [0, 5], "target": [5, 7]})
    assert Graph.from_arrow(pairs, memory="2MiB") == Graph.from_arrow(pairs)
    empty = edges.slice(0, 0)
    assert Graph.from_arrow(empty, memory="2MiB").num_vertices == 0
    ew.write(expected, path)
    assert ew.read(path, memory="2MiB") == expected


def test_what_is_refused(tmp_path):
    edges = table(3000, 400)
    with pytest.raises(MemoryError, match=r"memory must be at least 1..,... bytes for a graph of"):
        Graph.from_arrow(edges, memory="100KiB")
    with pytest.raises(ValueError, match="memory cannot be given with edge_columns or vertices"):
        Graph.from_arrow(edges, memory="2MiB", edge_columns=True)
    with pytest.raises(ValueError, match="'target' must not have missing values, got one in row 1"):
        Graph.from_arrow(pa.table({"source": ["a", "b"], "target": ["b", None]}), memory="2MiB")
    with pytest.raises(TypeError, match="both hold strings or both hold integers"):
        Graph.from_arrow(pa.table({"source": ["a"], "target": [1]}), memory="2MiB")
    with pytest.raises(ValueError, match="memory must be a number of bytes"):
        Graph.from_arrow(edges, memory="much")
    path = tmp_path / "edges.parquet"
    pq.write_table(edges, path)
    for name, value in (("num_vertices", 9), ("labels", True), ("edge_columns", True)):
        with pytest.raises(ValueError, match=f"memory cannot be given with {name}"):
            ew.read(path, memory="2MiB", **{name: value})
    pq.write_table(pa.table({"source": [1], "target": [2]}), path)
    with pytest.raises(ValueError, match="'source' holds integers"):
        ew.read(path, memory="2MiB")


def test_labels_in_arrow():
    names = ["", "a", "b", "ä", "\U0001f600"]
    labels = TextLabels(pa.chunked_array([names[:2], names[2:]], pa.large_string()))
    assert labels == Labels(names) and Labels(names) == labels and len(labels) == 5
    assert labels.vertex(names).tolist() == [0, 1, 2, 3, 4] and labels.vertex("ä") == 3
    assert labels.label(np.array([4, 0])).tolist() == ["\U0001f600", ""]
    for wrong in ("c", 1):
        with pytest.raises(ValueError, match="label must be one of the graph's labels"):
            labels.vertex(wrong)
    import pickle

    assert pickle.loads(pickle.dumps(labels)) == labels


@pytest.mark.slow
def test_the_limit_is_kept(tmp_path):
    """5 million edges between UUIDs within 256 MiB, by the peak of the resident memory."""
    path, rng = tmp_path / "edges.parquet", np.random.default_rng(1)
    raw = rng.integers(0, 256, (500_000, 16), np.uint8)
    text = ["-".join((h[:8], h[8:12], h[12:16], h[16:20], h[20:]))
            for h in (one.tobytes().hex() for one in raw)]  # fmt: skip
    names, schema = pa.array(text), pa.schema({"source": pa.string(), "target": pa.string()})
    with pq.ParquetWriter(path, schema, use_dictionary=False) as writer:
        for _ in range(10):
            ends = [names.take(pa.array(rng.integers(0, len(names), 500_000))) for _ in "st"]
            writer.write_table(pa.table(ends, schema=schema), 100_000)
    program = f"""
        import resource, edgewise as ew, pyarrow.parquet
        ew.Graph.from_edges(["a"], ["b"])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        graph = ew.read({str(path)!r}, memory="256MiB", directed=True)
        assert graph.num_vertices == 500_000, graph
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) * 1024 < 256 << 20
