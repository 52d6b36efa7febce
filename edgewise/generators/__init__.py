"""Graph generators: deterministic families and random models, and a table of them all.

>>> from edgewise import generators
>>> generators.grid_2d(3, 4).num_edges
17
>>> generators.GENERATORS["rmat"].load() is generators.rmat
True

The command ``edgewise generate`` is made from the table. The same seed gives the same graph for any
number of threads. Generators with known communities or colors return `Planted`, the
graph and its communities. All others return the graph.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from inspect import signature
from typing import Any, NamedTuple

from edgewise.generators.block_model import (
    Planted,
    planted_coloring,
    planted_partition,
    stochastic_block_model,
)
from edgewise.generators.classic import (
    barbell,
    circular_ladder,
    complete,
    complete_bipartite,
    cycle,
    empty,
    hypercube,
    ladder,
    lollipop,
    path,
    star,
    turan,
    wheel,
)
from edgewise.generators.degree_sequences import (
    configuration_model,
    expected_degree,
    random_regular,
)
from edgewise.generators.geometric import geometric_coordinates, random_geometric
from edgewise.generators.hyperbolic import (
    HyperbolicPoints,
    hyperbolic_points,
    random_hyperbolic,
)
from edgewise.generators.kneser_graphs import kneser
from edgewise.generators.kronecker import Edges, rmat, rmat_edges
from edgewise.generators.kronecker_powers import stochastic_kronecker
from edgewise.generators.lattices import banded, grid_2d, grid_3d, triangular_mesh
from edgewise.generators.lfr_benchmark import lfr_benchmark
from edgewise.generators.mycielski_graphs import mycielski, mycielskian
from edgewise.generators.named import karate_club, karate_club_factions, named, petersen
from edgewise.generators.random_graphs import (
    gnm_random,
    gnm_random_edges,
    gnp_chromatic_number,
    gnp_random,
    random_bipartite,
    urand,
    urand_edges,
)
from edgewise.generators.roads import road, road_coordinates
from edgewise.generators.scale_free import barabasi_albert
from edgewise.generators.small_world import navigable_small_world, watts_strogatz
from edgewise.generators.trees import balanced_tree, binary_tree, random_labeled_tree
from edgewise.generators.waxman_graphs import waxman
from edgewise.generators.weights import integer_weights, random_weights

__all__ = [
    "GENERATORS",
    "Edges",
    "Generator",
    "HyperbolicPoints",
    "Planted",
    "balanced_tree",
    "banded",
    "barabasi_albert",
    "barbell",
    "binary_tree",
    "circular_ladder",
    "complete",
    "complete_bipartite",
    "configuration_model",
    "cycle",
    "empty",
    "expected_degree",
    "geometric_coordinates",
    "gnm_random",
    "gnm_random_edges",
    "gnp_chromatic_number",
    "gnp_random",
    "grid_2d",
    "grid_3d",
    "hyperbolic_points",
    "hypercube",
    "integer_weights",
    "karate_club",
    "karate_club_factions",
    "kneser",
    "ladder",
    "lfr_benchmark",
    "lollipop",
    "mycielski",
    "mycielskian",
    "named",
    "navigable_small_world",
    "path",
    "petersen",
    "planted_coloring",
    "planted_partition",
    "random_bipartite",
    "random_geometric",
    "random_hyperbolic",
    "random_labeled_tree",
    "random_regular",
    "random_weights",
    "rmat",
    "rmat_edges",
    "road",
    "road_coordinates",
    "star",
    "stochastic_block_model",
    "stochastic_kronecker",
    "triangular_mesh",
    "turan",
    "urand",
    "urand_edges",
    "watts_strogatz",
    "waxman",
    "wheel",
]


class Generator(NamedTuple):
    """A row of the table of generators: name, module, summary, and kind of result."""

    name: str
    module: str
    summary: str
    returns: str  # "graph", or "planted": the graph and its communities

    def load(self) -> Callable[..., Any]:
        """Return the generator function."""
        return getattr(import_module(f"edgewise.generators.{self.module}"), self.name)

    @property
    def parameters(self) -> str:
        """The parameters and defaults of the function in one line, without annotations.

        >>> GENERATORS["barabasi_albert"].parameters
        'n, m, *, seed=0'
        """
        bare = signature(self.load())
        plain = [p.replace(annotation=p.empty) for p in bare.parameters.values()]
        return str(bare.replace(parameters=plain, return_annotation=bare.empty))[1:-1]


# fmt: off
#: The generators whose parameters are all numbers, words and switches, as on a command line.
GENERATORS: dict[str, Generator] = {row.name: row for row in (
    Generator("rmat", "kronecker", "skewed R-MAT (Kronecker) graph, as in Graph500", "graph"),
    Generator("urand", "random_graphs", "uniform graph by scale, as in GAP", "graph"),
    Generator("gnm_random", "random_graphs", "uniform graph with exactly m edges", "graph"),
    Generator("gnp_random", "random_graphs", "Erdos-Renyi graph by probability or degree", "graph"),
    Generator("random_bipartite", "random_graphs", "uniform bipartite graph", "graph"),
    Generator("grid_2d", "lattices", "2D grid or torus", "graph"),
    Generator("grid_3d", "lattices", "3D grid or torus", "graph"),
    Generator("triangular_mesh", "lattices", "grid cut into triangles", "graph"),
    Generator("road", "roads", "connected road-like network with lengths", "graph"),
    Generator("random_geometric", "geometric", "random points, joined if close", "graph"),
    Generator("random_hyperbolic", "hyperbolic", "power-law degrees, large clique", "graph"),
    Generator("waxman", "waxman_graphs", "random points, joined by chance if close", "graph"),
    Generator("random_regular", "degree_sequences", "all degrees equal", "graph"),
    Generator("random_labeled_tree", "trees", "uniform random tree", "graph"),
    Generator("planted_partition", "block_model", "equal blocks, two edge probabilities",
              "planted"),
    Generator("planted_coloring", "block_model", "random graph of given chromatic number",
              "planted"),
    Generator("lfr_benchmark", "lfr_benchmark", "power-law degrees and communities (LFR)",
              "planted"),
    Generator("barabasi_albert", "scale_free", "preferential attachment", "graph"),
    Generator("watts_strogatz", "small_world", "ring with rewired edges", "graph"),
    Generator("navigable_small_world", "small_world", "grid with long-range contacts (Kleinberg)",
              "graph"),
    Generator("mycielski", "mycielski_graphs", "triangle-free, large chromatic number", "graph"),
    Generator("kneser", "kneser_graphs", "sets of k of n elements, joined if disjoint", "graph"),
    Generator("banded", "lattices", "graph of a banded matrix", "graph"),
    Generator("empty", "classic", "no edges", "graph"),
    Generator("path", "classic", "vertices in a row", "graph"),
    Generator("cycle", "classic", "vertices in a ring", "graph"),
    Generator("complete", "classic", "all pairs", "graph"),
    Generator("complete_bipartite", "classic", "all pairs across two sides", "graph"),
    Generator("turan", "classic", "densest graph without a large clique", "graph"),
    Generator("star", "classic", "one center", "graph"),
    Generator("wheel", "classic", "a ring around a center", "graph"),
    Generator("ladder", "classic", "two joined paths", "graph"),
    Generator("circular_ladder", "classic", "two joined rings", "graph"),
    Generator("barbell", "classic", "two cliques joined by a path", "graph"),
    Generator("lollipop", "classic", "a clique with a tail", "graph"),
    Generator("balanced_tree", "trees", "tree with equal branching", "graph"),
    Generator("binary_tree", "trees", "binary tree filled by levels", "graph"),
    Generator("hypercube", "classic", "binary words one bit apart", "graph"),
    Generator("petersen", "named", "the Petersen graph", "graph"),
    Generator("karate_club", "named", "Zachary's karate club", "graph"),
    Generator("named", "named", "a famous small graph by its name", "graph"),
)}
# fmt: on


def __getattr__(name: str) -> Any:
    """An error that says where to find what other libraries call so."""
    from edgewise.base.hints import module_hint

    hint = module_hint(name, __name__, __all__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint}")
