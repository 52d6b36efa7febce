"""While the site is built, the pages of the reference get the docstrings of all public names.

They take the place of marks like ``<!-- docstrings: traversal -->``. Notebooks become pages
(`docs/notebooks.py`). The tables in the pages are written by `docs/tables.py`.
"""

from __future__ import annotations

import json
import re
from inspect import isfunction
from pathlib import Path
from typing import Any

from docs.facts import repeats
from docs.notebooks import notebooks, page as notebook_page
from docs.tables import homes, is_described, places, public
from edgewise.algorithms import ALGORITHMS, Algorithm

ROOT = Path(__file__).resolve().parents[1]
#: A name in code, unless it is the text of a link already.
_NAME = re.compile(r"(?<!\[)(`ew\.([\w.]+)(?:\([^`]*\))?`)(?!\])")
_NOTEBOOK = re.compile(r"\]\((?:\.\./)+examples/notebooks/(\w+)\.ipynb\)")
_MARK = re.compile(r"<!-- docstrings: (\w+) -->")


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
    config.nav = with_folders(config.nav, Path(config.docs_dir))
    return config


def with_folders(nav: Any, docs: Path) -> Any:
    """The menu, where an entry like ``benchmarks/`` stands for all pages of that folder."""
    if isinstance(nav, str):
        return nav
    if isinstance(nav, list):
        return [entry for item in nav for entry in _entries(item, docs)]
    made = {title: with_folders(inner, docs) for title, inner in nav.items()}
    return {title: inner for title, inner in made.items() if inner}


def _entries(item: Any, docs: Path) -> list[Any]:
    if isinstance(item, dict):
        return [made] if (made := with_folders(item, docs)) else []
    if item == "notebooks/":
        return [f"notebooks/{path.stem}.md" for path in notebooks()]
    if item.endswith("/"):
        return [str(page.relative_to(docs)) for page in sorted((docs / item).glob("*.md"))]
    return [item]


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


def on_files(files: Any, config: Any, **_: Any) -> Any:
    """Called by MkDocs once: CONTRIBUTING.md and the notebooks are pages, too."""
    from mkdocs.structure.files import File

    text = (ROOT / "CONTRIBUTING.md").read_text().replace("](docs/", "](")
    files.append(File.generated(config, "contributing.md", content=text))
    for path in notebooks():
        text = notebook_page(json.loads(path.read_text()), path.stem)
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=text))
    return files


#: Search puts guides and the reference first, and records of decisions and measurements last.
_BOOSTS = {"guides": 2.0, "reference": 3.0, "decisions": 0.2, "benchmarks": 0.2}


def on_page_markdown(markdown: str, page: Any = None, **_: Any) -> str:
    """Called by MkDocs for every page."""
    folder = page.file.src_uri.partition("/")[0] if page else ""
    if folder in _BOOSTS:
        page.meta.setdefault("search", {"boost": _BOOSTS[folder]})
    if folder == "reference" or not page:
        return _MARK.sub(lambda mark: docstrings(mark[1]), markdown)
    up = "../" * page.file.src_uri.count("/")
    markdown = _NOTEBOOK.sub(rf"]({up}notebooks/\1.md)", markdown)
    return linked(markdown.replace(f"]({up}../CONTRIBUTING.md)", f"]({up}contributing.md)"), up)


def linked(markdown: str, up: str = "") -> str:
    """Link the public names in a text, such as `ew.pagerank`, to the reference; blocks stay.

    >>> linked("Use `ew.bfs(graph, 0)`.")
    'Use [`ew.bfs(graph, 0)`](reference/traversal.md#bfs).'
    """
    pages = homes()

    def link(found: re.Match[str]) -> str:
        page = pages.get(found[2])
        return f"[{found[1]}]({up}reference/{page}.md#{found[2]})" if page else found[0]

    parts = re.split(r"(^```.*?^```$)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else _NAME.sub(link, part) for part in parts)


def docstrings(page: str) -> str:
    """The docstrings of the functions and classes of a page (filled in by mkdocstrings)."""
    parts = []
    for name, value in public()[page].items():
        if is_described(value):
            parts += [f'<a id="{name}"></a>', described(value, name, level=2)]
            if name in ALGORITHMS:
                parts.append(facts(ALGORITHMS[name]))
            parts += [
                described(function, function.__name__, level=3) for function in methods(value)
            ]
    return "\n\n".join(parts)


def described(value: Any, name: str, *, level: int) -> str:
    """The mark by which mkdocstrings puts in a docstring."""
    return (
        f"::: {value.__module__}.{value.__qualname__}\n    options:\n"
        f"      heading: {name}\n      toc_label: {name}\n      heading_level: {level}"
    )


def facts(row: Algorithm) -> str:
    """What the table of algorithms and `docs/facts.py` know of one."""
    near = [other.name for other in ALGORITHMS.values() if other.family == row.family]
    also = [f"[`{name}`](#{name})" for name in near if name != row.name]
    rows = {
        "Runs on": places(row),
        "Work": row.work,
        "Repeats": repeats(row),
        "NetworkX": f"`{row.networkx}`" if row.networkx else "",
        "Paper": row.reference,
        "See also": ", ".join(also[:8]),
    }
    lines = [f"| **{title}** | {text} |" for title, text in rows.items() if text]
    return "\n".join(["| | |", "|---|---|", *lines])


def methods(kind: Any) -> list[Any]:
    """The methods that a class takes from functions of other modules."""
    found = []
    for value in vars(kind).values() if isinstance(kind, type) else []:
        function = getattr(value, "__func__", value)
        home = getattr(function, "__module__", "")
        if isfunction(function) and home.startswith("edgewise") and home != kind.__module__:
            found.append(function)
    return found
