"""How things spread over a graph: diffusion, epidemics, whom to begin with, whom to protect.

The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy

#: Where each public name lives.
_HOME: dict[str, str] = {
    "Containment": "contain",
    "Seeds": "sampling",
    "Sensors": "sensors",
    "Spread": "simulate",
    "contain": "contain",
    "influence_maximization": "influence_maximization",
    "sensors": "sensors",
    "simulate": "simulate",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
