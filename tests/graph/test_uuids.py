"""UUIDs as labels: every way in makes vertices that are found by the UUID and by its text."""

from __future__ import annotations

from decimal import Decimal
from uuid import UUID

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import edgewise as ew
from edgewise import Graph
from edgewise.graph.uuids import with_text

IDS = [UUID(int=k * 0x0123456789ABCDEF0123456789ABCDEF % 2**128) for k in range(1, 8)]
ENDS = [IDS[:-1], IDS[1:]]


def table():
    columns = [pa.array([one.bytes for one in ends], pa.uuid()) for ends in ENDS]
    return pa.table([*columns, columns[0]], ["source", "target", "route"])


def from_file(path, **options):
    parquet.write_table(table().drop_columns("route"), path / "ids.parquet")
    return ew.read(path / "ids.parquet", **options)


WAYS = {
    "read": lambda path: from_file(path),
    "read with memory": lambda path: from_file(path, memory="64MiB"),
    "from_arrow": lambda path: Graph.from_arrow(table()),
    "from_arrow with memory": lambda path: Graph.from_arrow(table().to_reader(), memory="64MiB"),
    "from_pandas": lambda path: Graph.from_pandas(pd.DataFrame({"u": ENDS[0], "v": ENDS[1]})),
    "from_edges": lambda path: Graph.from_edges(table()["source"], table()["target"]),
    "vertices": lambda path: Graph.from_arrow(table(), vertices=table().select(["source"])),
    "vertices of a file": lambda path: from_file(path, vertices=table().select(["source"])),
}


@pytest.mark.parametrize("way", WAYS)
def test_both_forms_find_a_vertex(way, tmp_path):
    graph = WAYS[way](tmp_path)
    assert graph.num_vertices == 7 and graph.num_edges == 6
    ids = graph.vertex(IDS)
    assert sorted(ids.tolist()) == [*range(7)]
    assert graph.vertex([str(one) for one in IDS]).tolist() == ids.tolist()
    assert graph.vertex(IDS[3]) == graph.vertex(str(IDS[3])) == ids[3]
    assert graph.degree(str(IDS[0])) == 1
    with pytest.raises(ValueError, match="label must be"):
        graph.vertex(UUID(int=5))


def test_text_of_slices_and_missing_values():
    column = pa.array([one.bytes for one in IDS[:3]] + [None], pa.uuid())
    known = [str(one) for one in IDS[:3]] + [None]
    assert with_text(column).to_pylist() == known
    assert with_text(column[1:]).to_pylist() == known[1:]
    assert with_text(pa.chunked_array([column[:1], column[2:]])).to_pylist() == [
        known[0], *known[2:]]  # fmt: skip
    assert with_text(column[:0]).to_pylist() == []
    assert with_text(IDS) is IDS


def test_columns_of_uuids(tmp_path):
    graph = Graph.from_arrow(table(), edge_columns=True)
    assert set(graph.edges["route"]) == {str(one) for one in IDS[:-1]}
    ew.write(graph, tmp_path / "ids.csv")
    again = ew.read(tmp_path / "ids.csv", edge_columns=True)
    assert again.edges["route"].tolist() == graph.edges["route"].tolist()


def test_weights_that_are_decimals():
    """DuckDB writes 1.5 as a decimal."""
    more = table().append_column("weight", pa.array([*map(Decimal, range(6))], pa.decimal128(4, 1)))
    limited = Graph.from_arrow(more, memory="64MiB")
    assert np.array_equal(limited.weights, Graph.from_arrow(more).weights)
