"""The report and the command that writes it: complete, well-formed, self-contained, escaped."""

from __future__ import annotations

import json

import pytest

from edgewise.cli.profile import measure
from edgewise.cli.profile.report import html_report
from edgewise.cli.report.svg import Scale, short
from edgewise.generators import grid_2d, rmat
from edgewise.graph import Graph
from tests.cli.pages import Page, check_page


@pytest.mark.parametrize(
    ("graph", "pictures"),
    [
        (rmat(8, seed=1), 5),
        (rmat(8, directed=True, seed=1), 5),
        (grid_2d(40, 40), 5),
        (Graph.from_edges([], [], num_vertices=0), 0),
        (Graph.from_edges([], [], num_vertices=5), 2),
        (Graph.from_edges([0, 1, 2], [1, 2, 2], [-1.0, 2.0, 0.5]), 5),
    ],
    ids=["rmat", "directed", "grid", "empty", "isolated", "tiny"],
)
def test_page_is_well_formed(graph, pictures):
    check_page(html_report(measure(graph), "name"), pictures)


def test_text_is_escaped():
    bad = '<script>alert("1")</script>'
    graph = Graph.from_edges([bad, "b"], ["b", "c"])
    text = html_report(measure(graph), f"{bad}.csv")
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    Page(text)


def test_command_writes_page_and_tables(edgewise, barbell, tmp_path):
    page = tmp_path / "report.html"
    done = edgewise("profile", barbell, "--report", page)
    assert done.code == 0, done.err
    assert f"The report is in {page}" in done.out
    for word in ("Degrees", "Components", "effective diameter", "triangles", "degeneracy"):
        assert word in done.out
    assert "barbell.ew" in page.read_text()
    assert done.err == ""


def test_command_prints_json(edgewise, friends):
    done = edgewise("profile", friends, "--json", "--top", 2, "--directed")
    found = json.loads(done.out)
    assert found["sizes"]["vertices"] == 4
    assert found["sizes"]["labeled"]
    assert len(found["ranks"]["top"]) == 2
    assert {row["vertex"] for row in found["ranks"]["top"]} <= {"ann", "bob", "cat", "dan"}
    assert list(found["timings"])[:2] == ["reading", "preparing"]


def test_demo_says_where_the_report_is(edgewise, tmp_path):
    page = tmp_path / "demo.html"
    done = edgewise("demo", "--scale", 8, "--report", page)
    assert done.code == 0, done.err
    assert done.out.rstrip().endswith(str(page))
    assert "R-MAT graph of scale 8" in page.read_text()


def test_scales():
    scale = Scale.around([3, 4000], log=True)
    assert (scale.low, scale.high) == (1, 10000)
    assert scale(1) == 0
    assert scale(100) == pytest.approx(0.5)
    assert [text for _, text in scale.ticks()] == ["1", "10", "100", "1k", "10k"]
    assert Scale.around([0, 66.7]).ticks()[-1] == (80, "80")
    assert Scale.around([5, 5], log=True).ticks()[0][0] == 1
    assert [text for _, text in Scale.around([0, 0.3]).ticks()][1] == "0.1"
    assert short(1.5e-7) == "1.5·10⁻⁷"
