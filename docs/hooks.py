"""Fills the documentation's tables from the package's own tables, while the site is built.

A page holds a mark such as ``<!-- algorithms -->``; the table takes its place.
"""

from __future__ import annotations

from inspect import isfunction
from typing import Any

import edgewise
from edgewise.algorithms import ALGORITHMS
from edgewise.generators import GENERATORS
from edgewise.io import FORMATS


def on_config(config: Any, **_: Any) -> Any:
    """Called by MkDocs at the start: examples within plain text become code."""
    from markdown.extensions import Extension
    from markdown.preprocessors import Preprocessor

    class Fences(Preprocessor):
        def run(self, lines: list[str]) -> list[str]:
            return fence_examples(lines)

    class Examples(Extension):
        def extendMarkdown(self, md: Any) -> None:  # noqa: N802
            md.preprocessors.register(Fences(md), "examples", 28)  # before fenced code at 25

    config.markdown_extensions.append(Examples())
    return config


def fence_examples(lines: list[str]) -> list[str]:
    """Put fences around examples that begin with ``>>>`` and have none.

    >>> fence_examples(["See:", "", ">>> 1 + 1", "2", "", "So."])
    ['See:', '', '```python', '>>> 1 + 1', '2', '```', '', 'So.']
    """
    made: list[str] = []
    fenced = example = False
    for line in lines:
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not example and line.startswith(">>> "):
            made.append("```python")
            example = True
        elif example and not line.strip():
            made.append("```")
            example = False
        made.append(line)
    return [*made, "```"] if example else made


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by MkDocs for every page."""
    for mark, make in MARKS.items():
        if mark in markdown:
            markdown = markdown.replace(mark, make())
    return markdown


def algorithms() -> str:
    rows = ["| algorithm | family | in NetworkX | after |", "|---|---|---|---|"]
    for row in ALGORITHMS.values():
        other = f"`{row.networkx}`" if row.networkx else "–"
        rows.append(f"| `{row.name}` | {row.family} | {other} | {row.reference} |")
    return "\n".join(rows)


def generators() -> str:
    rows = ["| generator | what it makes |", "|---|---|"]
    rows += [f"| `{row.name}({row.parameters})` | {row.summary} |" for row in GENERATORS.values()]
    return "\n".join(rows)


def formats() -> str:
    rows = ["| format | suffixes |", "|---|---|"]
    for name, row in FORMATS.items():
        rows.append(f"| `{name}` | {' '.join(f'`{suffix}`' for suffix in row.suffixes)} |")
    return "\n".join(rows)


def reference() -> str:
    """The docstrings of all public functions and classes, by layer (filled in by mkdocstrings)."""
    parts = []
    for layer, title in LAYERS.items():
        parts.append(f"## {title}")
        constants = []
        for name in edgewise.__all__:
            if edgewise._NAMES.get(name, "").split(".")[1:2] != [layer]:
                continue
            value = getattr(edgewise, name)
            if callable(value) and hasattr(value, "__qualname__"):
                parts.append(f"::: {value.__module__}.{value.__qualname__}")
                parts += [
                    f"::: {path}\n    options:\n      heading_level: 4" for path in methods(value)
                ]
            else:
                constants.append(f"`{name}`")
        if constants:
            parts.append(f"The built-in monoids are {', '.join(constants)}.")
    return "\n\n".join(parts)


def methods(kind: Any) -> list[str]:
    """Where the methods live that a class takes from functions of other modules."""
    found = []
    for value in vars(kind).values() if isinstance(kind, type) else []:
        function = getattr(value, "__func__", value)
        home = getattr(function, "__module__", "")
        if isfunction(function) and home.startswith("edgewise") and home != kind.__module__:
            found.append(f"{function.__module__}.{function.__qualname__}")
    return found


LAYERS = {
    "graph": "The graph",
    "io": "Reading and writing",
    "algorithms": "Algorithms",
    "operators": "Operators",
    "base": "Threads, progress, errors",
}
MARKS = {
    "<!-- algorithms -->": algorithms,
    "<!-- generators -->": generators,
    "<!-- formats -->": formats,
    "<!-- reference -->": reference,
}
