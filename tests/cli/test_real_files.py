"""What a newcomer reads off the first screen of ``info``: published files, without any option."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

GRAPHS = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "graphs"

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not GRAPHS.exists(), reason="the shared data is not beside this checkout"),
]

SAID = {
    "wiki-Vote.txt.gz": {
        "vertices": 7115, "edges": 103689, "directed": True,
        "ids": {"low": 3, "high": 8297, "missing": 1180},
        "max_out_degree": 893, "max_in_degree": 457,
    },
    "com-dblp.csv.gz": {
        "vertices": 317080, "edges": 1049866, "directed": False,
        "ids": {"low": 0, "high": 425956, "missing": 108877},
    },
    "email-Enron.txt.gz": {"vertices": 36692, "edges": 183831},
    "cal-road.cedge.gz": {"vertices": 21048, "edges": 21693, "max_degree": 8},
    "rome99.gr": {
        "vertices": 3353, "edges": 4444, "directed": True,
        "ids": {"low": 1, "high": 3353, "missing": 0},
    },
    "4elt.graph.gz": {"vertices": 15606, "edges": 45878},
    "ego-twitter-weighted.csv.gz": {
        "vertices": 81306, "edges": 1342296, "ids": {"low": 1, "high": 81306, "missing": 0},
    },
    "soc-sign-bitcoinotc.csv.gz": {"vertices": 5881},
    "p2p-31.e.gz": {"vertices": 62586, "edges": 147892, "weights": None},
    "cond-mat-2005.weighted.txt.gz": {"vertices": 39577, "edges": 175693},
}  # fmt: skip
NOTES = {
    "wiki-Vote.txt.gz": ["directed, as the comment '# Directed graph"],
    "email-Enron.txt.gz": ["line 1 (36692 367662) is read as the numbers", "183,831 of 367,662"],
    "soc-sign-bitcoinotc.csv.gz": [
        "column 'timestamp' was not read", "14,100 of 35,592 lines", "the weights of lines",
    ],
    "ego-twitter-weighted.csv.gz": [
        "425,839 of 1,768,135 lines repeat an edge, in either direction; --directed tells",
        "the weights of lines that repeat an edge are added up (425,839 of 1,768,135); --dup",
    ],
    "p2p-31.e.gz": ["column 3 was not read; --weight 3"],
    "cond-mat-2005.weighted.txt.gz": ["column 3 was not read; --weight 3"],
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_info(edgewise, name):
    done = edgewise("info", GRAPHS / name, "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert {key: found[key] for key in SAID[name]} == SAID[name]
    told = [note["text"] for note in found["notes"]]
    assert len(told) == len(NOTES.get(name, []))
    for text, start in zip(told, NOTES.get(name, []), strict=True):
        assert text.startswith(start)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("luxembourg_osm.mtx.gz", "--format edges reads a file without banner"),
        ("PP-Pathways_ppi.csv.gz", "line 8101: expected 2 columns, found 1 (--on-bad-line skip"),
    ],
)
def test_broken_files_come_with_a_way_out(edgewise, name, hint):
    done = edgewise("info", GRAPHS / name)
    assert done.code == 1
    assert hint in done.err


def test_the_first_vertex_of_a_dimacs_file_is_its_vertex_1(edgewise, tmp_path):
    done = edgewise("run", "sssp", GRAPHS / "rome99.gr", "--source", 1, "-o", "-")
    assert done.out.startswith("vertex,distance,parent\n1,0,1\n2,193,1\n"), done.err
