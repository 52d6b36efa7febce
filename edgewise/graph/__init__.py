"""The graph: a frozen CSR adjacency, the ways into it and out of it, and what reshapes it."""

from edgewise.graph.contract import Contraction, contract
from edgewise.graph.csr import CSR, Rows
from edgewise.graph.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.graph.properties import DegreeSummary, WeightSummary

__all__ = [
    "CSR",
    "Contraction",
    "DegreeSummary",
    "Graph",
    "Labels",
    "Rows",
    "WeightSummary",
    "contract",
]
