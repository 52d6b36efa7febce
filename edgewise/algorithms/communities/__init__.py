"""Communities: who belongs together, and how well.

A labelling is an array with one number per vertex: those with the same one are a community. What
finds communities gives the smallest vertex of each as its label. The functions load at their first
use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy

#: Where each public name lives.
_HOME: dict[str, str] = {
    "Hierarchy": "levels",
    "adjusted_rand_index": "agreement",
    "codelength": "codelength",
    "conductance": "conductance",
    "conductances": "conductance",
    "constant_potts": "constant_potts",
    "coverage": "coverage",
    "ensemble": "ensemble",
    "label_propagation": "label_propagation",
    "leiden": "leiden",
    "local_community": "local_community",
    "louvain": "louvain",
    "map_equation": "map_equation",
    "modularity": "modularity",
    "normalized_mutual_information": "agreement",
    "performance": "coverage",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
