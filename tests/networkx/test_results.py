"""Lazy dicts behave as dicts do, and make objects only when asked."""

from __future__ import annotations

import copy
import json
import pickle
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from edgewise.networkx.compact import compact
from edgewise.networkx.lazy_dict import FilledDict, LazyDict
from edgewise.networkx.node_items import (
    Every,
    Some,
    _Edges,
    _Paths,
    every,
    over_edges,
    paths_to,
    some,
)


@pytest.fixture(params=["every", "some", "edges", "paths"])
def pair(request, monkeypatch):
    """A lazy dict, and the dict that it stands for."""
    for kind in (Every, Some, _Edges, _Paths):
        monkeypatch.setattr(kind, "eager", 0)
    graph = nx.path_graph(["a", "b", "c", "d"])
    rows = compact(graph)
    if request.param == "every":
        return every(rows, np.array([3, 1, 2, 0])), {"a": 3, "b": 1, "c": 2, "d": 0}
    if request.param == "some":
        found = some(rows, np.array([2, 0]), np.array([0.5, 9, 1.5, 9]))
        return found, {"c": 1.5, "a": 0.5}
    if request.param == "edges":
        wanted = {("a", "b"): 7, ("b", "c"): 8, ("c", "d"): 9}
        return over_edges(rows, np.array([7, 8, 9])), wanted
    found = paths_to(rows, np.array([1, 2, 0]), np.array([1, 1, 1, -1]))
    return found, {"b": ["b"], "c": ["b", "c"], "a": ["b", "a"]}


def test_single_keys_fill_nothing(pair):
    lazy, wanted = pair
    for key, value in wanted.items():
        assert lazy[key] == lazy.get(key) == value and key in lazy
    assert "z" not in lazy and lazy.get("z", 5) == 5 and len(lazy) == len(wanted)
    with pytest.raises(KeyError):
        lazy["z"]
    assert type(lazy) is LazyDict and dict.__len__(lazy) == 1


@pytest.mark.parametrize(
    "use",
    [
        lambda one: one,
        dict,
        list,
        repr,
        sorted,
        lambda one: [*one.items()],
        lambda one: [*one.values()],
        lambda one: {**one},
        lambda one: one | {"z": 1},
        lambda one: {"z": 1} | one,
        lambda one: [*reversed(one)],
        lambda one: max(one, key=one.get),
        lambda one: one.pop([*one][0]),
        lambda one: one.setdefault("z", 4),
        lambda one: one.popitem(),
        lambda one: isinstance(one, dict),
        copy.copy,
        copy.deepcopy,
        lambda one: one.copy(),
        lambda one: pickle.loads(pickle.dumps(one)),
        lambda one: json.dumps({str(key): value for key, value in one.items()}),
    ],
)
def test_every_use_is_a_dicts(pair, use):
    lazy, wanted = pair
    assert use(lazy) == use(wanted)


def test_changes(pair):
    lazy, wanted = pair
    for one in (lazy, wanted):
        one["new"] = 1
        one.update(more=2)
        del one["new"]
    assert lazy == wanted and wanted == lazy and (lazy != wanted) is False
    assert type(lazy) is FilledDict
    lazy.clear()
    assert not lazy


def test_the_storage_of_a_lazy_dict_is_of_no_use(pair):
    lazy, wanted = pair
    ((key, value),) = dict.items(lazy)
    for use in (str, repr, bool, float, int, len, list, pickle.dumps, copy.copy, json.dumps):
        for one in (key, value):
            with pytest.raises(TypeError):
                use(one)
    assert lazy == wanted and dict.__len__(lazy) == len(wanted)


@pytest.mark.parametrize(
    "reader",
    ["orjson.dumps", "ujson.dumps", "rapidjson.dumps", "polars.Series", "pyarrow.array"],
)
def test_code_that_reads_the_storage_fails(pair, reader):
    module, _, name = reader.partition(".")
    read = getattr(pytest.importorskip(module), name)
    with pytest.raises(TypeError):
        read([pair[0]])


def test_few_items_are_plain_dicts():
    found = nx.pagerank(nx.path_graph(4), backend="edgewise")
    assert type(found) is dict and len(dict.items(found)) == 4
    assert type(nx.edge_betweenness_centrality(nx.path_graph(4), backend="edgewise")) is dict
    assert nx.pagerank(nx.Graph(), backend="edgewise") == {}
    large = nx.degree_centrality(nx.path_graph(Every.eager + 1), backend="edgewise")
    assert type(large) is LazyDict and large[0] > 0
    assert json.loads(json.dumps(large))[str(Every.eager)] == large[0]


def test_threads_may_fill_together(pair):
    lazy, wanted = pair
    with ThreadPoolExecutor(4) as pool:
        assert all(
            one == [*wanted.items()] for one in pool.map(lambda _: [*lazy.items()], range(9))
        )


def test_copies_and_pickles_are_plain(pair):
    lazy, _ = pair
    for made in (copy.copy(lazy), lazy.copy(), pickle.loads(pickle.dumps(lazy))):
        assert type(made) is dict
    with pytest.raises(TypeError):
        hash(lazy)


def test_json_and_values_are_pythons():
    graph = nx.path_graph(3)
    lazy = nx.degree_centrality(graph, backend="edgewise")
    assert json.loads(json.dumps(lazy)) == {"0": 0.5, "1": 1.0, "2": 0.5}
    assert Counter(lazy)[1] == 1.0 and defaultdict(int, lazy)[0] == 0.5
    assert pd.Series(nx.degree_centrality(graph, backend="edgewise")).sum() == 2.0
    assert {type(value) for value in lazy.values()} == {float}
