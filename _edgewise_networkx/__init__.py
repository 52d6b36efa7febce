"""What NetworkX reads about the backend ``edgewise`` when it is imported.

It stands beside the package, so that ``import networkx`` loads nothing of Edgewise.
"""

from __future__ import annotations

import os
from typing import Any

__all__ = ["get_info", "is_automatic"]


def is_automatic() -> bool:
    """Return whether NX_EDGEWISE_AUTOCONFIG asks to set NetworkX up."""
    given = os.environ.get("NX_EDGEWISE_AUTOCONFIG", "")
    return given.strip().lower() in ("1", "on", "true", "yes")


def get_info() -> dict[str, Any]:
    """Return what NetworkX wants to know about the backend."""
    from _edgewise_networkx.names import FUNCTIONS

    if is_automatic():  # NetworkX reads these after this call
        os.environ.setdefault("NETWORKX_FALLBACK_TO_NX", "True")
        os.environ.setdefault("NETWORKX_WARNINGS_TO_IGNORE", "cache")
        if "NETWORKX_BACKEND_PRIORITY" not in os.environ:
            os.environ.setdefault("NETWORKX_BACKEND_PRIORITY_ALGOS", "edgewise")
    return {
        "backend_name": "edgewise",
        "project": "edgewise",
        "package": "edgewise",
        "short_summary": "Compiled graph algorithms on CPU threads and GPUs.",
        "default_config": {"device": "cpu", "threads": None, "always": False},
        "functions": {name: {} for name in FUNCTIONS},
    }
