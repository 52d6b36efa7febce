"""Shared parts of the generators: random numbers by (seed, item, turn), and graphs from edges."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from edgewise.base import random
from edgewise.base.checks import check_choice, check_flag
from edgewise.graph import Graph

__all__ = [
    "assemble",
    "binomials",
    "check_multiplicity",
    "check_number",
    "check_part",
    "id_type",
    "stream",
    "uniforms",
]


def uniforms(seed: np.uint64, count: int, turn: int = 0) -> np.ndarray:
    """Float64 numbers in [0, 1) for the items ``0..count-1`` in one turn.

    >>> uniforms(np.uint64(1), 3).round(3).tolist()
    [0.04, 0.992, 0.191]
    """
    items = np.arange(count, dtype=np.uint64)
    return random.uniform(seed, items, turn)


def binomials(seed: np.uint64, trials: np.ndarray, p: np.ndarray | float) -> np.ndarray:
    """One binomial number for each number of trials, by the inverse of its distribution.

    >>> binomials(np.uint64(1), np.array([10, 10]), 0.5).tolist()
    [2, 9]
    """
    from scipy.stats import binom

    drawn = binom.ppf(uniforms(seed, len(trials)), trials, p)
    return np.clip(drawn, 0, trials).astype(np.int64)


def stream(seed: np.uint64, number: int) -> np.uint64:
    """A seed of its own for one of several purposes of the same user's seed."""
    return random.bits(seed, number, -1)


#: No graph that is built from a list of edges has more.
MOST_VERTICES = 2**31


def id_type(n: int) -> np.dtype[Any]:
    """The integer type of vertex ids of a graph with ``n`` vertices."""
    return np.dtype(np.int32 if n < 2**31 else np.int64)


def check_multiplicity(count_duplicates: bool, self_loops: str) -> None:
    """Check the two choices that `assemble` takes."""
    check_flag(count_duplicates, "count_duplicates")
    check_choice(self_loops, "self_loops", ("drop", "keep"))


def check_part(part: tuple[int, int] | None, m: int) -> tuple[int, int]:
    """The number of the first of some of ``m`` edges, and how many; all if ``part`` is None."""
    low, high = (0, m) if part is None else map(int, part)
    if not 0 <= low <= high <= m:
        raise ValueError(f"part must be two numbers in order from 0 to {m}, got {part!r}")
    return low, high - low


def check_number(
    value: Any,
    name: str,
    *,
    least: float = -math.inf,
    most: float = math.inf,
    above: float = -math.inf,
) -> float:
    """``value`` as a finite float from ``least`` to ``most`` and greater than ``above``."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, got {value!r}") from None
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite, got {value!r}")
    if number <= above:
        raise ValueError(f"{name} must be greater than {above:g}, got {value!r}")
    if number < least:
        raise ValueError(f"{name} must be at least {least:g}, got {value!r}")
    if number > most:
        raise ValueError(f"{name} must be at most {most:g}, got {value!r}")
    return number


def assemble(
    sources: np.ndarray,
    targets: np.ndarray,
    *,
    num_vertices: int,
    directed: bool,
    count_duplicates: bool,
    self_loops: str,
) -> Graph:
    """The graph of drawn edges; with ``count_duplicates`` weights say how often each was drawn."""
    return Graph.from_edges(
        sources,
        targets,
        np.ones(len(sources), np.int32) if count_duplicates else None,
        directed=directed,
        num_vertices=num_vertices,
        duplicates="sum" if count_duplicates else "first",
        self_loops=self_loops,
    )
