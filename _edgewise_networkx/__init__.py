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
        _load_at_first_call()
    return {
        "backend_name": "edgewise",
        "project": "edgewise",
        "package": "edgewise",
        "short_summary": "Compiled graph algorithms on CPU threads and GPUs.",
        "default_config": {"device": "cpu", "threads": None, "always": False},
        "functions": {name: {} for name in FUNCTIONS},
    }


def _load_at_first_call() -> None:
    """Let the first call that takes a graph load the backend, before NetworkX reads its priorities.

    The backend sets the priorities of functions from graphs to graphs. No variable can do so:
    NetworkX reads variables before its functions exist.
    """
    from networkx.utils import backends

    kind = backends._dispatchable
    chosen = getattr(kind, "_call_if_any_backends_installed", None)
    if chosen is None or kind.__call__ is not chosen:
        return

    def call(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        if self.graphs:
            kind.__call__ = chosen
            backends._load_backend("edgewise")  # which may replace it again
        return (kind.__call__ if self.graphs else chosen)(self, *args, **kwargs)

    kind.__call__ = call
