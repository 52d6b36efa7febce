"""Influence maximization with a certificate from few samples (OPIM-C [1]).

There are two collections of samples. The greedy choice uses the first. The second is independent of
it and gives a lower bound on the spread of the seeds. The remaining gains of the greedy choice give
an upper bound on the optimal spread. If their ratio is at least 1 - 1/e - epsilon, the search ends;
otherwise both collections are doubled. It takes at most about as many samples as `imm`, and often
far fewer. Whenever it stops, the certificate states how good the seeds are.

[1] J. Tang, X. Tang, X. Xiao, J. Yuan. Online processing algorithms for influence maximization.
    SIGMOD 2018.
"""

from __future__ import annotations

from math import log

from edgewise.algorithms.influence.guarantee import GREEDY, log_choose, online_sizes
from edgewise.algorithms.influence.seed_samples import (
    CHOOSING,
    TESTING,
    Problem,
    Seeds,
    chosen,
    drawn,
    judged,
)
from edgewise.base.observe import notify

__all__ = ["opim"]


def opim(problem: Problem) -> Seeds:
    """Seeds that have ``ratio`` of the best spread at least, but with a probability of delta."""
    n, k, goal = problem.graph.num_vertices, problem.k, GREEDY - problem.epsilon
    choices = log_choose(len(problem.candidates), k)
    sizes = online_sizes(n, k, choices, problem.epsilon, problem.delta)
    trust, size, samples, test = log(3 * sizes.rounds / problem.delta), sizes.first, None, None
    for i in range(sizes.rounds):
        samples = drawn(problem, size, CHOOSING, samples, share=0.5)
        test = drawn(problem, size, TESTING, test, share=0.5)
        full = len(samples) < size or len(test) < size
        # Where there was no memory for more, their number depends on what they are.
        spared = trust + full * log(sizes.most)
        found = judged(
            problem, chosen(problem, samples, bounds=True), samples, test, (spared, spared)
        )
        notify(i, phase="certify", samples=found.samples, ratio=found.ratio)
        if full or found.ratio >= goal:
            return found
        size = min(2 * size, sizes.most)
    # So many samples are enough, whatever the certificate says.
    return found._replace(ratio=max(found.ratio, goal))
