"""Vertices on the command line: by the ids or names that the file has, one by one or in files.

A file of values has lines ``vertex,value``, with or without a line of titles above, as ``-o`` of
another command writes them, or it is a ``.npy`` array with a value for every position.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from edgewise.cli.describe import id_range, label_of, say_ids
from edgewise.cli.usage_errors import suggestion
from edgewise.graph.kinds import AnyGraph

__all__ = [
    "amounts",
    "array",
    "attribute",
    "counts",
    "mates",
    "other",
    "pairs",
    "pattern",
    "sides",
    "values",
    "vertex",
    "vertices",
]

_TITLES = ("vertex", "node", "id", "label", "name")  # of the first column
_MOST_NAMES = 100_000  # that are looked through for a suggestion


def vertex(graph: AnyGraph, text: str) -> int:
    """The id of a vertex that the file calls ``text``; ``id:7`` is the vertex with id 7."""
    labels = graph.labels
    for label in _readings(text, None if labels is None else labels.dtype.kind):
        if labels is None:
            if 0 <= label < graph.num_vertices:
                return label
            continue
        try:
            return int(graph.vertex(label))
        except (KeyError, ValueError, TypeError):
            continue
    word, _, place = text.partition(":")
    if word == "id" and place.isdigit() and int(place) < graph.num_vertices:
        return int(place)
    raise ValueError(f"there is no vertex {text!r}{_hint(graph, text)}")


def vertices(graph: AnyGraph, text: str) -> list[int]:
    """Several vertices, with commas between them."""
    return [vertex(graph, part.strip()) for part in text.split(",") if part.strip()]


def pairs(graph: AnyGraph, text: str) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of vertices from a file with lines ``vertex,vertex``."""
    found: list[tuple[int, int]] = []
    with open(Path(text), encoding="utf-8", newline="") as file:
        for i, row in enumerate(csv.reader(file), 1):
            try:
                if row:
                    one, other = (vertex(graph, part.strip()) for part in row)
                    found.append((one, other))
            except ValueError as error:
                if i == 1 and row[0].strip().lower() in (*_TITLES, "source"):
                    continue
                raise ValueError(f"{text}, line {i}: expected vertex,vertex: {error}") from error
    ends = np.array(found, np.int64).reshape(-1, 2)
    return ends[:, 0], ends[:, 1]


def pattern(graph: AnyGraph, text: str) -> Any:
    """A small graph, directed as the graph is, from its edges (``0-1,1-2``); a name stays one."""
    from edgewise.graph import Graph

    if text.isidentifier():
        return text
    try:
        ends = [[int(end) for end in edge.split("-")] for edge in text.split(",")]
        us, vs = zip(*ends, strict=True)
    except ValueError:
        raise ValueError(f"expected edges as 0-1,1-2,0-2, got {text!r}") from None
    return Graph.from_edges(us, vs, directed=graph.directed, duplicates="first")


def other(graph: AnyGraph, text: str) -> Any:
    """Another graph, from a file, directed as the graph is."""
    from edgewise.cli.reading import GraphFile

    return GraphFile(Path(text), directed=graph.directed or None).read()


def values(graph: AnyGraph, text: str) -> np.ndarray:
    """One number per vertex, from a file; those that it does not name have zero."""
    return _from_file(graph, text, np.zeros(graph.num_vertices), lambda part: float(part or "nan"))


def amounts(graph: AnyGraph, text: str) -> Any:
    """One number for all vertices, or from a file one for each."""
    try:
        return float(text)
    except ValueError:
        return values(graph, text)


def counts(graph: AnyGraph, text: str) -> Any:
    """One whole number for all vertices, or from a file one for each."""
    if text.isdigit():
        return int(text)
    return _from_file(graph, text, np.zeros(graph.num_vertices, np.int64), int)


def sides(graph: AnyGraph, text: str) -> np.ndarray:
    """True for some vertices, as a file says with 1 or true."""
    none = np.zeros(graph.num_vertices, bool)
    return _from_file(graph, text, none, lambda part: _TRUTH[part.lower()])


def communities(graph: AnyGraph, text: str) -> np.ndarray:
    """One community for every vertex, from a file; there they may have any names."""
    if text.endswith(".npy"):
        return array(text)
    names = _from_file(graph, text, np.full(graph.num_vertices, None, object), str).tolist()
    if None in names:
        missing = label_of(graph, names.index(None))
        raise ValueError(f"{text}: has no community for vertex {missing}")
    return np.unique(np.array(names, str), return_inverse=True)[1]


def attribute(graph: AnyGraph, text: str) -> np.ndarray:
    """A number for every vertex, or a word, from a file; words become whole numbers."""
    try:
        return values(graph, text)
    except ValueError:
        return communities(graph, text)


def mates(graph: AnyGraph, text: str) -> np.ndarray:
    """One vertex, or none, for each, from a file; -1 stands for none."""
    none = np.full(graph.num_vertices, -1, np.int64)
    return _from_file(graph, text, none, lambda part: vertex(graph, part) if part else -1)


def array(text: str) -> np.ndarray:
    """The array of a ``.npy`` file."""
    found = np.load(text, allow_pickle=False)
    if not isinstance(found, np.ndarray):
        raise ValueError(f"{text}: expected one array in a .npy file")
    return found


_TRUTH = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


def _readings(text: str, kind: str | None) -> Iterator[Any]:
    """What a word may mean as a label of some kind of labels: a number or a text."""
    if kind not in (None, "i", "u", "f"):
        yield text
    for number in (int, float) if kind in ("f", "O") else (int,):
        try:
            yield number(text)
        except ValueError:
            pass


def _hint(graph: AnyGraph, text: str) -> str:
    """What else it may have been: a name much like it, or the range of the ids."""
    labels = graph.labels
    if labels is not None and labels.dtype == object and len(labels) <= _MOST_NAMES:
        names = [name for name in labels.values.tolist() if isinstance(name, str)]
        if near := suggestion(text, names):
            return f"; did you mean {near!r}?"
    if not graph.num_vertices:
        return ": the graph has none"
    if graph.engine != "local":
        return f"; ids go from {label_of(graph, 0)} to {label_of(graph, graph.num_vertices - 1)}"
    found = id_range(graph)
    said = say_ids(found, graph.num_vertices)
    return f"; names are {said}" if "names" in found else f"; ids go from {said}"


def _from_file(graph: AnyGraph, text: str, start: np.ndarray, read: Callable) -> np.ndarray:
    """An array over vertices: a ``.npy`` file, or ``start`` with the lines of a file put in."""
    if text.endswith(".npy"):
        return array(text)
    with open(Path(text), encoding="utf-8", newline="") as file:
        for i, row in enumerate(csv.reader(file), 1):
            if not row:
                continue
            try:
                *_, label, value = [part.strip() for part in row]
                start[vertex(graph, label)] = read(value)
            except (ValueError, KeyError, IndexError) as error:
                if i == 1 and row[0].strip().lower() in _TITLES:
                    continue
                raise ValueError(f"{text}, line {i}: expected vertex,value: {error}") from error
    return start
