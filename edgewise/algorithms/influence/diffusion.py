"""Diffusion models, and the transmission probability of each edge.

- *Independent cascade*: a newly active vertex has one chance to activate each neighbor, in the next
  step [1]. So an edge is *live* with its probability, and vertices reached along live edges are
  active.
- *Linear threshold*: v becomes active when the weight of its active neighbors reaches a random
  threshold. Equivalently, at most one in-edge of v is live, chosen with probabilities that are
  their weights [1]. These sum to at most 1.
- *SIR* and *SEIR*: an infectious vertex infects along each edge with its probability in every step,
  until it recovers. In SEIR, an exposed vertex waits before it becomes infectious [2].

Probabilities are integers in units of 2**-32, so that all engines compare the same integers;
`edgewise.random.coins` does. The coins of an edge are identified by its two ends. So they are the
same on every engine, along and against the edge. The two directions of an undirected edge have
different coins.

[1] D. Kempe, J. Kleinberg, E. Tardos. Maximizing the spread of influence through a social network.
    KDD 2003.
[2] W. Kermack, A. McKendrick. A contribution to the mathematical theory of epidemics. Proc. R. Soc.
    A 115, 1927.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.weighting import refuse
from edgewise.base.checks import check_choice, check_fraction
from edgewise.base.random import bits, integer
from edgewise.graph.csr import as_weights
from edgewise.graph.edges import arc_ends, repeats
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host
from edgewise.graph.weight_columns import WEIGHT, column
from edgewise.operators import ADD, reduce_neighbors

__all__ = ["MODELS", "ONCE", "Chances", "Course", "chances", "course", "edge_keys"]

#: Models in which an edge is tried at most once, and those in which it is in every step.
ONCE = ("independent_cascade", "linear_threshold")
MODELS = (*ONCE, "sir", "seir")
_NAMED = ("weighted_cascade", "trivalency", WEIGHT)
_UNIT = 2.0**32 - 1  # the chance 1
_TRIVALENCY = (0.1, 0.01, 0.001)
_RECOVERY, _INCUBATION = 0.2, 0.5
#: By so much may the weights into a vertex be more than one, by rounding.
_SLACK = 1e-6


class Chances(NamedTuple):
    """A model, and for each edge of ``graph.indices`` its chance as uint32, in units of 2**-32.

    2**32 - 1 stands for 1.
    """

    model: str
    thresholds: Any


class Course(NamedTuple):
    """With which chances, in units of 2**-32, who is infectious recovers, who is exposed is ill."""

    recovery: int
    incubation: int


def chances(graph: AnyGraph, model: str, probability: Any) -> Chances:
    """The chances of the edges, checked: ``model`` and ``probability`` as for `simulate`."""
    check_choice(model, "model", MODELS)
    if _is(probability, "weighted_cascade"):  # sums of one, and a division for each vertex alone
        degrees = graph.column_lengths()
        return Chances(model, _units(1.0 / (degrees + (degrees == 0)))[graph.indices])
    shares = _shares(graph, probability)
    if model == "linear_threshold":
        _check_sums(graph, shares)
    return Chances(model, _units(shares))


def _units(shares: Any) -> Any:
    """Chances in units of 2**-32."""
    return (shares * _UNIT + 0.5).astype(np.uint32)


def course(model: str, recovery_probability: Any, incubation_probability: Any) -> Course | None:
    """What happens to the infected, checked; None in models where nothing does."""
    for name, given, models in (
        ("recovery_probability", recovery_probability, ("sir", "seir")),
        ("incubation_probability", incubation_probability, ("seir",)),
    ):
        if given is not None and model not in models:
            raise ValueError(f"{name} has no meaning for model {model!r}, got {given!r}")
    if model in ONCE:
        return None
    leaves = (
        _RECOVERY
        if recovery_probability is None
        else check_fraction(recovery_probability, "recovery_probability")
    )
    begins = (
        _INCUBATION
        if incubation_probability is None
        else check_fraction(incubation_probability, "incubation_probability")
    )
    return Course(int(leaves * _UNIT + 0.5), int((begins if model == "seir" else 1) * _UNIT + 0.5))


def edge_keys(graph: AnyGraph) -> Any:
    """32 random bits for every edge, by its two ends: what its coins are known by (uint64).

    Edges between the same two are told apart by their order.
    """
    sources, targets = arc_ends(graph)
    again = repeats(graph, sources, targets)
    if again is not None:
        targets = targets + again * graph.num_vertices
    return bits(0, sources, targets) >> np.uint64(32)


def _shares(graph: AnyGraph, probability: Any) -> Any:
    """The chance of every edge, as a float from 0 to 1."""
    targets = graph.indices
    if isinstance(probability, str):
        check_choice(probability, "probability", _NAMED)
    if _is(probability, "trivalency"):
        level, where = integer(3, 0, *arc_ends(graph)), graph.xp.where
        return where(level == 0, _TRIVALENCY[0], where(level == 1, *_TRIVALENCY[1:]))
    if _is(probability, WEIGHT):
        if graph.weights is None:
            raise ValueError("probability must not be 'weight': the graph has no weights")
        return _checked(graph, column(graph, probability, "probability"))
    if not isinstance(probability, (list, tuple)) and not getattr(probability, "ndim", 0):
        return 0.0 * targets + check_fraction(probability, "probability")
    return _checked(graph, as_weights(probability, graph.num_arcs, "probability", graph.xp))


def _is(probability: Any, name: str) -> bool:
    return isinstance(probability, str) and probability == name


def _checked(graph: AnyGraph, given: Any) -> Any:
    right = (given >= 0) & (given <= 1)
    if not right.all():
        arrow = "->" if graph.directed else "-"
        refuse(graph, given, ~right, "lie in 0 to 1", arrow, "probability")
    return given.astype(np.float64)


def _check_sums(graph: AnyGraph, shares: Any) -> None:
    """ValueError unless the chances of the edges into each vertex add up to 1 at the most."""
    if graph.num_arcs == 0:
        return
    sums = reduce_neighbors(
        graph, None, _share, graph.full(0.0), reduce=ADD, weights=shares, dtype=np.float64
    )
    if sums.max() > 1 + _SLACK:
        which = int(np.asarray(host(sums)).argmax())
        raise ValueError(
            "probability must add up to 1 at most over the edges into a vertex, for model "
            f"'linear_threshold', got {sums.max():.6g} at vertex {graph.label(which)}"
        )


def _share(weight):
    return weight
