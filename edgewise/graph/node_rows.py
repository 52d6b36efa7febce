"""The rows of NetworkX graphs as arrays: dicts of neighbors by node, and nodes as ids."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from edgewise.base.parallel import launch

__all__ = ["neighbor_ids", "rows_of"]

#: Nodes for which a dict is as fast as a kernel.
_FEW = 1 << 13


def rows_of(rows: Any) -> Any:
    """The rows of a NetworkX graph as dicts; those of a subgraph may state a wrong length."""
    return rows if type(rows) is dict else {node: dict(row) for node, row in rows.items()}


def neighbor_ids(nodes: list[Any], rows: Any) -> tuple[np.ndarray | None, np.ndarray]:
    """The ids of nodes that are 0..n-1 in some order, None for others; and those of neighbors.

    ``rows`` is a dict from nodes to their neighbors. Other nodes have their position as their id.

    >>> ids, targets = neighbor_ids(["a", "b"], {"a": ["b"], "b": ["a", "b"]})
    >>> ids, targets.tolist()
    (None, [1, 0, 1])
    """
    kinds = {*map(type, nodes)}
    whole = all(issubclass(kind, (int, np.integer)) and kind is not bool for kind in kinds)
    try:
        numbers = np.fromiter(nodes, np.int64, len(nodes)) if whole else None
    except OverflowError:
        numbers = None
    if numbers is None:
        return None, _positions(nodes, rows)
    found = _from_rows(rows)
    if ((numbers >= 0) & (numbers < len(nodes))).all():
        return numbers, found
    places = _places(numbers, found) if len(nodes) > _FEW else None
    if places is None:
        order = np.argsort(numbers)
        places = order[np.searchsorted(numbers[order], found)]
    return None, places


def _from_rows(rows: Any, function: Any = None) -> np.ndarray:
    """All neighbors, or an integer that a function gives for each."""
    neighbors = chain.from_iterable(rows.values())
    return np.fromiter(neighbors if function is None else map(function, neighbors), np.int64)


def _positions(nodes: list[Any], rows: Any) -> np.ndarray:
    """The position of each neighbor among the nodes.

    Python keeps the hash of a string, and a dict would compare its letters besides. Where all nodes
    have different hashes, the hash of a neighbor says which node it is.
    """
    if len(nodes) > _FEW:
        keys = np.fromiter(map(hash, nodes), np.int64, len(nodes))
        places = _places(keys, lambda: _from_rows(rows, hash))
        if places is not None:
            return places
    return _from_rows(rows, {node: i for i, node in enumerate(nodes)}.__getitem__)


def _places(keys: np.ndarray, wanted: Any) -> np.ndarray | None:
    """The position of each wanted number among the keys; None if two keys are equal."""
    from edgewise.graph.cpu.positions import find_keys, put_keys

    kind = np.int32 if len(keys) < 2**31 else np.int64
    table, clash = np.full(2 << len(keys).bit_length(), -1, kind), np.zeros(1, bool)
    launch(put_keys, keys, table, clash, work=len(keys), team=1)
    if clash[0]:
        return None
    wanted = wanted() if callable(wanted) else wanted
    found = np.empty(len(wanted), np.int64)
    launch(find_keys, keys, table, wanted, found, work=len(wanted))
    if len(found) and found.min() < 0:
        raise KeyError("a neighbor is not a node of the graph")
    return found
