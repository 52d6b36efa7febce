"""Short augmentations [1, 2, 3]: a 2/3-approximate maximum weight matching, in parallel.

An *arm* of a matched edge is an edge from one of its ends to a vertex outside, which then leaves
its mate. A matched edge b - c can be replaced by an arm at b, at c, or at both. Or two matched
edges a - d and b - c are replaced by a - b and c - d. A matching that no such exchange makes
heavier has at least 2/3 of the maximum weight.

Each round plans the best exchange of every matched edge and free vertex. One reduction over the
neighbors gives the two best arms of a vertex, because both ends may prefer the same neighbor. An
upper bound on the gain of each vertex's arms rules out most vertices. Of conflicting exchanges, the
one of larger gain goes first; ties go by a hash of the seed. All exchanges that nothing outranks
are applied at once, until none is left. The next round examines only what has changed. A round is
about linear in the edges.

[1] D. Drake, S. Hougardy. Improved linear time approximation algorithms for weighted matchings.
    APPROX 2003.
[2] S. Pettie, P. Sanders. A simpler linear time 2/3 - epsilon approximation for maximum weight
    matching. Information Processing Letters 91(6), 2004.
[3] J. Maue, P. Sanders. Engineering algorithms for approximate weighted matching. WEA 2007.
"""

from __future__ import annotations

from itertools import count
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.matching import arms, exchanges
from edgewise.algorithms.matching.locally_dominant import match_free
from edgewise.algorithms.matching.result import Matching, finite_weights, matched, mate_weights
from edgewise.algorithms.matching.verify_matching import verify_matching
from edgewise.algorithms.weighted_rows import WeightedRows, weighted_rows
from edgewise.base.checks import check_count, check_one_device
from edgewise.base.observe import notify
from edgewise.base.random import hashed
from edgewise.graph import Graph
from edgewise.graph.edges import Arcs
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.operators import advance, compute, filter, for_rows, reduce_neighbors

__all__ = ["two_thirds"]

# So many times the exchange that gains more goes first, then chance decides: gains that grow along
# a path would wait for each other.
_BY_GAIN = 3


@takes_graph
def two_thirds(graph: LocalGraphLike, *, weights: Any = "weight", start: Any = None,
               max_iter: int | None = None, seed: int = 0) -> Matching:  # fmt: skip
    """Return a 2/3-approximate maximum weight matching found by short augmentations.

    It stops when no augmentation with up to two new edges gains weight, which gives the guarantee.
    About ten rounds are usual. The first three bring nearly all of the gain.

    Parameters
    ----------
    graph : Graph
        Undirected.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Finite. Edges of weight zero or less are never matched.
    start : Matching, or array over vertices, optional
        The matching to improve, as the mate of each vertex or -1. By default that of
        `edgewise.matching.locally_dominant`.
    max_iter : int, optional
        The largest number of rounds. The guarantee may not hold if it is reached.
    seed : int
        Breaks ties between augmentations of equal gain. The same seed gives the same matching.

    Returns
    -------
    Matching
        Never lighter than ``start``. It is the same on every engine and for any number of threads.

    Raises
    ------
    ValueError
        If the graph is directed, a weight is not finite, or ``start`` is not a matching.

    Notes
    -----
    O(m log d) time per round, where d is the largest degree.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[2.0, 3.0, 2.0])
    >>> found = two_thirds(path)  # the locally dominant matching has 1 - 2 alone
    >>> found.mate.tolist(), found.weight
    ([1, 0, 3, 2], 4.0)
    """
    check_one_device(graph, "two_thirds")
    lengths = finite_weights(graph, weights, "two_thirds")
    max_iter = None if max_iter is None else check_count(max_iter, "max_iter")
    if graph.num_self_loops:
        weights = lengths = _without_loops(graph, lengths)
    work = _begin(graph, weights, lengths, _start(graph, start, weights))
    for turn in count() if max_iter is None else range(max_iter):
        wanted, made = _make(work, _find(work, turn), turn, hashed(seed, turn))
        notify(turn, wanted=wanted, exchanges=made)
        if not wanted:
            return matched(graph, work.mates.mate, weights)
        _spread(work, turn)
    match_free(graph, work.mates.mate, weights)
    return matched(graph, work.mates.mate, weights)


class _Work(NamedTuple):
    """The graph, and the records that its functions share; `arms` says more."""

    graph: Graph
    along: dict[str, Any]  # which edges, and their weights, for `reduce_neighbors`
    rows: WeightedRows  # with the same weights
    mates: exchanges.Mates
    arms: arms.Arms
    plan: exchanges.Exchanges
    top: Any
    lead: Any


def _start(graph: Graph, start: Any, weights: Any) -> Any:
    """The mates to start from: those given, and of who is free then the locally dominant ones."""
    mate = graph.full(-1, graph.id_dtype)
    if start is not None:
        start = graph.xp.asarray(getattr(start, "mate", start))
        verdict = verify_matching(graph, start, weights=Arcs(weights))
        if not verdict.valid:
            raise ValueError(f"start must be a matching of the graph: {verdict.reason}")
        mate[:] = start
        mate[mate_weights(graph, mate, weights) <= 0] = -1
    match_free(graph, mate, weights)
    return mate


def _begin(graph: Graph, weights: Any, lengths: Any, mate: Any) -> _Work:
    """Everything is to be looked at."""
    held, rows = graph.full(0.0), weighted_rows(graph, lengths)
    compute(graph, None, arms.hold, (mate, held, rows))
    along = {"mode": "out", "weights": weights}
    most = reduce_neighbors(graph, None, arms.best_arm, held, reduce=arms.BEST, **along)
    rounds = (graph.full(one, np.int32) for one in (0, -1, -1))
    two = arms.Arms(*(graph.full(0, kind) for kind in (np.float64, np.int64) * 2))
    plan = exchanges.Exchanges(graph.full(0.0), graph.full(-1, np.int64), graph.full(-1, np.int64))
    mates = exchanges.Mates(mate, held, graph.full(0.0), most, *rounds)
    return _Work(graph, along, rows, mates, two, plan, graph.full(0.0), graph.full(0, np.uint64))


def _find(work: _Work, turn: int) -> Any:
    """Plan the best exchange of each center that is to be looked at; the ends of these."""
    graph, rows, mates, two, planned = work.graph, work.rows, work.mates, work.arms, work.plan
    looked = filter(graph, None, arms.is_looked_at, (mates, turn))
    ends = filter(graph, looked, arms.hopes, mates)
    reduce_neighbors(
        graph, ends, arms.arm, mates.held, reduce=arms.TWO_BEST, out=tuple(two), **work.along
    )
    walkers = filter(graph, looked, arms.plan, (rows, mates, two, planned, turn))
    if rows.stride:  # where all weigh the same, partners need not be exchanged
        state = {"rows": rows, "mates": mates, "planned": planned}
        for_rows(
            graph, walkers, arms.close, arms.note, tuple(state.values()), own=mates.mate,
            params=state, reduce=arms.LAST_BEST, **work.along,
        )  # fmt: skip
    return looked


def _make(work: _Work, looked: Any, turn: int, key: Any) -> tuple[int, int]:
    """Make exchanges that do not touch, as many as there are; how many were wanted, and made."""
    graph, state = work.graph, (work.rows, work.mates, work.plan)
    waiting, wanted, made = looked, 0, 0
    for tries in count():
        contest = exchanges.Contest(work.top, work.lead, key, tries >= _BY_GAIN)
        waiting = filter(graph, waiting, exchanges.enter, (*state, contest, turn))
        if tries == 0:
            wanted = len(waiting)
        if waiting.empty():
            break
        compute(graph, waiting, exchanges.contend, (*state, contest))
        made += len(waiting)
        waiting = filter(graph, waiting, exchanges.settle, (*state, contest, turn))
        made -= len(waiting)
    return wanted, made


def _spread(work: _Work, turn: int) -> None:
    """Note at the neighbors of all that has changed what must be looked at again."""
    moved = filter(work.graph, None, exchanges.has_moved, (work.mates, turn))
    advance(work.graph, moved, exchanges.spread, (work.rows, work.mates, turn), output=None)


def _without_loops(graph: Graph, lengths: Any) -> Any:
    """A copy of the weights in which loops, and they alone, weigh nothing."""
    lengths = graph.xp.ones(graph.num_arcs) if lengths is None else lengths.copy()
    advance(graph, None, arms.drop_loop, lengths, output=None)
    return lengths
