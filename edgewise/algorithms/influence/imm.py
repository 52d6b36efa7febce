"""Influence maximization by martingales (IMM [1]): as many samples as the guarantee needs.

The larger the optimal spread, the fewer samples are needed. So guesses x of the optimal spread are
tested: n / 2, n / 4, and so on. Each takes enough samples to show whether some seeds reach x. The
first success gives a lower bound on the optimal spread, and that the number of samples. With
probability 1 - delta, the greedy choice then has a spread of 1 - 1/e - epsilon times the optimum.
The samples of the guesses are reused, so their number depends on themselves;
`guarantee.corrected_trust` corrects for that [2]. O((k + log(1/delta)) (n + m) log(n) / epsilon^2).

Independent samples then estimate the spread of the seeds. Together with the remaining gains of the
greedy choice, they may prove more than the guarantee (`opim`).

[1] Y. Tang, Y. Shi, X. Xiao. Influence maximization in near-linear time: a martingale approach.
    SIGMOD 2015.
[2] W. Chen. An issue in the martingale analysis of the influence maximization algorithm IMM.
    CSoNet 2018.
"""

from __future__ import annotations

from math import ceil, log, log2, sqrt
from typing import Any

from edgewise.algorithms.influence.guarantee import (
    GREEDY,
    corrected_trust,
    final_factor,
    guess_factor,
    log_choose,
)
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

__all__ = ["imm"]

_CHOOSE, _TEST = 8 / 9, 1 / 9  # of all samples, and of the memory for them


def imm(problem: Problem) -> Seeds:
    """Seeds with a spread of 1 - 1/e - epsilon times the best, but with a probability of delta."""
    n, k, epsilon = problem.graph.num_vertices, problem.k, problem.epsilon
    choices, trust = log_choose(len(problem.candidates), k), log(2 / problem.delta)
    # Algorithm 2: a lower bound of the best spread.
    wide, best, samples = sqrt(2) * epsilon, float(k), None  # k seeds reach themselves
    for i in range(1, int(log2(n))):
        guess = n / 2**i
        if guess <= best:
            break
        size = ceil(guess_factor(n, choices, epsilon, trust) / guess)
        samples = _enough(problem, size, samples)
        spread = n * float(chosen(problem, samples).gains.sum()) / len(samples)
        notify(i, phase="guess", samples=len(samples), spread=spread)
        if spread >= (1 + wide) * guess:
            best = max(best, spread / (1 + wide))
            break
    # Algorithm 3: the greedy choice from as many samples as that bound asks for.
    corrected = corrected_trust(n, choices, epsilon, trust)
    size = ceil(final_factor(n, choices, epsilon, corrected) / best)
    samples = _enough(problem, size, samples)
    found = chosen(problem, samples, bounds=True)
    notify(0, phase="choose", samples=len(samples))
    test = drawn(problem, ceil(len(samples) * _TEST / _CHOOSE), TESTING, share=_TEST)
    told = judged(problem, found, samples, test, (trust, corrected))
    return told._replace(ratio=max(told.ratio, GREEDY - epsilon))


def _enough(problem: Problem, size: int, samples: Any) -> Any:
    """So many samples; MemoryError if there is no memory for them."""
    samples = drawn(problem, size, CHOOSING, samples, share=_CHOOSE)
    if len(samples) < size:
        raise MemoryError(
            f"memory must hold {size:,} samples for this guarantee, got {problem.memory:,} "
            f"bytes for {len(samples):,}; a larger epsilon needs fewer, and "
            "method='opim' works with these"
        )
    return samples
