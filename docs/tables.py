"""Everything that is generated from the sources and tables of the package: ``make generate``.

These are the stubs (`docs/stubs.py`), the tables in the pages, and what `docs/speed.py` makes of
recorded results. A page holds a pair of marks, ``<!-- table: formats -->`` and
``<!-- end of table -->``; the text between them is generated.
``python -m docs.tables --check`` writes nothing and fails if a file is out of date.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import edgewise
from benchmarks import cold
from docs import backend, lines, speed
from docs.stubs import stubs
from edgewise.algorithms import ALGORITHMS, NEEDS, RETURNS, Algorithm
from edgewise.cli.reading import flags_of_format
from edgewise.generators import GENERATORS
from edgewise.io import FORMATS, READABLE

PAGES = Path(__file__).resolve().parent
MARK = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end of table -->)", re.DOTALL)
#: The page of the reference that describes each family of algorithms, layer and module.
FAMILY_PAGES = {
    "traversal": "traversal",
    "distances": "traversal",
    "walks": "similarity",
    "centrality": "centrality",
    "ranking": "centrality",
    "components": "components",
    "forests": "components",
    "partition": "components",  # the module of results that several families share
    "flows": "flow",
    "communities": "communities",
    "cores": "components",
    "cliques": "subgraphs",
    "triangles": "subgraphs",
    "patterns": "subgraphs",
    "independence": "components",
    "structure": "components",
    "matching": "matching",
    "ordering": "ordering",
    "similarity": "similarity",
    "influence": "influence",
    "coloring": "coloring",
    "partitioning": "partitioning",
}
LAYER_PAGES = {
    "distributed": "grid",
    "graph": "graphs",
    "io": "files",
    "operators": "operators",
    "base": "settings",
    "cli": "graphs",  # the profile of a graph
}
MODULE_PAGES = {
    "generators": "generators",
    "apps": "apps",
    "sklearn": "sklearn",
    "learning": "learning",
    "linalg": "linalg",
    "nn": "nn",
    "dynamic": "dynamic",
    "nx": "networkx",
    "sensing": "sensing",
    "join": "join",
    "atomic": "operators",
    "random": "operators",
    "distributed": "grid",
}
ENGINES = {"cpu": "CPU", "cuda": "GPU", "grid": "grid"}
FAMILIES = sorted({row.family for row in ALGORITHMS.values() if "." in row.name})


def main(arguments: list[str]) -> int:
    """Write all generated files, or check that none is out of date; the exit code."""
    texts = {page: renewed(page) for page in sorted(PAGES.rglob("*.md"))} | stubs()
    texts[backend.NAMES] = backend.names()
    files = {path: text.encode() for path, text in texts.items()} | speed.pictures()
    check = "--check" in arguments
    current = {path for path, made in files.items() if path.exists() and path.read_bytes() == made}
    for path in [path for path in files if path not in current]:
        print(f"{path} {'is out of date: run make generate' if check else 'is written'}")
        if not check:
            path.write_bytes(files[path])
    return int(check and len(current) < len(files))


def renewed(page: Path) -> str:
    """The text of a page with its tables and results made anew."""
    text = MARK.sub(lambda mark: mark[1] + TABLES[mark[2]]() + "\n" + mark[3], page.read_text())
    return speed.with_results(text)


def algorithms() -> str:
    """Every algorithm with its page: what it returns and needs, and where it runs."""
    rows = ["| algorithm | returns | needs | runs on | NetworkX |", "|---|---|---|---|---|"]
    for row in ALGORITHMS.values():
        page = FAMILY_PAGES[row.family]
        needed = ", ".join(NEEDS[need] for need in row.needs if NEEDS[need])
        other = row.networkx and f"`{row.networkx}`"
        cells = (f"[`{row.name}`]({page}.md#{row.name})", gives(row), needed, places(row), other)
        rows.append("| " + " | ".join(cell or "–" for cell in cells) + " |")
    return "\n".join(rows)


def places(row: Algorithm) -> str:
    """Where an algorithm runs."""
    return ", ".join(ENGINES[engine] for engine in row.engines)


def gives(row: Algorithm) -> str:
    """What an algorithm returns: its named tuple where its signature has one.

    >>> gives(ALGORITHMS["hits"]), gives(ALGORITHMS["pagerank"])
    ('`Scores(hubs, authorities)`', 'an array over vertices')
    """
    module = importlib.import_module(f"edgewise.algorithms.{row.module}")
    name = str(inspect.signature(row.load()).return_annotation)
    fields = getattr(getattr(module, name, None), "_fields", None)
    return f"`{name}({', '.join(fields)})`" if fields else RETURNS[row.returns]


def family(name: str) -> str:
    """The algorithms of a family."""
    rows = ["| function | description | runs on | reference |", "|---|---|---|---|"]
    for row in ALGORITHMS.values():
        if row.family == name:
            function = row.load()
            about = first_sentence(inspect.getdoc(function) or "")
            rows.append(f"| `{function.__name__}` | {about} | {places(row)} | {row.reference} |")
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
    for name, row in READABLE.items():
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
    for name in READABLE:
        for flags in flags_of_format(name):
            for flag in flags.split("/"):
                names.setdefault(flag, []).append(name)
    rows = ["| option | formats |", "|---|---|"]
    for flag, known in names.items():
        every = "all" if len(known) == len(READABLE) else " ".join(f"`{name}`" for name in known)
        rows.append(f"| `{flag}` | {every} |")
    return "\n".join(rows)


def reference(page: str) -> str:
    """The public names that a page of the reference describes."""
    rows = ["| name | description | runs on |", "|---|---|---|"]
    constants = []
    for name, value in public()[page].items():
        if is_described(value):
            where = places(ALGORITHMS[name]) if name in ALGORITHMS else "–"
            about = first_sentence(inspect.getdoc(value) or "")
            rows.append(f"| [`{name}`](#{name}) | {about} | {where} |")
            if value is edgewise.Graph:
                rows += [f"| `Graph.{method}` | {text} | – |" for method, text in methods(value)]
        else:
            constants.append(f"`{name}`")
    if all(row.endswith("| – |") for row in rows[2:]):
        rows = [row.rpartition(" |")[0].rpartition(" |")[0] + " |" for row in rows]
        rows[1] = "|---|---|"
    if constants:
        rows += ["", f"The built-in monoids are {', '.join(constants)}."]
    return "\n".join(rows)


def methods(kind: type) -> list[tuple[str, str]]:
    """The public methods and properties of a class, with their first sentences."""
    found = [(name, inspect.getattr_static(kind, name)) for name in dir(kind) if name[0] != "_"]
    texts = [(name, inspect.getdoc(getattr(value, "__func__", value))) for name, value in found]
    return [(name, first_sentence(text)) for name, text in texts if text]


def names() -> str:
    """Every public name, from A to Z, with the page that describes it."""
    rows = ["| name | page |", "|---|---|"]
    found = homes()
    for name in sorted(found, key=str.lower):
        rows.append(f"| [`{name}`]({found[name]}.md#{name}) | {found[name]} |")
    return "\n".join(rows)


def homes() -> dict[str, str]:
    """The page of the reference that describes each public name."""
    return {
        name: page
        for page, some in public().items()
        for name, value in some.items()
        if is_described(value)
    }


def is_described(value: object) -> bool:
    """Whether a public name is a function or a class, with a docstring of its own."""
    return callable(value) and hasattr(value, "__qualname__")


@cache
def public() -> dict[str, dict[str, object]]:
    """The pages of the reference: public names, and what they name."""
    found: dict[str, dict[str, object]] = {}
    for name, home in edgewise._NAMES.items():
        _, layer, *inner = home.split(".")
        page = FAMILY_PAGES[inner[0]] if layer == "algorithms" else LAYER_PAGES.get(layer)
        if page:  # others are described with their module
            found.setdefault(page, {})[name] = getattr(edgewise, name)
    modules = {family: FAMILY_PAGES[family] for family in FAMILIES} | MODULE_PAGES
    for prefix, page in modules.items():
        module, there = importlib.import_module(f"edgewise.{prefix}"), found.setdefault(page, {})
        values = {f"{prefix}.{name}": getattr(module, name) for name in module.__all__}
        top = list(there.values())  # a name that is public as edgewise.name is described once
        there |= {
            name: value
            for name, value in values.items()
            if is_described(value) and not any(value is other for other in top)
        }
    return {page: dict(sorted(some.items(), key=_algorithms_first)) for page, some in found.items()}


def _algorithms_first(item: tuple[str, object]) -> tuple[bool, bool, str]:
    """Algorithms come first, then other functions, then classes, each by name."""
    name, value = item
    return name not in ALGORITHMS, isinstance(value, type), name.lower()


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


def decisions() -> str:
    """The decisions, by number."""
    rows = ["| number | decision |", "|---|---|"]
    for page in sorted((PAGES / "decisions").glob("0*.md")):
        title = re.sub(r"^#\s*(\d+\.\s*)?", "", page.read_text().partition("\n")[0])
        rows.append(f"| {int(page.name[:4])} | [{title}]({page.name}) |")
    return "\n".join(rows)


def kernels() -> str:
    """What first calls compile, from the record that `tests/benchmarks/test_cold.py` holds."""
    return "\n" + cold.told(json.loads(cold.RECORD.read_text())) + "\n"


TABLES: dict[str, Callable[[], str]] = {
    "algorithms": algorithms,
    "backend": backend.table,
    "backend_conversion": backend.conversion,
    "backend_kinds": backend.refused,
    "backend_scripts": backend.scripts,
    "backend_speed": backend.speed,
    "formats": formats,
    "generator_rates": backend.generator_rates,
    "generators": generators,
    "holds": holds,
    "kernels": kernels,
    "lines": lines.table,
    "decisions": decisions,
    "names": names,
    "on_a_grid": on_a_grid,
    "reading": reading,
    **{f"reference_{page}": partial(reference, page) for page in public()},
    **{row.family: partial(family, row.family) for row in ALGORITHMS.values()},
    **speed.TABLES,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
