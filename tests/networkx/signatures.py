"""Signatures of the oldest NetworkX that the backend takes.

``python -m tests.networkx.signatures`` writes them, run with that version.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import networkx as nx

from edgewise.networkx.function_table import FUNCTIONS

RECORD = Path(__file__).with_name("signatures.json")


def worded(function: Any) -> str:
    """The parameters of a function: names, kinds and defaults.

    >>> worded(lambda a, *, b=1.0: a)
    'a, *, b=1.0'
    """
    found = inspect.signature(function)
    plain = [
        one.replace(annotation=one.empty, default=_named(one.default))
        for one in found.parameters.values()
    ]
    made = found.replace(parameters=plain, return_annotation=found.empty)
    return str(made)[1:-1]


def _named(default: Any) -> Any:
    """A default whose text has no address in memory."""
    return default.__name__ if inspect.isfunction(default) else default


def main() -> None:
    """Write the record."""
    nx.is_empty(nx.Graph())
    known = nx.utils.backends._registered_algorithms
    signatures = {name: worded(known[name].orig_func) for name in sorted(FUNCTIONS)}
    about = {"networkx": nx.__version__, "signatures": signatures}
    RECORD.write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    main()
