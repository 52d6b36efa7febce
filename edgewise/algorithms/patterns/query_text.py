"""Subgraph queries as text: ``"(a:author)->(p), (b)->(p), a < b, p.year >= 2000"``.

Clauses are separated by commas. A chain such as ``(a)-(b)-(c)`` has the edges of the pattern;
``->`` and ``<-`` are those of directed graphs. ``(a:x)`` asks for the label x. A condition compares
two of: a vertex (its id), a column of a vertex, a number, a text in quotes.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

__all__ = ["Condition", "Operand", "Query", "parse_query"]

_NAME = r"[^\W\d]\w*"
_NODE = re.compile(rf"\(\s*({_NAME})\s*(?::\s*([^()\s]+)\s*)?\)")
_EDGE = re.compile(r"\s*(<-|->|-)\s*")
_OPERAND = rf"({_NAME}(?:\.{_NAME})?|[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|'[^']*'|\"[^\"]*\")"
_CONDITION = re.compile(rf"{_OPERAND}\s*(<=|>=|!=|<|>|=)\s*{_OPERAND}")
_CLAUSES = re.compile(r"""(?:[^,'"]|'[^']*'|"[^"]*")+""")


class Operand(NamedTuple):
    """One side of a condition: a column of a vertex of the pattern (its id if None), or a value."""

    vertex: int | None
    column: str | None
    value: Any


class Condition(NamedTuple):
    """A comparison."""

    left: Operand
    sign: str
    right: Operand
    text: str


class Query(NamedTuple):
    """A pattern: names and labels of its vertices, edges, and conditions."""

    names: tuple[str, ...]
    labels: tuple[str | None, ...]
    edges: tuple[tuple[int, int], ...]
    conditions: tuple[Condition, ...]


def parse_query(text: Any, directed: bool) -> Query:
    """Return the query of a text; a ValueError says which clause is wrong.

    >>> query = parse_query("(a)-(b:x)-(c), a < c", directed=False)
    >>> query.names, query.labels, query.edges
    (('a', 'b', 'c'), (None, 'x', None), ((0, 1), (1, 2)))
    """
    if not isinstance(text, str):
        raise TypeError(f"query must be a text such as '(a)-(b)-(c), a < c', got {text!r:.80}")
    clauses = [clause.strip() for clause in _CLAUSES.findall(text)]
    if sum(map(len, _CLAUSES.findall(text))) + text.count(",") < len(text) or not any(clauses):
        raise ValueError(f"query must be clauses separated by commas, got {text!r}")
    places: dict[str, int] = {}
    labels: dict[str, str] = {}
    edges: list[tuple[int, int]] = []
    rest = []
    for clause in clauses:
        if clause.startswith("("):
            edges += _chain(clause, directed, places, labels)
        else:
            rest.append(clause)
    if not edges:
        raise ValueError(f"query must have an edge such as (a)-(b), got {text!r}")
    conditions = tuple(_condition(clause, places) for clause in rest)
    return Query(tuple(places), tuple(map(labels.get, places)), tuple(edges), conditions)


def _chain(
    clause: str, directed: bool, places: dict[str, int], labels: dict[str, str]
) -> list[tuple[int, int]]:
    """The edges of a chain; new names get places."""
    edges: list[tuple[int, int]] = []
    at, last, sign = 0, None, ""
    while True:
        node = _NODE.match(clause, at)
        if node is None:
            raise ValueError(
                f"query: expected a vertex such as (a) or (a:label) at {clause[at:]!r} in "
                f"{clause!r}"
            )
        name, label = node.groups()
        place = places.setdefault(name, len(places))
        if label is not None and labels.setdefault(name, label) != label:
            raise ValueError(f"query: {name} has two labels, {labels[name]!r} and {label!r}")
        if last is not None:
            if last == place:
                raise ValueError(f"query: {name} must not have an edge to itself in {clause!r}")
            edges.append((place, last) if sign == "<-" else (last, place))
        last, at = place, node.end()
        if at == len(clause):
            return edges
        edge = _EDGE.match(clause, at)
        if edge is None:
            raise ValueError(f"query: expected an edge at {clause[at:]!r} in {clause!r}")
        sign, at = edge[1], edge.end()
        if (sign == "-") == directed:
            kinds = "-> or <- in a directed graph" if directed else "- in an undirected graph"
            raise ValueError(f"query: edges are {kinds}, got {sign} in {clause!r}")


def _condition(clause: str, places: dict[str, int]) -> Condition:
    found = _CONDITION.fullmatch(clause)
    if found is None:
        raise ValueError(
            f"query: expected edges such as (a)-(b) or a condition such as a < b or a.age >= 30, "
            f"got {clause!r}"
        )
    left, sign, right = found.groups()
    sides = _operand(left, places, clause), _operand(right, places, clause)
    if sides[0].vertex is None and sides[1].vertex is None:
        raise ValueError(f"query: a condition must be about a vertex, got {clause!r}")
    return Condition(sides[0], sign, sides[1], clause)


def _operand(text: str, places: dict[str, int], clause: str) -> Operand:
    if text[0] in "'\"":
        return Operand(None, None, text[1:-1])
    if text[0].isdigit() or text[0] in "+-":
        return Operand(None, None, int(text) if text.lstrip("+-").isdigit() else float(text))
    name, _, column = text.partition(".")
    if name not in places:
        raise ValueError(
            f"query: {clause!r} is about {name}, which is in no edge; texts go in quotes"
        )
    return Operand(places[name], column or None, None)
