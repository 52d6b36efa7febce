"""The tables in the pages that follow from the package's own tables: ``python -m docs.tables``.

A page holds a pair of marks, ``<!-- table: formats -->`` and ``<!-- end of table -->``; what stands
between them is written anew. ``--check`` writes nothing and fails if anything would change.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import edgewise
from benchmarks import cold
from docs import lines
from edgewise.algorithms import ALGORITHMS
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


def main(arguments: list[str]) -> int:
    """Write all pages anew, or check that nothing would change; the exit code."""
    changed = [page for page in sorted(PAGES.rglob("*.md")) if renewed(page) != page.read_text()]
    for page in changed:
        print(f"{page.relative_to(PAGES.parent)} {'is not current' if arguments else 'is renewed'}")
        if "--check" not in arguments:
            page.write_text(renewed(page))
    return int(bool(changed) and "--check" in arguments)


def renewed(page: Path) -> str:
    """The text of a page with its tables made anew."""
    return MARK.sub(lambda mark: mark[1] + TABLES[mark[2]]() + "\n" + mark[3], page.read_text())


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
    """Every public name by layer, with the first sentence of its docstring."""
    parts = []
    for layer, title in LAYERS.items():
        rows = [f"## {title}", "", "| name | what it is |", "|---|---|"]
        constants = []
        for name, value in public(layer):
            if callable(value) and hasattr(value, "__qualname__"):
                rows.append(f"| `{name}` | {first_sentence(inspect.getdoc(value) or '')} |")
            else:
                constants.append(f"`{name}`")
        if constants:
            rows += ["", f"The built-in monoids are {', '.join(constants)}."]
        parts.append("\n".join(rows))
    return "\n\n".join(parts)


def public(layer: str) -> list[tuple[str, object]]:
    """The public names whose home is in a layer, and what they name."""
    return [
        (name, getattr(edgewise, name))
        for name in edgewise.__all__
        if edgewise._NAMES.get(name, "").split(".")[1:2] == [layer]
    ]


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
    "reading": reading,
    "reference": reference,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
