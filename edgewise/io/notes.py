"""What a reader noticed about a file and decided itself: a direction, a header, columns left out.

A reader says it with `note`. Whoever wants to show it reads inside `collect`; outside of it only
what may be a mistake becomes a warning: what was not read (a column of numbers, weights of
vertices, a second graph), and edges that were merged although they have weights or ids of their
own.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple

from edgewise.graph import Graph
from edgewise.graph.kinds import AnyGraph

__all__ = [
    "WARNED",
    "Note",
    "collect",
    "collecting",
    "graph_of_edges",
    "note",
    "tell_repeats",
    "warn_of",
]

#: Kinds of notes that may be mistakes.
WARNED = ("bipartite", "columns", "graphs", "objects", "parallel", "weights")

_collected: ContextVar[list[Note] | None] = ContextVar("collected", default=None)


class Note(NamedTuple):
    """One thing that a reader noticed."""

    kind: str  # "direction", "header", "repeats", "ids", or one of `WARNED`
    text: str
    python: str = ""  # the argument of `read` that says otherwise
    option: str = ""  # the same on the command line


@contextmanager
def collect() -> Iterator[list[Note]]:
    """A list that gets the notes of all files read inside the block.

    >>> with collect() as notes:
    ...     note("ids", "ids 1 to 3")
    >>> [one.text for one in notes]
    ['ids 1 to 3']
    """
    found: list[Note] = []
    token = _collected.set(found)
    try:
        yield found
    finally:
        _collected.reset(token)


def collecting() -> bool:
    """Does anybody want notes? Then one may cost a little work."""
    return _collected.get() is not None


def note(kind: str, text: str, python: str = "", option: str = "") -> None:
    """Say what was noticed, to whoever collects it."""
    found = _collected.get()
    if found is not None:
        found.append(Note(kind, text, python, option))


def graph_of_edges(
    sources: Any, targets: Any, weights: Any, *, duplicates: str | Mapping[str, str], **options: Any
) -> Graph:
    """The graph of a file whose edges are things of their own; a note says which were merged."""
    graph = Graph.from_edges(sources, targets, weights, duplicates=duplicates, **options)
    if options.get("self_loops") == "keep" and options.get("symmetrize") != "given":
        tell_repeats(graph, len(targets), weights is not None, duplicates, things="edges")
    return graph


def tell_repeats(
    graph: AnyGraph, count: int, weighted: bool, duplicates: str | Mapping[str, str], *,
    things: str = "lines",
) -> None:  # fmt: skip
    """Note how many of a file's ``count`` edges give one again, and what became of their weights.

    Where edges are ``things`` of their own, not lines, that they are merged may be a mistake.
    """
    repeats = count - int(graph.num_edges)
    if repeats <= 0 or not collecting():
        return
    text = f"{repeats:,} of {count:,} {things} repeat an edge"
    if things != "lines":
        note("parallel", f"{text}, and are merged")
    elif graph.directed:
        note("repeats", text)
    else:
        note("repeats", f"{text}, in either direction", "directed=True tells directions apart",
             "--directed")  # fmt: skip
    if weighted:
        if not isinstance(duplicates, str):
            duplicates = duplicates.get("weight", "sum")
        done = {"sum": "are added up", "first": "do not count"}
        then = done.get(duplicates, f"count by their {duplicates}")
        note("weights", f"the weights of {things} that repeat an edge {then} ({repeats:,} of "
             f"{count:,})", "duplicates= says otherwise", "--duplicates")  # fmt: skip


@contextmanager
def warn_of(path: Path, options: Collection[str] = ()) -> Iterator[None]:
    """Warn of notes that may be mistakes, unless somebody collects them or chose by an option."""
    if _collected.get() is not None:
        yield
        return
    with collect() as notes:
        yield
    chosen = {"parallel": "duplicates", "weights": "duplicates", "columns": "edge_columns"}
    for one in notes:
        if one.kind in WARNED and chosen.get(one.kind) not in options:
            hint = f"; {one.python}" if one.python else ""
            warnings.warn(f"{path}: {one.text}{hint}", stacklevel=4)
