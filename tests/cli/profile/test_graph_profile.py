"""`edgewise.profile`: the numbers of the command, and the report inline."""

from __future__ import annotations

import json

import networkx as nx
import pytest

import edgewise as ew
from tests.cli.pages import check_page


@pytest.fixture(scope="module")
def club():
    return ew.profile(ew.generators.karate_club(), name="<club>")


def test_the_command_has_the_same_numbers(club, edgewise, tmp_path):
    path = tmp_path / "club.ew"
    ew.write(ew.generators.karate_club(), path)
    done = edgewise("profile", path, "--json")
    assert done.code == 0, done.err
    command = json.loads(done.out)
    function = json.loads(json.dumps(club))
    assert function.keys() <= command.keys()
    for part in function.keys() - {"timings"}:
        assert function[part] == command[part], part
    assert function["timings"].keys() == command["timings"].keys() - {"reading"}


def test_it_is_a_dict_with_a_report(club, tmp_path):
    assert club["sizes"]["vertices"] == 34 and club["triangles"]["total"] == 45
    assert repr(club).startswith("Profile('<club>', 34 vertices, 78 edges: sizes, degrees")
    assert "Highest PageRank" in str(club) and "\x1b" not in str(club)
    club.write(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    check_page(page, 5)
    assert page == club.to_html() and "<club>" not in page


def test_a_notebook_shows_the_report_with_a_style_of_its_own(club):
    text = club._repr_html_()
    assert text.count("<svg") == club.to_html().count("<svg") > 0
    assert ":root" not in text and "\nbody" not in text and "<html" not in text
    style = text[text.index("<style>") : text.index("</style>")]
    assert style.startswith("<style>.edgewise-report {")
    assert style.count("{") == style.count("}")
    assert "&lt;club&gt;" in text and "<club>" not in text


def test_arguments_and_other_graphs():
    found = ew.profile(nx.path_graph(5), top=2, samples=3, seed=1)
    assert found["sizes"]["edges"] == 4 and len(found["ranks"]["top"]) == 2
    graph = ew.Graph.from_edges([0, 1, 2], [1, 2, 0], [1.0, 2.0, 3.0], directed=True)
    assert not ew.profile(graph)["ranks"]["weighted"]
    assert ew.profile(graph, weights="weight")["ranks"]["weighted"]
    assert ew.profile(graph, weights=[5.0, 5.0, 1.0])["ranks"]["weighted"]
    with pytest.raises(ValueError, match="samples must be"):
        ew.profile(graph, samples=0)
    with pytest.raises(ValueError, match="top must be"):
        ew.profile(graph, top=-1)
    with pytest.raises(TypeError, match="graph must be a Graph"):
        ew.profile("file.csv")
