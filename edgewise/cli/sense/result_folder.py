"""The folder of results: tables, the sum as a matrix, and everything as JSON.

windows.csv         when each window was, and its nine quantities
distributions.csv   of the sum: how many sources, links, destinations of each size
distributions.npz   of each window: arrays of a row per window
levels.csv          windows of 2, 4, 8 ... times the length, if asked for
total.ewt           the sum of all windows; `edgewise.sensing.read_matrix` reads it
sense.json          what ``--json`` prints
windows/            the matrix of every window, if asked for
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.cli.result_files import Result, write_result

if TYPE_CHECKING:
    from edgewise.sensing import Sensing

__all__ = ["write_folder"]


def write_folder(found: Sensing, said: dict[str, Any], folder: Path, table: str) -> None:
    """Write all files into a folder that is there; ``said`` is the JSON document."""
    from edgewise.sensing.matrix_files import write_matrix

    windows = found.windows
    times = {"start": windows.start, "stop": windows.stop}
    columns = {name: when for name, when in times.items() if when is not None}
    columns |= windows.quantities._asdict()
    number = {"window": np.arange(len(windows))}
    write_result(Result(number, columns), folder / f"windows.{table}")
    bins = {"up_to": np.uint64(1) << np.arange(64, dtype=np.uint64)}
    write_result(Result(bins, found.distributions._asdict()), folder / f"distributions.{table}")
    np.savez_compressed(folder / "distributions.npz", **windows.distributions._asdict())
    if found.levels:
        write_result(_levels(found), folder / f"levels.{table}")
    write_matrix(found.total, folder / "total.ewt")
    (folder / "sense.json").write_text(json.dumps(said, indent=2, allow_nan=False) + "\n", "utf-8")


def _levels(found: Sensing) -> Result:
    """A row for each length: the number of windows, the mean and the largest of each quantity."""
    columns: dict[str, Any] = {"windows": np.array([level.windows for level in found.levels])}
    for kind in ("mean", "largest"):
        for name in found.quantities._fields:
            values = [getattr(getattr(level, kind), name) for level in found.levels]
            columns[f"{kind}_{name}"] = np.array(values)
    return Result({"packets": np.array([level.packets for level in found.levels])}, columns)
