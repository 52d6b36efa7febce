"""Programs beside our primitives: what they are given, and what is taken from them."""

from __future__ import annotations

import sys
from textwrap import dedent

from benchmarks import primitives

PROGRAM = """
    import sys, edgewise
    row, path = sys.argv[1:]
    graph = edgewise.read(path)
    if row == "core_number":
        sys.exit("not here")
    print("edges", graph.num_edges, "directed", graph.directed)
    print("time:", graph.num_edges + graph.directed / 2)
"""


def test_programs_are_given_the_graph(monkeypatch, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(dedent(PROGRAM))
    monkeypatch.setenv("EDGEWISE_PRIMITIVES", f"Peer={sys.executable} {program}")
    monkeypatch.setenv("EDGEWISE_BENCHMARKS_DATA", str(tmp_path / "data"))
    for name, half in {"kron8": 0.0, "kron8-directed": 0.5}.items():
        edges = primitives.graph_of(name).num_edges
        found = list(primitives._programs("strongly_connected_components", name))
        assert found == [("Peer", [edges + half])]
    assert list(primitives._programs("core_number", "kron8")) == []
