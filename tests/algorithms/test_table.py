"""The table of algorithms: every row leads to a function that keeps the rules, and to its page."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import networkx as nx
import pytest

import edgewise
from edgewise.algorithms import ALGORITHMS

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "algorithms.md"
TESTS = Path(__file__).parent
ROWS = [row for row in ALGORITHMS.values() if "." not in row.name]
#: Those that are public in their family's module alone, and have a page of their own.
FAMILIES = [row for row in ALGORITHMS.values() if "." in row.name]

KIND = {"paths": "Paths(distance, parent)", "vertices": "per vertex", "edges": "per edge",
        "members": "a vertex per vertex", "number": "one number", "subgraph": "a graph",
        "cliques": "lists of vertices", "by degree": "a number per degree",
        "walks": "a row per walk",
        "distances": "a column per source", "series": "a number per hop",
        "square": "a number per pair", "neighborhoods": "Neighborhoods(sources, ...)",
        "matches": "Matches(total, vertices)",
        "counts": "a number per kind",
        "selection": "Selection(edges", "contraction": "Contraction(graph, vertices)",
        "flow": "MaximumFlow(value, flow, side)", "cut": "MinimumCut(value, side)",
        "bipartition": "Bipartition(sides, cycle)",
        "scores": "per vertex"}  # fmt: skip
#: What an algorithm may need after the graph.
GIVEN = ("source", "sources", "seeds", "pattern", "values", "b", "communities", "members", "k")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_page_lists_it(row):
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith(f"| `{row.name}` |")]
    assert len(lines) == 1, f"docs/algorithms.md must have one row for {row.name}"
    assert KIND[row.returns] in lines[0] and row.reference in lines[0]
    assert row.networkx is None or f"| `{row.networkx}` |" in lines[0]
    assert ("source" in row.needs) == ("a source" in lines[0])
    assert ("undirected" in row.needs) == ("an undirected graph" in lines[0])


def test_the_page_lists_nothing_else():
    table = PAGE.read_text().partition("\n\nBelow,")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [row.name for row in ROWS]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_page_shows_its_signature(row):
    """Names and defaults of a signature on the page are those of the function."""
    text = " ".join(PAGE.read_text().split())
    assert f"`{row.name}" in text.partition("Below,")[2], f"no section about {row.name}"
    shown = re.search(rf"`{row.name}(\(graph[^`]*\))`", text)
    if shown:
        signature = inspect.signature(row.load())
        plain = [p.replace(annotation=inspect.Parameter.empty) for p in
                 signature.parameters.values()]  # fmt: skip
        bare = signature.replace(parameters=plain, return_annotation=inspect.Signature.empty)
        assert shown[1] == str(bare)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_it_is_public_documented_and_tested(row):
    function = row.load()
    assert getattr(edgewise, row.name) is function and function.__name__ == row.name
    assert ">>> " in function.__doc__
    assert row.module.split(".")[0] == row.family
    assert (TESTS / f"test_{row.module.rpartition('.')[2]}.py").exists()
    assert row.networkx is None or hasattr(nx, row.networkx)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_parameters_follow_the_rules(row):
    parameters = list(inspect.signature(row.load()).parameters.values())
    positional = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    assert positional == ["graph", *(name for name in GIVEN if name in row.needs)]
    names = {p.name for p in parameters}
    assert ("weights" in row.needs) == ("weights" in names)
    assert ("seed" in row.needs) == ("seed" in names)


@pytest.mark.parametrize("row", FAMILIES, ids=lambda row: row.name)
def test_it_is_public_in_its_family(row):
    family, _, name = row.name.partition(".")
    function = row.load()
    assert getattr(getattr(edgewise, family), name) is function and function.__name__ == name
    assert getattr(edgewise, name, None) is not function
    assert ">>> " in function.__doc__ and row.family == family
    assert (TESTS / family / f"test_{row.module.rpartition('.')[2]}.py").exists()
    bipartite = nx.algorithms.bipartite
    assert row.networkx is None or hasattr(nx, row.networkx) or hasattr(bipartite, row.networkx)
    page = (DOCS / f"{family}.md").read_text()
    assert f"`{name}`" in page, f"docs/{family}.md says nothing about {name}"
    assert f"| {row.reference} |" in page


@pytest.mark.parametrize("row", FAMILIES, ids=lambda row: row.name)
def test_parameters_of_a_family_follow_the_rules(row):
    parameters = list(inspect.signature(row.load()).parameters.values())
    positional = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    start = ["order"] if row.name == "ordering.refine" else []  # as of all that take an order
    assert positional == ["graph", *(name for name in GIVEN if name in row.needs), *start]
    names = {p.name for p in parameters}
    assert ("weights" in row.needs) == ("weights" in names)
    assert ("seed" in row.needs) == ("seed" in names)
