"""Protein families with a known ancestor, at several distances, as a second set of sequences.

Members of a family descend from one random ancestor. Each letter is replaced with some probability,
by the frequencies that BLOSUM62 implies; gaps are rare. Unrelated letters stand on both sides.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from edgewise.apps.proteins.alphabets import BLOSUM62, LETTERS
from edgewise.apps.proteins.composition import BACKGROUND

__all__ = ["DISTANCES", "simulate_families"]

#: How likely a letter is replaced on the way from the ancestor.
DISTANCES = {"near": 0.6, "middle": 0.75, "far": 0.85}
_LAMBDA = 0.3176  # of BLOSUM62 without gaps
_GAPS, _LONGER = 0.02, 0.6  # how likely a gap begins, and goes on


def simulate_families(path: Path, families: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Write a FASTA file; the family and the distance of each sequence.

    ``families`` is the number of families of each distance; they have 2 to 12 members.
    """
    draw = np.random.default_rng(seed)
    common = np.array(BACKGROUND) / sum(BACKGROUND)
    odds = common * np.exp(_LAMBDA * BLOSUM62[:20, :20])
    changes = np.cumsum(odds / odds.sum(axis=1, keepdims=True), axis=1)
    texts, labels = [], []
    for distance, chance in DISTANCES.items():
        for family in range(families):
            ancestor = draw.choice(20, draw.integers(80, 300), p=common)
            for _ in range(draw.integers(2, 13)):
                text = _descendant(ancestor, chance, changes, common, draw)
                sides = [draw.choice(20, size, p=common) for size in draw.integers(0, 100, 2)]
                texts.append(np.concatenate([sides[0], text, sides[1]]))
                labels.append((f"{distance}{family}", distance))
    order = draw.permutation(len(texts))
    lines = [f">s{i}\n{''.join(LETTERS[x] for x in texts[i])}\n" for i in order]
    path.write_text("".join(lines))
    family, distance = zip(*(labels[i] for i in order), strict=True)
    return np.array(family), np.array(distance)


def _descendant(
    ancestor: np.ndarray, chance: float, changes: np.ndarray, common: np.ndarray,
    draw: np.random.Generator,
) -> np.ndarray:  # fmt: skip
    """A copy with replaced, missing and additional letters."""
    other = (draw.random(len(ancestor))[:, None] > changes[ancestor]).sum(axis=1).clip(max=19)
    copy = np.where(draw.random(len(ancestor)) < chance, other, ancestor)
    parts, at = [], 0
    for place in np.flatnonzero(draw.random(len(copy)) < _GAPS * chance).tolist():
        if place >= at:
            parts.append(copy[at:place])
            size = int(draw.geometric(1 - _LONGER))
            missing = draw.random() < 0.5
            parts.append(draw.choice(20, 0 if missing else size, p=common))
            at = place + size if missing else place
    return np.concatenate([*parts, copy[at:]])
