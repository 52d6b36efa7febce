"""While the site is built, the page of the reference gets the docstrings of all public names.

They take the place of the mark ``<!-- docstrings -->``. The tables in the pages are written by
`docs/tables.py`.
"""

from __future__ import annotations

from inspect import isfunction
from typing import Any

from docs.tables import public


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
    mark = "<!-- docstrings -->"
    return markdown.replace(mark, docstrings()) if mark in markdown else markdown


def docstrings() -> str:
    """The docstrings of all public functions and classes (filled in by mkdocstrings)."""
    parts = ["## In full"]
    for names in public().values():
        for value in names.values():
            if callable(value) and hasattr(value, "__qualname__"):
                parts.append(f"::: {value.__module__}.{value.__qualname__}")
                parts += [
                    f"::: {path}\n    options:\n      heading_level: 4" for path in methods(value)
                ]
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
