"""PageRank after a batch, from the last ranks and their residual, with a bound of its error.

Let P be the walk that ends at vertices without out-edges, and j the jumps. The ranks are y / sum(y)
for y = alpha P y + (1 - alpha) j. The residual r = alpha P y + (1 - alpha) j - y is kept exactly: a
batch changes it only at the neighbors of its ends. The error of y is at most |r| / (1 - alpha) in
total, so that of the ranks is at most 2 |r| / ((1 - alpha) sum(y)). The error after `pagerank` is
at most alpha / (1 - alpha) times its tolerance.

While the residual is large at few vertices only, these pass it on to their neighbors (forward push
[1]). When it has spread over the graph, `pagerank` goes on from the ranks so far. The residual
after that is computed when it is needed. Where it spreads after every batch, `Trust` leaves it out.

[1] H. Zhang, P. Lofgren, A. Goel. Approximate personalized PageRank on dynamic graphs. KDD 2016.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.ranking.pagerank import pagerank
from edgewise.algorithms.weighting import proportions
from edgewise.base import atomic
from edgewise.dynamic.worklist import ROW, Trust
from edgewise.operators import for_each

__all__ = ["RankRepair", "StreamRank"]

#: Residuals are pushed while fewer than this share of the vertices have a large one.
FEW, PUSHES = 1 / 16, 64


class StreamRank(NamedTuple):
    """PageRank of a changing graph, and a bound of its error.

    Attributes
    ----------
    rank : array of float64 over vertices
        The ranks; they sum to one.
    error : float
        The ranks differ from the exact ones by at most this, summed over vertices.
    """

    rank: Any
    error: float


class RankRepair:
    """The answer of `pagerank`, kept up to date."""

    #: After a batch of more than this share of the edges, all vertices go on from the old ranks.
    share = 1 / 256

    def __init__(self, stream: Any, alpha: float, jumps: Any, tol: float, trust: Trust):
        self.trust, self.error = trust, 0.0
        self.stream, self.rows, self.xp = stream, stream.out, stream.graph.xp
        self.alpha, self.tol = alpha, tol
        n = stream.graph.num_vertices
        self.even = jumps is None
        self.jump = self.xp.ones(n)
        if not self.even:
            self.jump = proportions(stream.graph, jumps, "personalization") * 1.0
        self.y, self.behind = self.jump * 0, False
        #: None while it is not known: after all ranks have been computed.
        self.residual: Any = None
        self._sweep(None)

    def start(self) -> None:
        """Make what repairs need: the residual, and ranks that are scaled to it."""
        if self.behind or self.residual is not None:
            return
        # rank = alpha P rank + share j, where the share has the jumps from ends, too.
        xp, rank = self.xp, self.y
        self.residual = xp.zeros(len(rank))
        self._send(xp.arange(len(rank)), 1.0)
        share = float(rank.sum() - self.residual.sum()) / (float(self.jump.sum()) or 1.0)
        scale = (1 - self.alpha) / (share or 1.0)
        self.y = rank * scale
        self.residual = self.residual * scale + (1 - self.alpha) * self.jump - self.y

    def grow(self, n: int) -> None:
        """Add vertices, to which the walk jumps if it jumps anywhere."""
        xp, more = self.xp, n - len(self.y)
        jump = xp.full(more, 1.0 if self.even else 0.0)
        self.jump = xp.concatenate([self.jump, jump])
        self.y = xp.concatenate([self.y, xp.zeros(more)])
        if self.residual is not None:
            self.residual = xp.concatenate([self.residual, (1 - self.alpha) * jump])

    def check(self, batch: Any) -> None:
        """ValueError if the batch may not be added."""
        weights = batch.weights
        if weights is not None and not (np.isfinite(weights).all() and (weights >= 0).all()):
            raise ValueError("weights must be finite and not negative to keep pagerank up to date")

    def late(self) -> RankRepair:
        """Go on from the ranks, whose residual is not known any more."""
        self.behind, self.residual = True, None
        return self

    @property
    def staged(self) -> bool:
        """Does it need the rows before and after a change?"""
        return not self.behind

    def before(self, tops: Any) -> None:
        """Take back what the rows that change have sent."""
        self._send(tops, -1.0)

    def after(self, tops: Any) -> None:
        """Send along the rows as they are now."""
        self._send(tops, 1.0)

    def _send(self, tops: Any, sign: float) -> None:
        if self.behind:
            return
        state = (tops, self.rows.rows, sign * self.alpha, self.y, self.residual)
        for_each(len(tops), _send_row, state, device=self.rows.device, work=ROW * len(tops))

    def answer(self) -> StreamRank:
        """The ranks now."""
        xp, n = self.xp, len(self.y)
        if n == 0:
            return StreamRank(self.y.copy(), 0.0)
        if self.behind or (self.residual is not None and not self._pushed()):
            self._sweep(self.y)
        rank, error = xp.maximum(self.y, 0.0), self.error
        if self.residual is not None:
            error = 2 * self._norm() / ((1 - self.alpha) * float(self.y.sum()))
        return StreamRank(rank / rank.sum(), error)

    def _pushed(self) -> bool:
        """Push residuals until little is left; False if they have spread too far."""
        xp, n = self.xp, len(self.y)
        for _ in range(PUSHES):
            left, goal = self._norm(), self._goal()
            if left <= goal:
                self.trust.succeeds()
                return True
            large = xp.flatnonzero(abs(self.residual) > max(goal, left / 8) / n)
            if len(large) > FEW * n:
                break
            sent = self.residual[large]
            self.residual[large] = 0
            self.y[large] += sent
            state = (large, self.rows.rows, self.alpha, sent, self.residual)
            for_each(len(large), _push, state, device=self.rows.device, work=ROW * len(large))
        self.trust.fails()
        return False

    def _norm(self) -> float:
        return float(abs(self.residual).sum())

    def _goal(self) -> float:
        """How large the residual may be in total."""
        return self.tol * (1 - self.alpha) * float(self.y.sum()) / 2

    def _sweep(self, start: Any) -> None:
        """Ranks of the whole graph, from the ones before if there are any.

        What is to be pushed later must leave less of an error than what is only read.
        """
        graph, alpha = self.stream.graph, self.alpha
        if graph.num_vertices == 0:
            return
        read = self.behind and start is not None
        tol = max(self.tol * (1 - alpha) / (max(alpha, 0.5) if read else 2), 1e-15)
        start = None if start is None else self.xp.maximum(start, 0.0)
        self.y = pagerank(graph, alpha=alpha, tol=tol, start=start,
                          personalization=None if self.even else self.jump)  # fmt: skip
        self.error, self.behind, self.residual = tol * alpha / (1 - alpha), False, None


def _send_row(i, tops, rows, share, y, residual):
    """Add to the residual of neighbors the share of what v has, by weight."""
    v, total = tops[i], 0.0
    for e in range(rows.start[v], rows.start[v] + rows.length[v]):
        total += rows.weights[e * rows.step]
    if total > 0:
        for e in range(rows.start[v], rows.start[v] + rows.length[v]):
            weight = rows.weights[e * rows.step]
            atomic.add(residual, rows.targets[e], share * y[v] * weight / total)


def _push(i, ids, rows, alpha, sent, residual):
    v, total = ids[i], 0.0
    for e in range(rows.start[v], rows.start[v] + rows.length[v]):
        total += rows.weights[e * rows.step]
    if total > 0:
        for e in range(rows.start[v], rows.start[v] + rows.length[v]):
            weight = rows.weights[e * rows.step]
            atomic.add(residual, rows.targets[e], alpha * sent[i] * weight / total)
