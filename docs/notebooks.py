"""Notebooks without Jupyter: run their cells, keep their outputs, and show them as pages.

``python -m docs.notebooks`` runs every notebook of ``examples/notebooks`` and stores what its cells
print and return; names after it run some. `tests/test_notebooks.py` runs them, too. The site shows
each as a page (`docs/hooks.py`).

A cell with the tag ``varies`` prints something else every time, such as seconds.
"""

from __future__ import annotations

import ast
import io
import json
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

__all__ = ["FOLDER", "compared", "notebooks", "page", "run"]

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "notebooks"


def notebooks() -> list[Path]:
    """The notebooks, by name."""
    return sorted(FOLDER.glob("*.ipynb"))


def run(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    """The notebook with the outputs of its cells, executed in order in one namespace."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            outputs = _outputs("".join(cell["source"]), scope, f"{name}, cell {count}", count)
            cell = {**cell, "execution_count": count, "outputs": outputs}
        cells.append(cell)
    return {**notebook, "cells": cells}


def compared(notebook: dict[str, Any]) -> list[list[str]]:
    """The texts of the outputs of every cell that does not vary."""
    return [
        ["".join(_plain(output)) for output in cell["outputs"]]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code" and "varies" not in cell["metadata"].get("tags", ())
    ]


def page(notebook: dict[str, Any], name: str) -> str:
    """The notebook as Markdown: its texts, its code, and below it what that gave."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source.replace("](../../docs/", "](../"))
            continue
        parts.append(f"```python\n{source}\n```")
        parts += map(_shown, cell["outputs"])
    parts.append(f"This page is the notebook `examples/notebooks/{name}.ipynb`.")
    return "\n\n".join(parts) + "\n"


def _outputs(source: str, scope: dict[str, Any], name: str, count: int) -> list[dict[str, Any]]:
    tree, printed, value = ast.parse(source, name), io.StringIO(), None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(printed):
        exec(compile(tree, name, "exec"), scope)
        if last is not None and isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), scope)
    made: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        made.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None and not source.rstrip().endswith(";"):
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        html = value._repr_html_() if hasattr(value, "_repr_html_") else None
        if html is not None:
            data = {"text/html": html.splitlines(keepends=True), **data}
        made.append({"data": data, "execution_count": count, "metadata": {},
                     "output_type": "execute_result"})  # fmt: skip
    return made


def _plain(output: dict[str, Any]) -> list[str]:
    return output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]


def _shown(output: dict[str, Any]) -> str:
    html = output.get("data", {}).get("text/html")
    if html is None:
        return "```text\n" + "".join(_plain(output)).rstrip() + "\n```"
    text = "".join(line.strip() + "\n" for line in "".join(html).splitlines() if line.strip())
    return f'<div class="notebook-output">\n{text}</div>'


def main(names: list[str]) -> None:
    """Run notebooks and store their outputs."""
    chosen = [FOLDER / f"{name}.ipynb" for name in names] or notebooks()
    for path in chosen:
        start = time.perf_counter()
        found = run(json.loads(path.read_text()), path.stem)
        path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
        print(f"{path.name}: {time.perf_counter() - start:.1f} s, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
