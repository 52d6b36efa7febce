"""Diffusion and epidemics: simulation, influence maximization, containment and sensor placement.

The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy, rows

#: Where each public name lives: those of the table, and these.
_HOME: dict[str, str] = {
    **rows(__name__),
    "Containment": "contain",
    "Seeds": "seed_samples",
    "Sensors": "place_sensors",
    "Spread": "simulate",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
