"""Everything that is generated from the sources and tables of the package: ``make generate``.

These are the stubs (`docs/stubs.py`) and the tables in the pages. A page holds a pair of marks,
``<!-- table: formats -->`` and ``<!-- end of table -->``; the text between them is generated.
``python -m docs.tables --check`` writes nothing and fails if a file is out of date.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import edgewise
from benchmarks import cold
from docs import lines
from docs.stubs import stubs
from edgewise.algorithms import ALGORITHMS, NEEDS, RETURNS, Algorithm
from edgewise.cli.reading import flags_of_format
from edgewise.generators import GENERATORS
from edgewise.io import FORMATS

PAGES = Path(__file__).resolve().parent
MARK = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end of table -->)", re.DOTALL)
LAYERS = {
    "graph": "The graph",
    "io": "Reading and writing",
    "algorithms": "Algorithms",
    "operators": "Operators",
    "base": "Threads, progress, errors",
}
ENGINES = {"cpu": "CPU", "cuda": "GPU", "grid": "grid"}
FAMILIES = sorted({row.family for row in ALGORITHMS.values() if "." in row.name})


def main(arguments: list[str]) -> int:
    """Write all generated files, or check that none is out of date; the exit code."""
    texts = {page: renewed(page) for page in sorted(PAGES.rglob("*.md"))} | stubs()
    check = "--check" in arguments
    current = {path for path, text in texts.items() if path.exists() and path.read_text() == text}
    for path in [path for path in texts if path not in current]:
        print(f"{path} {'is out of date: run make generate' if check else 'is written'}")
        if not check:
            path.write_text(texts[path])
    return int(check and len(current) < len(texts))


def renewed(page: Path) -> str:
    """The text of a page with its tables made anew."""
    return MARK.sub(lambda mark: mark[1] + TABLES[mark[2]]() + "\n" + mark[3], page.read_text())


def algorithms() -> str:
    rows = ["| algorithm | family | in NetworkX | after |", "|---|---|---|---|"]
    for row in ALGORITHMS.values():
        other = f"`{row.networkx}`" if row.networkx else "–"
        rows.append(f"| `{row.name}` | {row.family} | {other} | {row.reference} |")
    return "\n".join(rows)


def needs() -> str:
    """What the algorithms that are public at the top give and need."""
    rows = ["| algorithm | gives | needs | in NetworkX | after |", "|---|---|---|---|---|"]
    for row in ALGORITHMS.values():
        if "." not in row.name:
            needed = ", ".join(NEEDS[need] for need in row.needs if NEEDS[need])
            cells = (f"`{row.name}`", gives(row), needed, row.networkx and f"`{row.networkx}`")
            rows.append("| " + " | ".join(cell or "–" for cell in (*cells, row.reference)) + " |")
    return "\n".join(rows)


def gives(row: Algorithm) -> str:
    """What an algorithm returns: its named tuple where its signature has one.

    >>> gives(ALGORITHMS["hits"]), gives(ALGORITHMS["pagerank"])
    ('`Scores(hubs, authorities)`', 'a value per vertex')
    """
    module = importlib.import_module(f"edgewise.algorithms.{row.module}")
    name = str(inspect.signature(row.load()).return_annotation)
    fields = getattr(getattr(module, name, None), "_fields", None)
    return f"`{name}({', '.join(fields)})`" if fields else RETURNS[row.returns]


def family(name: str) -> str:
    """The algorithms of a family that is public as a module."""
    rows = ["| function | what it is | runs on | after |", "|---|---|---|---|"]
    for row in ALGORITHMS.values():
        if row.family == name:
            function = row.load()
            places = ", ".join(ENGINES[engine] for engine in row.engines)
            about = first_sentence(inspect.getdoc(function) or "")
            rows.append(f"| `{function.__name__}` | {about} | {places} | {row.reference} |")
    return "\n".join(rows)


def on_a_grid() -> str:
    """The algorithms that run on a grid, by what they give."""
    names: dict[str, list[str]] = {}
    for row in ALGORITHMS.values():
        if "grid" in row.engines:
            names.setdefault(gives(row), []).append(f"`{row.name}`")
    rows = ["| what it gives | algorithms |", "|---|---|"]
    return "\n".join(rows + [f"| {what} | {', '.join(some)} |" for what, some in names.items()])


def generators() -> str:
    rows = ["| generator | what it makes |", "|---|---|"]
    rows += [f"| `{row.name}({row.parameters})` | {row.summary} |" for row in GENERATORS.values()]
    return "\n".join(rows)


def formats() -> str:
    rows = ["| format | what it is | suffixes |", "|---|---|---|"]
    for name, row in FORMATS.items():
        text = importlib.import_module(row.module).__doc__ or ""
        suffixes = " ".join(f"`{suffix}`" for suffix in row.suffixes)
        rows.append(f"| `{name}` | {first_words(text)} | {suffixes} |")
    return "\n".join(rows)


def holds() -> str:
    """What each format leaves out and refuses when a graph is written."""
    rows = ["| format | leaves out, with a warning | refuses, with an error |", "|---|---|---|"]
    for name, row in FORMATS.items():
        lost, refused = (", ".join(words) or "–" for words in (row.leaves_out, row.refuses))
        rows.append(f"| `{name}` | {lost} | {refused} |")
    return "\n".join(rows)


def reading() -> str:
    """Which formats have which options of the command line."""
    names: dict[str, list[str]] = {}
    for name in FORMATS:
        for flags in flags_of_format(name):
            for flag in flags.split("/"):
                names.setdefault(flag, []).append(name)
    rows = ["| option | formats |", "|---|---|"]
    for flag, known in names.items():
        every = "all" if len(known) == len(FORMATS) else " ".join(f"`{name}`" for name in known)
        rows.append(f"| `{flag}` | {every} |")
    return "\n".join(rows)


def reference() -> str:
    """Every public name by section, with the first sentence of its docstring."""
    parts = []
    for title, names in public().items():
        rows = [f"## {title}", "", "| name | what it is |", "|---|---|"]
        constants = []
        for name, value in names.items():
            if callable(value) and hasattr(value, "__qualname__"):
                rows.append(f"| `{name}` | {first_sentence(inspect.getdoc(value) or '')} |")
            else:
                constants.append(f"`{name}`")
        if constants:
            rows += ["", f"The built-in monoids are {', '.join(constants)}."]
        parts.append("\n".join(rows))
    return "\n\n".join(parts)


def public() -> dict[str, dict[str, object]]:
    """The sections of the reference: public names, and what they name."""
    top = {name: home.split(".")[1] for name, home in sorted(edgewise._NAMES.items())}
    found: dict[str, dict[str, object]] = {
        title: {name: getattr(edgewise, name) for name, home in top.items() if home == layer}
        for layer, title in LAYERS.items()
    }
    for name in FAMILIES:
        module = getattr(edgewise, name)
        found[f"`edgewise.{name}`"] = {
            f"{name}.{one}": getattr(module, one)
            for one in module.__all__
            if getattr(module, one) is not getattr(edgewise, one, None)
        }
    return found


def first_sentence(text: str) -> str:
    """The first sentence of a docstring, as a cell of a table.

    >>> first_sentence("Read `a | b`\\nfrom a file. More.")
    'Read `a \\\\| b` from a file'
    """
    line = " ".join(text.partition("\n\n")[0].split())
    return re.split(r"\.(?:\s|$)", line)[0].replace("|", "\\|")


def first_words(text: str) -> str:
    """What a module is about: its first sentence up to the first colon, without suffixes.

    >>> first_words("CSV tables (.csv) of edges: a row each. More.")
    'CSV tables of edges'
    """
    return re.sub(r" \(\.[^)]*\)", "", re.split(r"[:;]\s", first_sentence(text))[0])


def kernels() -> str:
    """What first calls compile, from the record that `tests/benchmarks/test_cold.py` holds."""
    return "\n" + cold.told(json.loads(cold.RECORD.read_text())) + "\n"


TABLES: dict[str, Callable[[], str]] = {
    "algorithms": algorithms,
    "formats": formats,
    "generators": generators,
    "holds": holds,
    "kernels": kernels,
    "lines": lines.table,
    "needs": needs,
    "on_a_grid": on_a_grid,
    "reading": reading,
    "reference": reference,
    **{name: partial(family, name) for name in FAMILIES},
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
