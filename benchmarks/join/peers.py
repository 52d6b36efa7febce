"""What others find in the same records, each in a Python of its own that a variable names.

pytokenjoin joins the same sets. recordlinkage, splink and dedupe link records by title, names and
year, so their pairs are compared with the true matches only.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.join.sets import Collection

__all__ = ["LINKERS", "agreement", "linked", "tokenjoin"]

LINKERS = ("recordlinkage", "splink", "dedupe")
_TOKENJOIN, _LINKERS = "EDGEWISE_PYTOKENJOIN", "EDGEWISE_LINKERS"
_HERE = Path(__file__).parent
_LABELS = 100  # matches, and as many that are none, which dedupe learns from


def agreement(found: np.ndarray, truth: np.ndarray) -> dict[str, float]:
    """How much of the truth is found, and how much of what is found is true."""
    hits = int(np.isin(found, truth).sum())
    return {
        "recall": hits / len(truth) if len(truth) else 1.0,
        "precision": hits / len(found) if len(found) else 1.0,
    }


def tokenjoin(
    data: Collection, threshold: float, limit: float, ours: dict[str, Any]
) -> dict[str, Any]:
    """The join of pytokenjoin: seconds, pairs, peak memory; or a note why there are none."""
    found = _answer(_TOKENJOIN, "tokenjoin.py", [data.left, data.right], str(threshold), limit)
    if "pairs" in found and "pairs" in ours and found["pairs"] != ours["pairs"]:
        found["difference"] = found["pairs"] - ours["pairs"]
    return found


def linked(tool: str, data: Collection, limit: float) -> dict[str, Any]:
    """The linkage of another tool: seconds, pairs, how many are true; or a note."""
    assert data.records is not None and data.truth is not None
    left, right = data.records
    draw, truth = random.Random(1), sorted(data.truth)
    others = (
        (draw.randrange(len(left)), draw.randrange(len(right or left))) for _ in range(_LABELS)
    )
    labels = {
        "match": draw.sample(truth, min(_LABELS, len(truth) // 2)),
        "distinct": [pair for pair in others if pair not in data.truth and pair[0] != pair[1]],
    }
    given = {"left": left, "right": right, "labels": labels}
    found = _answer(_LINKERS, "linkers.py", given, tool, limit)
    if "pairs" in found:
        keys = np.array([i << 32 | j for i, j in found["pairs"]], np.int64)
        found["linkage"] = agreement(keys, np.array([i << 32 | j for i, j in truth], np.int64))
        found["pairs"] = len(keys)
    return found


def _answer(variable: str, script: str, given: Any, asked: str, limit: float) -> dict[str, Any]:
    """What a script says in the Python that a variable names; or a note."""
    python = os.environ.get(variable)
    if not python:
        return {"note": f"{variable} names no Python that has it"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "given.json"
        path.write_text(json.dumps(given))
        command = [python, str(_HERE / script), str(path), asked]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return {"note": f">{limit:g} s"}
    if done.returncode:
        return {"note": (done.stderr.strip().splitlines() or ["failed"])[-1][:100]}
    return json.loads(done.stdout.splitlines()[-1])
