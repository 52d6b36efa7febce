"""What the reference says of each algorithm beside its docstring and its row: when results repeat.

Engines, needs, NetworkX names, work and papers are in the table of algorithms.
"""

from __future__ import annotations

from edgewise.algorithms import Algorithm

_PARENTS = (
    "distances always repeat; among several shortest paths, the parent may differ between runs"
)
_IN_PLACE = "runs differ slightly; `deterministic=True` repeats for one `seed`"
_ONE_PATH = "the length always repeats; on a GPU, the path may differ between runs"
_ROUNDED = "repeats for one number of threads; otherwise equal up to rounding"

#: When results repeat, where the rule of `repeats` does not say it.
_REPEATS = {
    "bfs": _PARENTS,
    "sssp": _PARENTS,
    "maximum_clique": "the size always repeats; which clique is returned may differ",
    "shortest_path": _ONE_PATH,
    "bipartition": "the sides always repeat; which odd cycle is returned may differ",
    "maximum_flow": "the value and the cut always repeat; integer flows do, too",
    "communities.louvain": _IN_PLACE,
    "communities.leiden": _IN_PLACE,
    "communities.louvain_partitions": _IN_PLACE,
    "communities.leiden_partitions": _IN_PLACE,
    "betweenness_centrality": _ROUNDED,
    "edge_betweenness_centrality": _ROUNDED,
}


def repeats(row: Algorithm) -> str:
    """When two calls of an algorithm give the same result."""
    if row.name in _REPEATS:
        return _REPEATS[row.name]
    always = "one `seed` gives one result" if "seed" in row.needs else "yes"
    return f"{always}, for any number of threads"
