"""Diffusion by its definitions: exact expectations on tiny graphs, and single runs by hand."""

from __future__ import annotations

from itertools import product

import numpy as np

from edgewise.algorithms.influence.diffusion import chances, course
from edgewise.graph.edges import arcs_of

__all__ = ["cascade", "epidemic", "threshold"]


def cascade(graph, seeds, probability):
    """Independent cascade: the share of each vertex, and the mean number by each step.

    All live-edge graphs, each with its chance.
    """
    u, v, _ = graph.arcs()
    p = chances(graph, "independent_cascade", arcs_of(graph, probability, "")).thresholds / (
        2**32 - 1
    )
    picks = product((False, True), repeat=len(u))
    worlds = ((np.prod(np.where(live, p, 1 - p)), list(live)) for live in picks)
    return _expected(graph, seeds, worlds)


def threshold(graph, seeds, probability):
    """Linear threshold: every vertex listens to one of its in-edges, or to none."""
    _, v, _ = graph.arcs()
    p = _chances(graph, "linear_threshold", probability)
    choices = []
    for target in range(graph.num_vertices):
        edges = np.flatnonzero(v == target)
        choices.append([(1 - p[edges].sum(), -1), *zip(p[edges], edges.tolist(), strict=True)])

    def worlds():
        for chosen in product(*choices):
            chance, edges = zip(*chosen, strict=True)
            yield np.prod(chance), [e in edges for e in range(len(v))]

    return _expected(graph, seeds, worlds())


def _chances(graph, model, probability):
    given = arcs_of(graph, probability, "probability")
    return chances(graph, model, given).thresholds / (2**32 - 1)


def _expected(graph, seeds, worlds):
    n = graph.num_vertices
    infected, curve = np.zeros(n), np.zeros(n + 1)
    for chance, live in worlds:
        level = _levels(graph, seeds, live)
        infected += chance * (level >= 0)
        for step in range(n + 1):
            curve[step] += chance * ((level >= 0) & (level <= step)).sum()
    return infected, curve


def _levels(graph, seeds, live):
    u, v, _ = graph.arcs()
    level = np.full(graph.num_vertices, -1)
    level[seeds] = 0
    for step in range(graph.num_vertices):
        for source, target, passes in zip(u, v, live, strict=True):
            if passes and level[source] == step and level[target] < 0:
                level[target] = step + 1
    return level


def epidemic(graph, seeds, probability, model, recovery, incubation, steps):
    """SIR, SEIR: the exact mean numbers S, E, I, R by each step, as a Markov chain."""
    u, v, _ = graph.arcs()
    p = _chances(graph, model, probability)
    change, latent = course(model, recovery, incubation), model == "seir"
    leaves, begins = change.recovery / (2**32 - 1), change.incubation / (2**32 - 1)
    start = tuple("I" if one in seeds else "S" for one in range(graph.num_vertices))
    states, rows = {start: 1.0}, []
    for _ in range(steps + 1):
        rows.append([sum(c * s.count(kind) for s, c in states.items()) for kind in "SEIR"])
        following: dict[tuple, float] = {}
        for state, chance in states.items():
            escapes = np.ones(len(state))
            for source, target, q in zip(u, v, p, strict=True):
                if state[source] == "I":
                    escapes[target] *= 1 - q
            options = []
            for one, escape in zip(state, escapes, strict=True):
                caught = "E" if latent else "I"
                options.append({"S": [("S", escape), (caught, 1 - escape)],
                                "E": [("E", 1 - begins), ("I", begins)],
                                "I": [("I", 1 - leaves), ("R", leaves)],
                                "R": [("R", 1.0)]}[one])  # fmt: skip
            for chosen in product(*options):
                names, parts = zip(*chosen, strict=True)
                following[names] = following.get(names, 0.0) + chance * np.prod(parts)
        states = following
    return np.array(rows)
