"""Adaptive anonymity: suppress few cells of a table so that each record is one of its own k [1, 2].

A twin of a record is another record that could be meant by the same released row: the two differ
only in cells that are suppressed in both. A graph joins similar records. A subgraph in which record
i has at least k(i) - 1 edges, a b-edge cover, makes its neighbors twins if all cells in which two
neighbors differ are suppressed. The number of suppressed cells is a concave function of how many
chosen edges need each cell. It is minimized in rounds: a round takes the tangent at the last
cover as costs of cells, weighs each edge by the cells in which its ends differ, and computes an
approximate b-edge cover of least weight. The best round is kept.

Near-linear time: candidates come from sorts of the records by random columns and from neighbors of
neighbors, not from all pairs.

[1] K. Choromanski, T. Jebara, K. Tang. Adaptive anonymity via b-matching. NIPS 2013.
[2] A. Khan, K. Choromanski, A. Pothen, S M Ferdous, M. Halappanavar, A. Tumeo. Adaptive
    anonymization of data using b-edge cover. SC 2018.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms import ALGORITHMS
from edgewise.apps.anonymity.record_groups import equal_groups
from edgewise.apps.anonymity.similar_records import similar_records
from edgewise.apps.anonymity.tables import Records, read_records
from edgewise.base.checks import check_choice, check_count
from edgewise.base.observe import notify
from edgewise.base.random import check_seed
from edgewise.graph import Graph
from edgewise.graph.edges import Arcs
from edgewise.operators import for_each

__all__ = ["Anonymized", "anonymize"]

#: Each further edge that needs a cell costs so much of the one before.
_NEXT = 0.5
#: More edges that need a cell are not counted: its cost is 0 then.
_ENOUGH = 1000
#: Chosen edges that are checked at a time.
_CHUNK = 1 << 16


class Anonymized(NamedTuple):
    """A released table, and what it cost.

    Attributes
    ----------
    table : pyarrow.Table
        The table in which suppressed cells are null.
    suppressed : array of bool, records x columns
        The suppressed cells. Other null cells of ``table`` were missing before.
    twins : array of int
        For each record, the number of other records that were checked to be twins. It is at least
        k - 1.
    fraction : float
        The fraction of cells that are suppressed.
    rounds : list of float
        That fraction after each round.
    columns : list of str
        The names of the columns of ``suppressed``.
    """

    table: Any
    suppressed: Any
    twins: Any
    fraction: float
    rounds: list[float]
    columns: list[str]


def anonymize(
    table: Any,
    k: Any,
    *,
    columns: Any = None,
    method: str = "cover",
    max_iter: int = 8,
    num_candidates: int | None = None,
    seed: int = 0,
) -> Anonymized:
    """Return a table in which each record has k - 1 twins, with few suppressed cells.

    Parameters
    ----------
    table : pyarrow.Table, pandas or Polars data frame
        One record per row. Equal cells are those with the same value; a missing value is a value of
        its own. Round numbers or cut them into classes first.
    k : int, str, or array of int over records
        How many records each record must hide among, itself included: one number for all, the name
        of a column of whole numbers or their texts, or an array. That column is not released.
    columns : list of str, optional
        The columns that could identify a record, in which cells may be suppressed. By default, all
        columns except that of ``k``. Others are released as they are.
    method : {"cover", "groups"}
        "cover" gives twins to each record of its own. "groups" cuts the records into groups whose
        released rows are equal (plain k-anonymity, by recursive splits); it suppresses more.
    max_iter : int
        The number of rounds of "cover". The first uses distances alone.
    num_candidates : int, optional
        The number of similar records to consider for each; by default, 12 more than the largest k.
    seed : int
        Seed of the search for similar records. The same seed gives the same table for any number of
        threads.

    Returns
    -------
    Anonymized
        The released table, the suppressed cells, and the twins of each record.

    Raises
    ------
    ValueError
        If ``k`` is more than the number of records, or a column is not there.

    TypeError
        If ``k`` has other values than whole numbers, or a column has no single type.

    Notes
    -----
    In the released table, suppressed cells and those that were missing before look alike. This is
    safe: twins are also twins for readers who know ``suppressed``, as a missing value equals only
    missing ones. O(n d num_candidates) time for n records of d columns, for each round.

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = pa.table({"age": [30, 30, 40, 40, 40], "city": list("aabbc"), "k": [2, 2, 2, 2, 3]})
    >>> found = anonymize(table, "k")
    >>> found.table.to_pydict()
    {'age': [30, 30, 40, 40, 40], 'city': ['a', 'a', None, None, None]}
    >>> found.twins.tolist(), found.fraction
    ([1, 1, 1, 1, 2], 0.3)
    """
    check_choice(method, "method", ("cover", "groups"))
    turns, hashed = check_count(max_iter, "max_iter", 1), int(check_seed(seed))
    records = read_records(table, k, columns)
    largest = int(records.k.max(initial=1))
    many = largest + 12
    if num_candidates is not None:
        many = check_count(num_candidates, "num_candidates", max(largest - 1, 1))
    if method == "groups":
        group = equal_groups(records.codes, records.k)
        hidden, twins = _equal_cells(records.codes, group)
        rounds = [float(hidden.mean()) if hidden.size else 0.0]
    else:
        hidden, twins, rounds = _cover(records, many, turns, hashed)
    if (twins < records.k - 1).any():  # never, unless there is a fault here
        raise RuntimeError(f"record {int((twins < records.k - 1).argmax())} has too few twins")
    released = records.released(hidden)
    return Anonymized(released, hidden, twins, min(rounds), rounds, records.columns)


def _cover(
    records: Records, many: int, turns: int, seed: int
) -> tuple[np.ndarray, np.ndarray, list[float]]:
    """The cells to suppress, the twins of each record, and the fraction after each round."""
    codes, b = records.codes, records.k - 1
    n, d = codes.shape
    nothing = np.zeros((n, d), np.bool_), np.zeros(n, np.int64)
    if n == 0 or d == 0 or not b.any():
        return nothing[0], np.full(n, n - 1) if d == 0 else nothing[1], [0.0]
    near = similar_records(codes, min(many, n - 1), seed)
    graph = Graph.from_edges(np.repeat(np.arange(n), near.shape[1]), near.reshape(-1),
                             num_vertices=n)  # fmt: skip
    b_edge_cover = ALGORITHMS["matching.b_edge_cover"].load()
    sources, targets, _ = graph.edges()
    costs, best, rounds = np.ones((n, d), np.float32), None, []
    weights = np.empty(graph.num_edges, np.float64)
    for turn in range(turns):
        state = (codes, costs, sources, targets, weights)
        for_each(graph.num_edges, _weigh, state, work=graph.num_edges * d // 4)
        over_arcs = Arcs(weights[graph.arc_to_edge])
        chosen = b_edge_cover(graph, b, weights=over_arcs, method="nearest").edges
        part = Graph.from_edges(sources[chosen], targets[chosen], num_vertices=n)
        counts = np.zeros((n, d), np.uint16)
        chosen_rows = (codes, part.indptr, part.indices, counts)
        for_each(n, _count, chosen_rows, work=part.num_arcs * d // 4)
        rounds.append(float((counts > 0).mean()))
        notify(turn, phase="covers", suppressed=rounds[-1])
        if rounds[-1] == min(rounds):
            best = part, counts > 0
        np.power(np.float32(_NEXT), counts, out=costs, dtype=np.float32)
    assert best is not None
    return best[1], _twins(codes, *best), rounds


def _twins(codes: np.ndarray, part: Graph, hidden: np.ndarray) -> np.ndarray:
    """For each record, the chosen neighbors that differ from it in suppressed cells alone."""
    sources, targets, _ = part.edges()
    twins = np.zeros(len(codes), np.int64)
    for first in range(0, len(sources), _CHUNK):
        u, v = sources[first : first + _CHUNK], targets[first : first + _CHUNK]
        fine = ((codes[u] == codes[v]) | (hidden[u] & hidden[v])).all(axis=1)
        for side in (u[fine], v[fine]):
            twins += np.bincount(side, minlength=len(codes))
    return twins


def _equal_cells(codes: np.ndarray, group: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The cells in which the records of a group differ, and how many others are in it."""
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(group[order]) > 0]) if len(order) else order
    hidden = np.zeros(codes.shape, np.bool_)
    for column in range(codes.shape[1] if len(order) else 0):
        cells = codes[order, column]
        least, most = np.minimum.reduceat(cells, starts), np.maximum.reduceat(cells, starts)
        hidden[:, column] = (least < most)[group]
    return hidden, np.bincount(group)[group] - 1 if len(order) else group


def _weigh(e, codes, costs, sources, targets, weights):
    """The cost of all cells in which the two ends of an edge differ."""
    u, v, total = sources[e], targets[e], 0.0
    for f in range(codes.shape[1]):
        if codes[u, f] != codes[v, f]:
            total += costs[u, f] + costs[v, f]
    weights[e] = total


def _count(v, codes, indptr, indices, counts):
    """How many chosen neighbors differ from a record in each cell."""
    for e in range(indptr[v], indptr[v + 1]):
        u = indices[e]
        for f in range(codes.shape[1]):
            if codes[u, f] != codes[v, f] and counts[v, f] < _ENOUGH:
                counts[v, f] += 1
