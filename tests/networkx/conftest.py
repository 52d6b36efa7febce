"""NetworkX knows the backend in these tests, whether or not the package is installed."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import networkx as nx
import pytest

from _edgewise_networkx import get_info


@pytest.fixture(scope="session", autouse=True)
def registered():
    known = nx.utils.backends
    if "edgewise" not in known.backends:
        place = "edgewise.networkx:backend"
        known.backends["edgewise"] = EntryPoint("edgewise", place, "networkx.backends")
        known.backend_info["edgewise"] = info = get_info()
        config = nx.utils.Config(**info["default_config"])
        nx.config.backends = nx.utils.Config(edgewise=config, **nx.config.backends)
        known._dispatchable.__call__ = known._dispatchable._call_if_any_backends_installed
    nx.config.warnings_to_ignore.add("cache")
