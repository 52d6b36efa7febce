"""What was sensed as one JSON document: plain numbers and lists, times in nanoseconds since 1970.

Of anonymized traffic it says no names of files, as these may tell where a capture was taken.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.compiling import compile_seconds
from edgewise.cli.sense.facts import fitted
from edgewise.sensing.anomalies import anomalies
from edgewise.sensing.cutting import Every, window_of
from edgewise.sensing.fits import Fit, power_law, zipf_mandelbrot

if TYPE_CHECKING:
    from edgewise.cli.sense.command import Asked
    from edgewise.sensing import Sensing

__all__ = ["document"]


def document(found: Sensing, asked: Asked) -> dict[str, Any]:
    """All that there is to say, for ``--json`` and the folder of results."""
    from edgewise import __version__

    cut = window_of(asked.window)
    kind = "packets" if isinstance(cut, Every) else "nanoseconds"
    return {
        "edgewise": __version__,
        "files": None if asked.anonymized else [str(file) for file in asked.files],
        "window": {kind: cut.size},
        "family": asked.family,
        "addresses": asked.addresses,
        "anonymized": asked.anonymized,
        "device": asked.device,
        "tally": _tally(found.tally, named=not asked.anonymized),
        "late_packets": found.late,
        "empty_windows": found.empty,
        "total": {
            "start": found.total.start,
            "stop": found.total.stop,
            **found.quantities._asdict(),
        },
        "windows": {
            "count": len(found.windows),
            "start": _list(found.windows.start),
            "stop": _list(found.windows.stop),
            **{name: _list(values) for name, values in found.windows.quantities._asdict().items()},
        },
        "distributions": {
            name: _distribution(counts) for name, counts in found.distributions._asdict().items()
        },
        "levels": [
            {**level._asdict(), "mean": level.mean._asdict(), "largest": level.largest._asdict()}
            for level in found.levels
        ],
        "unusual": [flag._asdict() for flag in anomalies(found.windows)],
        "seconds": found.seconds,
        "compiled_seconds": compile_seconds(),
    }


def _tally(tally: Any, *, named: bool) -> dict[str, Any]:
    damage = [
        {"file": error.path if named else None, "offset": error.offset, "reason": error.reason}
        for error in tally.damage
    ]
    return {**vars(tally), "damage": damage}


def _distribution(counts: np.ndarray) -> dict[str, Any]:
    """The counts up to the last that is not 0, the largest value of each bin, and the fits."""
    used = int(np.flatnonzero(counts)[-1]) + 1 if counts.any() else 0
    fits = {law.__name__: fitted(law, counts) for law in (power_law, zipf_mandelbrot)}
    return {
        "up_to": [1 << i for i in range(used)],
        "count": counts[:used].tolist(),
        **{name: _fit(fit) for name, fit in fits.items()},
    }


def _fit(fit: Fit) -> dict[str, float | None]:
    parts = {"exponent": fit.exponent, "offset": fit.offset, "distance": fit.distance}
    return {name: value if math.isfinite(value) else None for name, value in parts.items()}


def _list(values: Any) -> list[Any] | None:
    return None if values is None else values.tolist()
