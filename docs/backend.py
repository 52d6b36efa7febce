"""What is generated for the NetworkX backend: the names in its metadata, and a table of functions.

`docs/tables.py` writes them. The table shows how often each function ran in NetworkX's own tests,
from the record that `python -m tests.networkx.suite` writes.
"""

from __future__ import annotations

import inspect
import json
import re
import textwrap
from pathlib import Path

from networkx.utils.backends import _registered_algorithms

from edgewise.networkx.function_table import FUNCTIONS, KINDS_OF

ROOT = Path(__file__).resolve().parents[1]
NAMES = ROOT / "_edgewise_networkx" / "names.py"
RECORD = ROOT / "tests" / "networkx" / "suite.json"
RESULTS = ROOT / "benchmarks" / "results"


def names() -> str:
    """The text of the module that lists the functions."""
    made = [
        one
        for one in sorted(FUNCTIONS)
        if _registered_algorithms[one]._returns_graph and _registered_algorithms[one].graphs
    ]
    return (
        '"""The names of the backend\'s functions: `make generate` writes them."""\n\n'
        f'_ALL = """\n{listed(sorted(FUNCTIONS))}\n"""\n'
        f'_OF_GRAPHS = """\n{listed(made)}\n"""\n\n'
        "FUNCTIONS = tuple(_ALL.split())\n"
        "#: Functions that take a graph and return one, which NetworkX counts among generators.\n"
        "GRAPH_TO_GRAPH = tuple(_OF_GRAPHS.split())\n"
    )


def listed(some: list[str]) -> str:
    """Words in lines.

    >>> listed(["a", "b"])
    'a b'
    """
    return textwrap.fill(" ".join(some), 100)


def table() -> str:
    """Every function, how it runs, and how many calls in NetworkX's tests ran in Edgewise."""
    calls = json.loads(RECORD.read_text())["calls"] if RECORD.exists() else {}
    rows = [suite(), "", "| function | how | calls in NetworkX's tests |", "|---|---|---:|"]
    for name in sorted(FUNCTIONS):
        how = {"composed": "composed", "as_is": "NetworkX's code"}
        rows.append(
            f"| `{name}` | {how.get(FUNCTIONS[name].module, 'own')} | {calls.get(name, 0):,} |"
        )
    return "\n".join(rows)


def refused() -> str:
    """The functions that leave kinds of graphs to NetworkX, which has an answer for them."""
    found: dict[str, list[str]] = {"multigraph": [], "directed": [], "undirected": []}
    for name in sorted(KINDS_OF):
        lines = inspect.getsource(_registered_algorithms[name].orig_func).partition("\ndef ")[0]
        for kind in KINDS_OF[name]:
            if not re.search(rf"@not_implemented_for\([^)]*\"{kind}\"", lines):
                found[kind].append(f"`{name}`")
    rows = ["| graphs | functions that leave them to NetworkX |", "|---|---|"]
    words = {"multigraph": "multigraphs", "directed": "directed", "undirected": "undirected"}
    rows += [f"| {words[kind]} | {', '.join(names)} |" for kind, names in found.items() if names]
    return "\n".join(rows)


def speed() -> str:
    """What `python -m benchmarks networkx` measured last."""
    return _recorded("networkx.md", "`python -m benchmarks networkx` measures calls.")


def scripts() -> str:
    """What `python -m benchmarks networkx --scripts` measured last."""
    what = "`python -m benchmarks networkx --scripts` measures scripts."
    return _recorded("networkx-scripts.md", what)


def conversion() -> str:
    """What `python -m benchmarks networkx --conversion` measured last."""
    what = "`python -m benchmarks networkx --conversion` measures conversions."
    return _recorded("networkx-conversion.md", what)


def generator_rates() -> str:
    """What `python -m benchmarks generators` measured last."""
    return _recorded("generators.md", "`python -m benchmarks generators` measures rates.")


def _recorded(name: str, instead: str) -> str:
    """A report without its title, or how to make one."""
    path = RESULTS / name
    return path.read_text().partition("\n\n")[2].strip() if path.exists() else instead


def suite() -> str:
    """What NetworkX's own tests gave."""
    if not RECORD.exists():
        return "There is no record."
    found = json.loads(RECORD.read_text())
    return (
        f"NetworkX {found['networkx']}, {found['date']}: {found['passed']:,} tests passed, "
        f"{found['expected']} failed as expected, {found['failed']} failed otherwise. "
        f"{len(found['calls'])} functions ran in Edgewise, {sum(found['calls'].values()):,} times."
    )
