"""The settings of the backend, ``networkx.config.backends.edgewise``."""

from __future__ import annotations

from typing import Any

import networkx as nx

__all__ = ["setting"]

_DEFAULTS = {"device": "cpu", "threads": None, "always": False}


def setting(name: str) -> Any:
    """The value of a setting; its default if NetworkX does not know the backend.

    >>> setting("device")
    'cpu'
    """
    return getattr(getattr(nx.config.backends, "edgewise", None), name, _DEFAULTS[name])
