"""``edgewise info``, and that it says what ``edgewise profile`` says."""

from __future__ import annotations

import json

import pytest

import edgewise as ew
from edgewise.cli.describe import say_ids
from edgewise.graph import Graph


@pytest.fixture(params=[False, True], ids=["undirected", "directed"])
def loops(request, tmp_path):
    """A graph with loops, gaps in its ids, and weights."""
    path = tmp_path / "loops.parquet"
    graph = Graph.from_edges(
        [2, 2, 5, 9, 9], [2, 5, 9, 9, 2], [1.5, 2.0, 3.0, 4.0, 5.0],
        labels=True, directed=request.param,
    )  # fmt: skip
    ew.write(graph, path)
    return path


def test_info_and_profile_agree(edgewise, loops):
    info = json.loads(edgewise("info", loops, "--json").out)
    profile = json.loads(edgewise("profile", loops, "--json").out)
    sizes, degrees = profile["sizes"], profile["degrees"]
    for key in ("vertices", "edges", "directed", "self_loops", "mean_degree", "ids", "weights"):
        assert info[key] == sizes[key], key
    assert info["mean_degree"] == pytest.approx(next(iter(degrees.values()))["mean"])
    if info["directed"]:
        assert info["max_in_degree"] == degrees["in"]["max"] == 2
        assert info["max_out_degree"] == degrees["out"]["max"] == 2
        assert "max_degree" not in info
    else:
        assert info["max_degree"] == degrees["degree"]["max"] == 4  # loops count twice
        assert info["mean_degree"] == 2 * 5 / 3
    assert info["ids"] == {"low": 2, "high": 9, "missing": 5}
    assert info["weights"]["mean"] == pytest.approx(15.5 / 5)


def test_info_in_words(edgewise, loops):
    said = " ".join(edgewise("info", loops).out.split())
    assert "ids 2 to 9; 5 of them do not occur" in said
    assert "weights 1.5 to 5, mean 3.1 (float64)" in said
    directed = "directed yes" in said
    assert ("max in-degree 2" in said) == directed
    assert ("mean in/out-degree 1.667" in said) == directed
    assert ("max degree 4" in said) != directed


def test_ids_in_words():
    assert say_ids({"low": 1, "high": 425957, "missing": 108877}, 317080) == (
        "1 to 425,957; 108,877 of them do not occur"
    )
    assert say_ids({"low": 0, "high": 5, "missing": 1}, 5) == "0 to 5; 1 of them does not occur"
    assert say_ids({"names": []}, 0) == "–"
