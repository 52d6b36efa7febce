"""Parquet and Arrow tables: foreign files, round trips, missing values, mangled files."""

import json
import zlib

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, ipc, parquet

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io import read, write

SUFFIXES = [".parquet", ".arrow", ".feather"]


@pytest.fixture(params=SUFFIXES)
def path(request, tmp_path):
    return tmp_path / f"graph{request.param}"


def save(path, columns, metadata=None):
    """A table in the way that Arrow users write it."""
    table = pa.table(columns, metadata=metadata)
    if path.suffix == ".parquet":
        parquet.write_table(table, path)
    elif path.suffix == ".feather":
        feather.write_feather(table, path)
    else:
        with ipc.new_file(path, table.schema) as writer:
            writer.write_table(table)
    return path


@pytest.mark.filterwarnings("ignore:.*column 'other' was not read")
def test_reads_foreign_tables(path):
    save(path, {"source": [0, 1, 3], "other": ["x", "y", None], "target": [1, 2, 2]})
    graph = read(path)
    assert not graph.directed and graph.labels is None and graph.weights is None
    assert graph.num_vertices == 4 and graph.num_edges == 3
    assert read(path, directed=True).num_arcs == 3
    assert read(path, num_vertices=9).num_vertices == 9


def test_weights_and_chosen_columns(path):
    columns = {
        "dst": [1, 2],
        "w": pa.array([0.5, 2.0], pa.float32()),
        "src": [0, 1],
        "cost": [3, 4],
    }
    save(path, columns)
    graph = read(path, columns=("src", "dst", "w"), directed=True)
    assert graph.weights.tolist() == [0.5, 2.0] and graph.weights.dtype == np.float32
    assert read(path, columns=("src", "dst", "cost"), directed=True).weights.dtype == np.int64
    assert read(path, columns=["dst", "src"], directed=True).indptr.tolist() == [0, 0, 1, 2]


def test_usual_titles_and_columns_left_out(path):
    save(path, {"day": ["mon"], "From": ["ann"], "To": ["bob"], "km": [2.5], "__index__": [0]})
    with pytest.warns(UserWarning, match="columns 'day', 'km' were not read") as caught:
        graph = read(path, directed=True)
    assert "columns=('From', 'To', 'km') takes it as the weight" in str(caught[0].message)
    assert graph.label(0) == "ann" and graph.has_edge("ann", "bob") and graph.weights is None
    graph = read(path, columns=(None, None, "km"))
    assert graph.weights.tolist() == [2.5, 2.5]
    save(path, {"source": [0], "target": [1], "Weight": [7]})
    assert read(path).weights.tolist() == [7, 7]


def test_weight_column_is_used_by_default(path):
    save(path, {"source": [0, 1], "target": [1, 2], "weight": [5, 6]})
    assert read(path, directed=True).weights.tolist() == [5, 6]
    assert read(path, columns=("source", "target")).weights is None


def test_string_ids_and_sparse_integers_become_labels(path):
    save(path, {"source": ["b", "a"], "target": ["a", "c"]})
    graph = read(path, directed=True)
    assert graph.labels.values.tolist() == ["a", "b", "c"] and graph.indices.tolist() == [2, 0]
    save(path, {"source": [10**12, 7], "target": [7, -3]})
    graph = read(path, directed=True)
    assert graph.labels.values.tolist() == [-3, 7, 10**12] and graph.indices.tolist() == [0, 1]


def test_categories_are_labels(path):
    save(path, {"source": pa.array(["b", "a"]).dictionary_encode(), "target": ["a", "c"]})
    assert read(path).labels.values.tolist() == ["a", "b", "c"]


@pytest.mark.filterwarnings("ignore:.* repeat an edge")
def test_choices_for_duplicates_and_loops(path):
    save(path, {"source": [0, 1, 1], "target": [1, 0, 1], "weight": [1, 5, 9]})
    assert read(path).weights.tolist() == [6, 6, 9]
    assert read(path, duplicates="max", self_loops="drop").weights.tolist() == [5, 5]
    with pytest.raises(FileFormatError, match="more than once"):
        read(path, duplicates="raise")


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dtype", [None, np.float32, np.float64, np.int32, np.int64])
def test_round_trip(path, random_graph, directed, dtype):
    graph = random_graph(directed=directed, dtype=dtype)
    write(graph, path)
    copy = read(path)
    assert copy == graph and copy.labels is None
    assert dtype is None or copy.weights.dtype == dtype


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_compressed_round_trip(path, random_graph, suffix):
    graph = random_graph(directed=True, dtype=np.int32)
    packed = path.with_name(path.name + suffix)
    write(graph, packed)
    assert read(packed) == graph


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(
    "labels", [[-5, 3, 7, 2**40], np.array([1, 2, 3, 2**64 - 1], np.uint64), ["", "b", "grün", "z"]]
)
def test_labeled_round_trip_keeps_isolated_vertices(path, directed, labels):
    graph = Graph.from_edges([0, 3, 3], [3, 3, 0], directed=directed, num_vertices=4)
    graph = graph.with_labels(Labels(labels))
    write(graph, path)
    copy = read(path)
    assert copy == graph and copy.labels == graph.labels
    ends = parquet.read_table(path) if path.suffix == ".parquet" else feather.read_table(path)
    assert set(ends["source"].to_pylist()) <= set(graph.labels.values.tolist())


@pytest.mark.parametrize("labels", [["z", "a"], [2**40, 3], np.array([2**63, 1], np.uint64)])
def test_labels_keep_their_order(path, labels):
    graph = Graph.from_edges([0], [1], [2.5], directed=True).with_labels(Labels(labels))
    write(graph, path)
    assert read(path) == graph


def test_labels_are_numbered_in_ascending_order(path):
    import pyarrow
    from pyarrow import feather, parquet

    table = pyarrow.table({"source": ["z", "b"], "target": ["b", "a"]})
    (parquet.write_table if path.suffix == ".parquet" else feather.write_feather)(table, path)
    assert read(path).labels.values.tolist() == ["a", "b", "z"]


def test_consecutive_labels_take_no_memory(path):
    graph = Graph.from_edges([0], [2], num_vertices=4).with_labels(Labels.range(7, 4))
    write(graph, path)
    assert read(path) == graph and read(path).labels.range_start == 7


@pytest.mark.parametrize("n", [0, 1, 4])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("labels", [None, [3, 1, 2, 0], list("dcba")])
def test_graphs_without_edges(path, n, directed, labels):
    graph = Graph.from_edges([], [], directed=directed, num_vertices=n)
    if labels is not None:
        graph = graph.with_labels(Labels(sorted(labels[:n])))
    write(graph, path)
    copy = read(path)
    assert copy == graph and copy.labels == graph.labels


def test_options_come_before_the_note(path):
    write(Graph.from_edges([0, 1], [1, 2], directed=True, num_vertices=5), path)
    assert read(path, directed=False).num_arcs == 4
    assert read(path, num_vertices=7).num_vertices == 7
    assert read(path, labels=True).labels.values.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"source": [0, None], "target": [1, 2]}, "column 'source' has no value in row 1"),
        ({"source": [0, 1], "target": ["a", None]}, "column 'target' has no value in row 1"),
        (
            {"source": [0, 1], "target": [1, 2], "weight": [None, 1.0]},
            "column 'weight' has no value in row 0",
        ),
        ({"head": [0], "tail": [1]}, "no columns named 'source'; there are: head, tail"),
        ({"source": [0], "target": [1], "weight": ["heavy"]}, "real numbers"),
        ({"source": [[0]], "target": [[1]]}, "hashable"),
    ],
)
def test_malformed_tables(path, columns, reason):
    save(path, columns)
    with pytest.raises(FileFormatError, match=reason) as caught:
        read(path)
    assert caught.value.path == str(path)


def test_negative_ids_are_labels_unless_told_otherwise(path):
    save(path, {"source": [0, 1], "target": [-1, 0]})
    assert read(path).label([0, 1, 2]).tolist() == [-1, 0, 1]
    with pytest.raises(FileFormatError, match="must not be negative, got -1 at position 0"):
        read(path, ids="as_is")


def test_repeated_column_names(path):
    table = pa.Table.from_arrays([pa.array([0]), pa.array([1]), pa.array([1])], ["source"] * 3)
    save(path, table)
    with pytest.raises(FileFormatError, match="3 columns named 'source'"):
        read(path)


@pytest.mark.parametrize("columns", ["source", ("a",), ("a", "b", "c", "d"), (0, -1)])
def test_columns_must_be_names(path, columns):
    save(path, {"source": [0], "target": [1]})
    with pytest.raises(ValueError, match="columns must be the names"):
        read(path, columns=columns)


def test_columns_by_number(path):
    save(path, {"w": [7, 8], "payee": [0, 1], "payer": [1, 2]})
    graph = read(path, columns=(2, 1, 0), directed=True)
    assert graph.has_edge(1, 0) and graph.weights.tolist() == [7, 8]
    with pytest.raises(FileFormatError, match="there are only 3 columns: w, payee, payer"):
        read(path, columns=(0, 3))


def test_damaged_notes_are_not_believed(path):
    edges = {"source": [0], "target": [1]}
    content = json.dumps({"directed": True, "num_vertices": 10**15}).encode()
    for note in (content, content + b" 00000000", b"", b"\xff"):
        save(path, edges, {"edgewise": note})
        with pytest.raises(FileFormatError, match="damaged"):
            read(path)
    newer = b'{"epoch": 1}'
    save(path, edges, {"edgewise": b"%s %08x" % (newer, zlib.crc32(newer))})
    with pytest.raises(FileFormatError, match="another Edgewise"):
        read(path)


@pytest.mark.parametrize("content", [b"", b"0 1\n1 2\n", b"PAR1", b"PAR1PAR1", b"ARROW1\0\0" * 9])
def test_junk(path, content):
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match="not a"):
        read(path)


@pytest.mark.filterwarnings("ignore:.*not read")
def test_mangled_files_give_a_graph_or_an_error(path, mangled, check_graph, random_graph):
    graph = random_graph(directed=False, dtype=np.float64, n=20, m=30)
    write(graph.with_labels(Labels([f"v{i:02}" for i in range(20)])), path)
    refused = 0
    for junk in mangled(path.read_bytes(), 300):
        path.write_bytes(junk)
        try:
            check_graph(read(path))
        except FileFormatError:
            refused += 1
    assert refused > 50


def test_parquet_pages_have_checksums(tmp_path, random_graph):
    path = tmp_path / "graph.parquet"
    graph = random_graph(directed=False, dtype=np.float64)
    write(graph, path)
    content = path.read_bytes()
    refused = 0
    for place in range(60, 1500, 10):
        junk = bytearray(content)
        junk[place] ^= 4
        path.write_bytes(junk)
        try:
            assert read(path) == graph
        except FileFormatError:
            refused += 1
    assert refused > 100


def test_a_failing_write_leaves_the_old_file(path):
    path.write_bytes(b"old")
    with pytest.raises(ValueError, match="all integers or all strings"):
        write(Graph([0, 0], [], labels=Labels([(1, 2)])), path)
    assert path.read_bytes() == b"old" and list(path.parent.iterdir()) == [path]


def noted(path, **note):
    """A table of one edge with a note whose checksum is right."""
    text = note.pop("text", None) or json.dumps(note)
    content = text.encode()
    return save(
        path,
        {"source": [0], "target": [1]},
        {"edgewise": b"%s %08x" % (content, zlib.crc32(content))},
    )


@pytest.mark.parametrize(
    "note",
    [
        {"text": "[" * 100_000},
        {"text": '{"isolated": ' + "[" * 5000 + "]" * 5000 + "}"},
        {"text": "{"},
        {"text": "7"},
        {"text": '{"num_vertices": 1e400}'},
        {"text": '{"num_vertices": ' + "9" * 5000 + "}"},
        {"num_vertices": 2**70},
        {"num_vertices": -1},
        {"num_vertices": True},
        {"num_vertices": "7"},
        {"num_vertices": 0},
        {"directed": 2},
        {"labeled": None},
        {"labeled": True, "isolated": [2**70]},
        {"labeled": True, "isolated": [1.5]},
        {"labeled": True, "isolated": ["a"]},
        {"labeled": True, "isolated": [0, "a"]},
        {"labeled": True, "isolated": [[0]]},
        {"labeled": True, "isolated": {"0": 1}},
        {"labeled": True, "isolated": "abc"},
        {"labeled": True, "isolated": None},
    ],
)
def test_impossible_notes(path, note):
    noted(path, **note)
    with pytest.raises(FileFormatError) as error:
        read(path)
    assert str(path) in str(error.value)


def test_a_note_cannot_ask_for_more_than_the_file_can_hold(path):
    noted(path, num_vertices=2**31)
    with pytest.raises(FileFormatError, match="2147483648 vertices are declared, with only 1 edge"):
        read(path)
    noted(path, num_vertices=5_000_000)
    assert read(path, num_vertices=5_000_000).num_vertices == 5_000_000


def test_few_bytes_cannot_claim_many_rows(tmp_path):
    path = tmp_path / "long.parquet"
    column = pa.chunked_array([pa.array(np.zeros(1 << 20, np.int64))] * 64)
    parquet.write_table(pa.table({"source": column, "target": column}), path)
    assert path.stat().st_size < 1_000_000
    with pytest.raises(FileFormatError, match="67108864 rows take .* pass max_bytes="):
        read(path, max_bytes=10**9)
