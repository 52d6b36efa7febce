"""The notebooks run, and the outputs that are stored in them are those of today."""

from __future__ import annotations

import json

import pytest

from docs.notebooks import compared, notebooks, page, run

pytest.importorskip("networkx")
pytest.importorskip("pandas")

#: Notebooks that are run on smaller graphs than those whose outputs are stored.
SMALLER = {"million_vertices": {"EDGEWISE_NOTEBOOK_SCALE": "12"}}


def test_there_are_five_notebooks_of_a_modest_size():
    assert len(notebooks()) == 5
    for path in notebooks():
        assert path.stat().st_size < 400_000, path.name
        text = json.loads(path.read_text())
        code = [cell for cell in text["cells"] if cell["cell_type"] == "code"]
        assert all(cell["execution_count"] for cell in code), f"{path.name} was not run"
        shown = page(text, path.stem)
        assert shown.startswith("# ") and shown.count("```python") == len(code)


@pytest.mark.slow
@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_notebooks_run(path, monkeypatch):
    stored = json.loads(path.read_text())
    for name, value in SMALLER.get(path.stem, {}).items():
        monkeypatch.setenv(name, value)
    found = run(stored, path.stem)
    if path.stem not in SMALLER:
        assert compared(found) == compared(stored)


def test_the_last_value_and_what_is_printed_are_kept():
    cell = {"cell_type": "code", "metadata": {}, "source": ["print('a')\n", "x = 2\n", "x + 1"]}
    hidden = {**cell, "source": ["x;"]}
    varying = {**cell, "metadata": {"tags": ["varies"]}}
    made = run({"cells": [cell, hidden, varying]}, "made")
    assert compared(made) == [["a\n", "3"], []]
    assert "```text\n3\n```" in page(made, "made")


def test_errors_name_the_cell():
    cell = {"cell_type": "code", "metadata": {}, "source": ["1 / 0"]}
    with pytest.raises(ZeroDivisionError) as error:
        run({"cells": [cell]}, "made")
    assert any("made, cell 1" in str(entry.path) for entry in error.traceback)
