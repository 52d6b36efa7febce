"""Examples and pages do what they say: every program and every block of Python is executed.

The blocks of a page run in order in one namespace; a comment behind a ``print`` is what it prints.
Blocks in the form of a session (``>>>``) are doctests, which pytest runs by itself.
"""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest

import edgewise as ew

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = sorted((ROOT / "examples").glob("*.py"))
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = {
    path: blocks
    for path in sorted((ROOT / "docs").rglob("*.md"))
    if (blocks := [found for found in BLOCK.finditer(path.read_text()) if ">>>" not in found[1]])
}


#: Examples whose algorithms have tests of their own, and compile much.
LONG = {"cluster_points.py", "epidemic.py", "viral_marketing.py", "who_to_follow.py"}
#: Examples that need a package which the tests do not install.
NEEDS = {"graph_kernels.py": "sklearn", "graph_learning.py": "torch"}


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(path, id=path.name, marks=[pytest.mark.slow] * (path.name in LONG))
        for path in PROGRAMS
    ],
)
def test_examples_check_themselves(program, capsys, monkeypatch):
    if program.name in NEEDS:
        pytest.importorskip(NEEDS[program.name])
    monkeypatch.setattr(sys, "argv", [str(program)])
    runpy.run_path(str(program), run_name="__main__")
    assert capsys.readouterr().out.strip(), "an example says what it found"


def test_an_epidemic_is_drawn(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    example = runpy.run_path(str(ROOT / "examples" / "epidemic.py"))
    course = ew.influence.simulate(ew.generators.cycle(9), 0, model="sir", probability=0.5, runs=64)
    example["draw"](dict.fromkeys(example["STRATEGIES"], course), tmp_path / "picture.svg")
    assert "<svg" in (tmp_path / "picture.svg").read_text()


def test_a_shortest_path_algorithm_takes_at_most_ten_lines():
    text = (ROOT / "examples" / "own_sssp.py").read_text()
    body = text[text.index("def sssp") : text.index("def dijkstra")].splitlines()
    code = [line for line in body if line.strip() and '"""' not in line]
    assert len(code) <= 10


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_pages_do_what_they_say(page, capsys):
    text = page.read_text()
    if "import torch" in text:
        pytest.importorskip("torch")
    names: dict = {"__name__": page.stem}
    for block in PAGES[page]:
        first = text[: block.start(1)].count("\n")
        exec(compile("\n" * first + block[1], str(page), "exec"), names)
        said = re.findall(r"^ *print\(.*\)  # (.*)$", block[1], re.MULTILINE)
        assert capsys.readouterr().out.splitlines() == said
