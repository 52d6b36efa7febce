"""Strides: extrapolated iterations of a random walk with jumps.

An iteration maps the state x to y = alpha P x + b, and multiplies the error by at most alpha. A
stride maps it to e + s (y - e) instead, where e is the state some iterations ago, and s > 1.

On an undirected graph the error has components that an iteration multiplies by real factors, from
-alpha to alpha. Strides from the previous state, by Chebyshev polynomials [1], approach a factor of
alpha / (1 + sqrt(1 - alpha^2)) for all of them: 0.56 instead of 0.85. They begin when a plain
iteration leaves more than halfway between the two. They end when there is no progress, for example
at the limit of rounding.

On a directed graph, or if weights differ by direction, the factors are complex. About every twelve
iterations there is a stride from six iterations ago, with s = 1 / (1 - alpha^6). It removes the
components of period one, two, three or six [2]. If one stride does not help, no other is made.

[1] G. Golub, R. Varga. Chebyshev semi-iterative methods. Numerische Mathematik 3, 1961.
[2] T. Haveliwala, S. Kamvar, D. Klein, C. Manning, G. Golub. Computing PageRank using power
    extrapolation. Stanford, 2003.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Any

from edgewise.graph.kinds import AnyGraph
from edgewise.operators.helpers import inner

__all__ = ["Strides", "stride"]

_BACK = 6  # rounds, on directed graphs
_SLOW = 0.95  # of alpha: rounds that leave more are worth a stride
_PATIENCE = 10  # times the rounds that bring the change down to a third, in vain


@inner
def stride(earlier, new, length):
    """Return the state extrapolated from ``earlier`` through ``new``; ``new`` for length 1."""
    return length * new + (1 - length) * earlier


class Strides:
    """The states of a random walk with jumps, one iteration after another.

    An iteration reads ``flow``, writes ``following`` by `stride` with the values of `state`, and
    ends with `over`.
    """

    def __init__(self, graph: AnyGraph, flow: Any, weights: Any, alpha: float, tol: float):
        self._graph, self._alpha, self.flow = graph, alpha, flow
        self.following = self._new_flow()
        self._earlier: Any = None
        self._spare: Any = None
        self._length = 1.0
        both_ways = not graph.directed and (weights is None or isinstance(weights, str))
        self._next = self._wait if both_ways else self._six_back
        if tol == 0 or alpha == 1:  # so many rounds as are asked for, as others count them
            self._next = self._plain
        self._leaves = alpha / (1 + sqrt(1 - alpha**2))
        self._age, self._last, self._least = 0, inf, inf

    @property
    def state(self) -> tuple[Any, float]:
        """The state that an iteration starts from, and the length of its stride, 1 for none."""
        return (self.flow if self._earlier is None else self._earlier), self._length

    def kept(self) -> tuple[Any, ...]:
        """Return all that the next iterations depend on; other arrays are scratch memory."""
        return (self.flow, self._earlier, self._length, self._age, self._last, self._least,
                self._next.__name__)  # fmt: skip

    def resume(self, flow: Any, earlier: Any, *rest: Any) -> None:
        """Continue from what `kept` has returned."""
        self.flow, self._earlier = flow, earlier
        self._length, self._age, self._last, self._least, name = rest
        self._next = getattr(self, name)
        if self.following.dtype != flow.dtype:
            self.following = self._new_flow()

    def over(self, change: float) -> None:
        """End an iteration; ``change`` is the change that a plain iteration would have made."""
        self._next(change)
        self._last = change

    def outcome(self) -> Any:
        """Return the result of the last iteration, without a stride."""
        if self._length == 1:
            return self.following
        return self._earlier + (self.following - self._earlier) / self._length

    def widen(self) -> None:
        """Continue in float64."""
        wide = self.flow.astype(float)
        if self._earlier is not None:
            self._earlier = wide if self._earlier is self.flow else self._earlier.astype(float)
        self.flow, self._spare = wide, None
        self.following = self._new_flow()

    def _new_flow(self) -> Any:
        return self._graph.xp.empty(self.flow.shape, self.flow.dtype)

    def _plain(self, change: float) -> None:
        self.flow, self.following, self._length = self.following, self.flow, 1.0

    def _wait(self, change: float) -> None:
        """Undirected, before strides begin."""
        if change <= (self._leaves + self._alpha) / 2 * self._last:
            return self._plain(change)
        self._next, self._least = self._one_back, change
        self._earlier, self.flow, self.following = self.flow, self.following, self._new_flow()
        self._length = 1 / (1 - self._alpha**2 / 2)

    def _one_back(self, change: float) -> None:
        """Undirected, from then on."""
        self._age = 0 if change < self._least else self._age + 1
        self._least = min(change, self._least)
        free, self._earlier, self.flow = self._earlier, self.flow, self.following
        self.following, self._length = free, 1 / (1 - self._length * self._alpha**2 / 4)
        if self._age * (1 - self._leaves) > _PATIENCE:
            self._next, self._earlier, self._length = self._plain, None, 1.0

    def _six_back(self, change: float) -> None:
        """Directed: six plain rounds, five more from a state that is kept, and a stride from it."""
        taken, self._age = self._length > 1, self._age + 1
        before, self.flow = self.flow, self.following
        self.following, self._length = before, 1.0
        if taken:
            self._age, self._spare, self._earlier = 0, self._earlier, None
        elif self._age == 1 and change > self._last:
            self._next = self._plain
        elif self._age == _BACK:
            self._earlier, self._least = self.flow, change
        elif self._age == _BACK + 1:
            self.following = self._new_flow() if self._spare is None else self._spare
        elif self._age == 2 * _BACK - 1:
            if change > (_SLOW * self._alpha) ** (_BACK - 1) * self._least:
                self._length = 1 / (1 - self._alpha**_BACK)
            else:
                self._age, self._spare, self._earlier = 0, self._earlier, None
