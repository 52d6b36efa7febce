"""CSV files with columns of edges onto a grid: the graph and the types of `edgewise.read`."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import edgewise as ew
from edgewise.distributed import Grid, read
from edgewise.distributed.comm import RankError
from edgewise.distributed.csv_read import _ladder
from edgewise.distributed.output import collect
from edgewise.distributed.rank_threads import run_threads
from tests.tiers import later

SHAPES = pytest.mark.parametrize("shape", [(2, 3), later((1, 1)), later((1, 2))])
#: Values that change their type in the middle of a file, each in half of its lines.
CHANGES = [
    ("1", "2.5"), ("1", "x"), ("true", "no"), ("", "7"), ("10:30:00", "3"), ("2020-02-29", "1"),
    ("2020-02-29", "2021-01-01 10:00:00"), ("1", "true"), ("NA", ""), ("NA", "x"),
    ("2020-01-01 00:00:00", "2020-01-01 00:00:00.5"),
    ("2020-01-01 00:00:00Z", "2020-01-01 00:00:00"),
]  # fmt: skip


def write(path, *, titles="u,v,km,line", step=1, start=0):
    rng = np.random.default_rng(5)
    ends = start + step * rng.integers(0, 40, (150, 2))
    rows = [f'{u},{v},{i % 9},"a, {i % 7}"' for i, (u, v) in enumerate(ends.tolist())]
    path.write_text("\n".join([titles, *rows]) + "\n")


def on_grid(path, shape, **options):
    def program(comm):
        return collect(read(path, grid=Grid(comm, shape), **options))

    return run_threads(program, shape[0] * shape[1])[0]


def check(path, shape, **options):
    expected, found = ew.read(path, **options), on_grid(path, shape, **options)
    assert found == expected  # also the columns and their types
    assert found.columns.edges.schema == expected.columns.edges.schema
    return found


@SHAPES
@pytest.mark.parametrize("options", [
    {}, {"directed": True}, {"ids": "as_is"}, {"num_vertices": 60}, {"columns": ("v", "u", "km")},
    {"columns": ("u", "v", "km"), "duplicates": "max", "self_loops": "drop"},
], ids=str)  # fmt: skip
def test_ranks_read_what_one_device_reads(tmp_path, shape, options):
    write(tmp_path / "edges.csv")
    found = check(tmp_path / "edges.csv", shape, edge_columns=True, **options)
    assert found.edges["line"][0].startswith("a, ")
    check(tmp_path / "edges.csv", shape, edge_columns=["line"], **options)


@SHAPES
def test_ids_with_gaps_and_weights_by_name(tmp_path, shape):
    path = tmp_path / "edges.csv"
    write(path, start=5, step=3)
    found = check(path, shape, edge_columns="km")
    assert found.label(1) == 8

    def program(comm):
        graph = read(path, grid=Grid(comm, shape), edge_columns=["km", "line"])
        return ew.sssp(graph, graph.vertex(5), weights="km").distance.gather()

    one = ew.read(path, edge_columns=True)
    expected = ew.sssp(one, one.vertex(5), weights="km").distance
    assert run_threads(program, shape[0] * shape[1])[0].tolist() == expected.tolist()


@SHAPES
@pytest.mark.parametrize("half", [0, 1])
def test_ranks_agree_on_types(tmp_path, shape, half):
    titles = ["u", "v", *(f"x{k}" for k in range(len(CHANGES)))]
    rows = [[f"{i}", f"{i + 1}", *(one[i // 30 ^ half] for one in CHANGES)] for i in range(60)]
    (tmp_path / "edges.csv").write_text("\n".join(map(",".join, [titles, *rows])))
    found = check(tmp_path / "edges.csv", shape, edge_columns=True)
    kinds = {*map(str, found.columns.edges.schema.types)}
    assert {"double", "string", "bool", "int64", "null", "timestamp[s]", "timestamp[ns]"} <= kinds


def test_the_order_of_types_is_that_of_arrow():
    from pyarrow import csv

    samples = ["", "1", "true", "2020-02-29", "10:30:00", "2020-02-29 10:30:00",
               "2020-02-29 10:30:00.5", "2020-02-29 10:30:00Z", "2020-02-29 10:30:00.5Z", "1.5",
               "x"]  # fmt: skip
    kinds = [str(csv.read_csv(pa.py_buffer(f"a,b\n{one},1\n".encode())).schema.types[0])
             for one in samples]  # fmt: skip
    assert kinds == [*_ladder()]


def test_few_lines_and_none(tmp_path):
    path = tmp_path / "edges.csv"
    path.write_text("u,v,x\n3,4,\n4,5,1.5\n\n")
    check(path, (2, 3), edge_columns=True)
    path.write_text("u,v,x\n")
    found = on_grid(path, (1, 2), edge_columns=True)
    assert found.num_vertices == 0 and found.num_edges == 0


def test_wrong_files(tmp_path):
    path = tmp_path / "edges.csv"

    def refused(text, message, **options):
        path.write_text(text)
        for shape, error in (((1, 1), ValueError), ((2, 2), RankError)):
            with pytest.raises(error, match=message):
                on_grid(path, shape, edge_columns=True, **options)

    lines = "".join(f"{i},{i + 1},x\n" for i in range(40))
    refused(f'u,v,x\n{lines}3,4,"a\nb"\n', "CSV with line ends in quotes cannot be cut")
    refused(f"u,v,x\n{lines}3,4,x,9\n", "Expected 3 columns, got 4")
    refused(f"u,v,x\n{lines},4,x\n", "column 'u' must not have missing values")
    refused(f"u,v,x\n{lines}a,4,x\n", "column 'u' holds names of vertices; a grid takes whole")
    path.write_bytes(f"u,v,x\n{lines}1,2,".encode() + b"\x80\n")
    with pytest.raises(RankError, match="column 'x' is no text: Arrow finds binary"):
        on_grid(path, (1, 2), edge_columns=True)
    path.write_text(f"u,v,x\n{lines}")
    with pytest.raises(RankError, match="edge_columns must name columns of the table"):
        on_grid(path, (1, 2), edge_columns=["y"])
    with pytest.warns(UserWarning, match="1 "):
        path.write_text(f"u,v,x\n{lines}3,4,x,9\n")
        found = on_grid(path, (1, 2), edge_columns=True, on_bad_line="skip")
    assert found.num_edges == 40


@SHAPES
def test_the_column_of_the_direction_is_no_data(tmp_path, shape):
    path = tmp_path / "edges.csv"
    path.write_text("source,target,km,type\n" + "0,1,5,directed\n2,1,6,directed\n" * 3)
    found = check(path, shape, edge_columns=True)
    assert found.directed and found.columns.edges.column_names == ["km"]
