"""Lines of code per primitive: lines that are not blank, comments or docstrings.

Counted are the primitive's own module and, as "with helpers", all modules under
``edgewise/algorithms`` that it imports, of other primitives too.
"""

from __future__ import annotations

import ast
import tokenize
from pathlib import Path

from edgewise.algorithms import ALGORITHMS

__all__ = ["PRIMITIVES", "lines_of", "modules_of"]

FOLDER = Path(__file__).resolve().parents[1] / "edgewise" / "algorithms"
_NO_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
            tokenize.ENDMARKER)  # fmt: skip
#: The primitives of chapter 5 of the thesis on Gunrock, and what it says of their lines in Mini
#: Gunrock (4.4): 77 of the enactor, 39 of the functor and 92 of the problem for shortest paths.
PRIMITIVES = {
    "bfs": "within 200",
    "sssp": "208",
    "betweenness_centrality": "",
    "pagerank": "within 200",
    "personalized_pagerank": "",
    "hits": "",
    "salsa": "",
    "money": "",
    "connected_components": "",
    "minimum_spanning_tree": "",
    "triangle_count": "",
    "subgraph_match_count": "",
}


def lines_of(path: Path) -> int:
    """How many lines of a file hold code."""
    with tokenize.open(path) as file:
        tokens = list(tokenize.generate_tokens(file.readline))
    code = {
        line
        for token in tokens
        if token.type not in _NO_CODE
        for line in range(token.start[0], token.end[0] + 1)
    }
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(
            node
        ):
            said = node.body[0]
            code -= set(range(said.lineno, (said.end_lineno or said.lineno) + 1))
    return len(code)


def modules_of(path: Path) -> set[Path]:
    """The file and those under ``edgewise/algorithms`` that it imports, and they."""
    found, waiting = set(), [path]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        found.add(one)
        for node in ast.walk(ast.parse(one.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                "edgewise.algorithms."
            ):
                parts = str(node.module).split(".")[2:]
                target = FOLDER.joinpath(*parts).with_suffix(".py")
                waiting += [target] if target.exists() else []
    return found


def table() -> str:
    """The table of the docs."""
    rows = ["| primitive | its file | with helpers | Mini Gunrock |", "|---|--:|--:|--:|"]
    for name, theirs in PRIMITIVES.items():
        path = FOLDER.joinpath(*ALGORITHMS[name].module.split(".")).with_suffix(".py")
        whole = sum(map(lines_of, modules_of(path)))
        rows.append(f"| `{name}` | {lines_of(path)} | {whole} | {theirs or '–'} |")
    return "\n".join(rows)
