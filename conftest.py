"""Modules and pages whose examples need PyTorch are left out where it is not installed."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["edgewise/nn/*", "docs/guides/nn.md"]
