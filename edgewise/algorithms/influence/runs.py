"""Many runs of a diffusion at once, one bit of a word for each [1].

Run r is bit r % 64 of word r // 64. Up to 64 words, 4,096 runs, go over the edges together in a
*pass*. In a step, infectious vertices send words with their runs along their edges. Coins decide
for 64 runs at a time (`passing`), and words are combined by OR. The work is one word per edge that
may transmit in some of its runs.

[1] M. Then, M. Kaufmann, F. Chirigati et al. The more the merrier: efficient multi-source graph
    traversal. PVLDB 8(4), 2014.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.influence.illness import States, census, fall_ill, go_on, is_active
from edgewise.algorithms.influence.live import along_live_edges, buffers_for, worth_a_look
from edgewise.algorithms.influence.passing import Process
from edgewise.algorithms.traversal.bit_parallel import set_lanes, settle
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import OR, Frontier, advance, compute, filter, frontier, reduce_all
from edgewise.operators.lanes import lane_counts
from edgewise.operators.monoids import add_each

__all__ = ["Outcome", "Part", "outcomes"]

#: Words in a pass; fewer where the state of a vertex, so many times that, takes more memory.
_WIDEST, _STATES, _BYTES = 64, 5, 4 << 30
_EVERY = np.uint64(2**64 - 1)


class Part(NamedTuple):
    """The runs of a pass: they begin with word ``first``."""

    first: int
    width: int
    runs: int

    @property
    def last(self) -> np.uint64:
        """The bits of the last word that are runs."""
        return _EVERY >> np.uint64(-self.runs % 64)


class Outcome(NamedTuple):
    """How many are infected in each run, and in each step in all runs together: those infected by
    then, those that are exposed, those that are infectious; and how many edges were looked at,
    if somebody asks."""

    sizes: np.ndarray
    steps: list[tuple[int, int, int]]
    visits: int = 0


def outcomes(
    graph: AnyGraph, process: Process, seeds: np.ndarray, runs: int, infected: Any, most: int | None
) -> Iterator[Outcome]:
    """Pass after pass, for ``most`` steps at most; ``infected[v]`` grows by v's runs."""
    run, first, buffers = _once if process.course is None else _again, 0, None
    if worth_a_look(graph, process, runs):
        found = _once(graph, process, Part(0, 1, 64), seeds, infected, most, counts=True)
        yield found
        first, buffers = 1, buffers_for(graph, found.visits, runs)
    words = -(-runs // 64)
    wide = _BYTES // (8 * _STATES * max(graph.num_vertices, 1))
    wide = min(_WIDEST, max(1, wide), words if buffers is None else buffers.width)
    for low in range(first, words, wide):
        width = min(wide, words - low)
        part = Part(low, width, min(64 * width, runs - 64 * low))
        if buffers is None:
            yield run(graph, process, part, seeds, infected, most)
        else:
            seen = _state(graph, part)
            _sow(graph, seen, process, part, seeds)
            yield Outcome(*along_live_edges(graph, process, part, seen, infected, most, buffers))


def _sow(graph: AnyGraph, seen: Any, process: Process, part: Part, seeds: np.ndarray) -> Frontier:
    """Infect the seeds: the same in all runs, or the row of each run; who they are."""
    if seeds.ndim == 1:
        start = frontier(graph, seeds)
        compute(graph, start, _infect, (seen, part.last))
        return start
    mine = seeds[64 * part.first : 64 * part.first + part.runs]
    lanes, chosen = np.repeat(np.arange(len(mine)), mine.shape[1]), mine.ravel()
    open_to_it = ~np.isin(chosen, process.immune)
    chosen, lanes = chosen[open_to_it], lanes[open_to_it]
    set_lanes(graph, seen, chosen, lanes, np.uint64(0))
    return frontier(graph, chosen)


def _once(graph: AnyGraph, process: Process, part: Part, seeds: np.ndarray, infected: Any,
          most: int | None, counts: bool = False) -> Outcome:  # fmt: skip
    """Who becomes active passes it on in the next step, and never again."""
    seen, before, fresh = (_state(graph, part) for _ in range(3))
    sizes, steps, total, visits = np.zeros(64 * part.width, np.int64), [], 0, 0
    reached, options = _sow(graph, seen, process, part, seeds), _options(process, part)
    degrees: Any = graph.row_lengths() if counts else None
    while True:
        compute(graph, reached, _arrive, (seen, before, fresh, infected))
        found = lane_counts(graph, reached, fresh)
        sizes, new = sizes + found, int(found.sum())
        total += new
        steps.append((total, 0, new))
        if not (reached.empty() or len(steps) - 1 == most):
            visits += int(degrees[reached.ids].sum()) if counts else 0
            reached = advance(graph, reached, process.message, seen, source_values=fresh, **options)
        if reached.empty() or len(steps) - 1 == most:
            return Outcome(sizes[: part.runs], steps, visits)


def _again(graph: AnyGraph, process: Process, part: Part, seeds: np.ndarray, infected: Any,
           most: int | None) -> Outcome:  # fmt: skip
    """Who is infectious tries again in every step, until it recovers."""
    seen, before, ill, exposed = (_state(graph, part) for _ in range(4))
    ids, fresh = graph.vertex_ids(), graph.full(0, np.int64)
    more = (process.course, process.seed, part.first, process.model == "seir")
    active = everyone = ever = _sow(graph, seen, process, part, seeds)
    state = States(seen, before, ill, exposed, fresh, infected, ids)
    compute(graph, active, fall_ill, state)
    options, steps, total = _options(process, part), [], 0
    while True:
        new, waiting, sick = map(int, reduce_all(
            graph, (fresh, exposed, ill), reduce=add_each(3), frontier=everyone, function=census
        ))  # fmt: skip
        total += new
        steps.append((total, waiting, sick))
        step = len(steps)
        if active.empty() or step - 1 == most:
            return Outcome(lane_counts(graph, ever, seen)[: part.runs], steps)
        options["params"]["step"] = step
        changed = advance(graph, active, process.message, seen, source_values=ill, **options)
        everyone, ever = active | changed, ever | changed
        compute(graph, everyone, go_on, (state, *more, step))
        active = filter(graph, everyone, is_active, (ill, exposed))


def _state(graph: AnyGraph, part: Part) -> Any:
    return graph.xp.zeros((graph.num_vertices, part.width), np.uint64)


def _options(process: Process, part: Part) -> dict[str, Any]:
    params = {"seed": process.seed, "first": part.first}
    return {"reduce": OR, "weights": process.words, "params": params, "direction": "push"}


def _infect(v, seen, last):
    width = seen.shape[1]
    for j in range(width - 1):
        seen[v, j] = _EVERY
    seen[v, width - 1] = last


def _arrive(v, seen, before, fresh, infected):
    infected[v] += settle(v, seen, before, fresh)
