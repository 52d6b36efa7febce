"""The stubs that tell type checkers about names that load lazily: every ``.pyi`` of the package.

`docs/tables.py` writes them.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import edgewise

PACKAGE = Path(edgewise.__file__).parent
HEAD = "# Written by `make generate`: the public names, as type checkers see them.\n\n"


def stubs() -> dict[Path, str]:
    """The text of every stub."""
    names = [(home, name) for name, home in edgewise._NAMES.items()]
    names += [(module_home(home), name) for name, home in edgewise._MODULES.items()]
    found = {PACKAGE / "__init__.pyi": HEAD + imports(names) + "\n__version__: str\n"}
    for name, home in edgewise._MODULES.items():
        inside = getattr(import_module(home), "_HOME", None)
        if inside is not None:
            alias = home != f"edgewise.{name}"  # such as a family of algorithms
            path = PACKAGE / (f"{name}.pyi" if alias else f"{name}/__init__.pyi")
            found[path] = HEAD + imports(
                (f"{home}.{part}".rstrip("."), one) for one, part in inside.items()
            )
    return found


def module_home(home: str) -> str:
    """Where a public module is imported from: a family of algorithms from the top."""
    package = home.rpartition(".")[0]
    return "edgewise" if package == "edgewise.algorithms" else package


def imports(names) -> str:
    """Imports of pairs of a module and a name, laid out as ruff does.

    >>> print(imports([("a.b", "f"), ("a.b", "C"), ("a", "g")]), end="")
    from a import g as g
    from a.b import C as C, f as f
    """
    modules: dict[str, list[str]] = {}
    for home, name in sorted(names, key=lambda pair: (pair[0], not pair[1].isupper(), pair[1])):
        modules.setdefault(home, []).append(f"{name} as {name}")
    lines = []
    for home, parts in modules.items():
        line = f"from {home} import {', '.join(parts)}"
        if len(line) > 100:
            line = f"from {home} import (\n    " + ",\n    ".join(parts) + ",\n)"
        lines.append(line + "\n")
    return "".join(lines)
