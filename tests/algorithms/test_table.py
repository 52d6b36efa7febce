"""The table of algorithms: every row leads to a function that keeps the rules, and has a test."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import networkx as nx
import pytest

import edgewise
from edgewise.algorithms import ALGORITHMS, NEEDS, RETURNS

TESTS = Path(__file__).parent
GUIDES = sorted((TESTS.parents[1] / "docs" / "guides").glob("*.md"))
ROWS = list(ALGORITHMS.values())
#: What an algorithm may need after the graph.
GIVEN = ("source", "target", "sources", "seeds", "pattern", "other", "vertex_weights", "b",
         "attribute", "communities", "vertices", "k", "colors", "parts", "coordinates")  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_guide_has_it_with_its_signature(row):
    """Names and defaults of a signature, where a guide has one, are those of the function."""
    text = " ".join(" ".join(page.read_text() for page in GUIDES).split())
    assert f"| `{row.name.rpartition('.')[2]}` |" in text
    shown = re.search(rf"`{row.name}(\(graph[^`]*\))`", text)
    if shown:
        signature = inspect.signature(row.load())
        plain = [p.replace(annotation=inspect.Parameter.empty) for p in
                 signature.parameters.values()]  # fmt: skip
        bare = signature.replace(parameters=plain, return_annotation=inspect.Signature.empty)
        assert shown[1] == str(bare)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_it_is_public_documented_and_tested(row):
    family, _, name = row.name.rpartition(".")
    function = row.load()
    home = getattr(edgewise, family) if family else edgewise
    assert getattr(home, name) is function and function.__name__ == name
    assert not family or getattr(edgewise, name, None) is not function
    assert ">>> " in function.__doc__
    assert family in ("", row.family)
    assert {*row.needs} <= {*NEEDS} and row.returns in RETURNS
    test = TESTS / family / f"test_{row.module.rpartition('.')[2]}.py"
    assert test.exists(), f"{row.name} needs a test file: {test}"
    theirs = (nx, nx.community, nx.algorithms.bipartite)
    assert row.networkx is None or any(hasattr(one, row.networkx) for one in theirs)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_parameters_follow_the_rules(row):
    parameters = list(inspect.signature(row.load()).parameters.values())
    positional = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    start = ["positions"] if row.name == "ordering.refine" else []  # as of all that take an order
    assert positional == ["graph", *(name for name in GIVEN if name in row.needs), *start]
    names = {p.name for p in parameters}
    assert ("weights" in row.needs) == ("weights" in names)
    assert ("seed" in row.needs) == ("seed" in names)
