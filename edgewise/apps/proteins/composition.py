"""Scores corrected for biased composition [1].

Two sequences rich in the same letters score high without a common ancestor. The expected score of
a letter is its mean over the background; its local score is the mean over the letters around it.
Where the local score is higher, the difference is taken off the score of an alignment.

[1] M. Hauser, M. Steinegger, J. Soeding. MMseqs software suite for fast and deep clustering and
    searching of large protein sequence sets. Bioinformatics 2016.
"""

from __future__ import annotations

import numpy as np

from edgewise.apps.proteins.alignment import Alignments
from edgewise.apps.proteins.alphabets import BLOSUM62
from edgewise.apps.proteins.sequences import Sequences

__all__ = ["BACKGROUND", "Statistics", "corrections", "summed_biases"]

#: Letters on either side that count as near.
_NEAR = 20
#: The share of each amino acid in proteins, in percent, in the order of `LETTERS`.
BACKGROUND = (7.8, 5.1, 4.5, 5.4, 1.9, 4.3, 6.3, 7.4, 2.2, 5.1, 9.1, 5.7, 2.2, 3.9, 5.2, 7.1, 5.8,
               1.3, 3.2, 6.4)  # fmt: skip


class Statistics:
    """What chance gives: BLOSUM62, without gaps and with gaps of 11 and 1 [1].

    [1] S. Altschul, W. Gish. Local alignment statistics. Methods Enzymol. 1996.
    """

    _LAMBDA, _K = 0.267, 0.041
    _LAMBDA_UNGAPPED, _K_UNGAPPED = 0.3176, 0.134

    @classmethod
    def bits(cls, scores: np.ndarray) -> np.ndarray:
        """Scores in bits."""
        return (cls._LAMBDA * scores - np.log(cls._K)) / np.log(2)

    @classmethod
    def evalues(
        cls, bits: np.ndarray, left: np.ndarray, right: np.ndarray, count: int
    ) -> np.ndarray:
        """How many hits of so many bits chance gives among so many sequences of right's length."""
        return left * right.astype(np.float64) * count * np.exp2(-bits)

    @classmethod
    def least_ungapped(cls, chance: float) -> tuple[float, float]:
        """The score without gaps that chance gives so often, for two sequences of one letter.

        Then what to add to it for the natural logarithm of each length.
        """
        base = float(np.log(cls._K_UNGAPPED) - np.log(chance))
        return base / cls._LAMBDA_UNGAPPED, 1 / cls._LAMBDA_UNGAPPED


def corrections(
    sequences: Sequences, left: np.ndarray, right: np.ndarray, found: Alignments, biases: np.ndarray
) -> np.ndarray:
    """What to add to the score of each alignment: at most 0, the mean over both sequences."""
    begin, end = sequences.starts[left], sequences.starts[right]
    one = biases[begin + found.left_end] - biases[begin + found.left_begin]
    other = biases[end + found.right_end] - biases[end + found.right_begin]
    return np.minimum((one + other) / 2, 0.0)


def summed_biases(sequences: Sequences) -> np.ndarray:
    """What the letters before each letter add to scores, for `corrections`."""
    letters, count = sequences.letters, len(sequences.letters)
    scores = BLOSUM62.astype(np.float32)
    expected = scores[:, :20] @ (np.array(BACKGROUND, np.float32) / 100)
    owner = np.repeat(np.arange(len(sequences.names), dtype=np.int32), sequences.lengths)
    near, total = np.zeros(count, np.float32), np.zeros(count, np.float32)
    for shift in range(1, min(_NEAR, count - 1) + 1):
        same = owner[shift:] == owner[:-shift]
        score = scores[letters[shift:], letters[:-shift]] * same
        for part in (slice(shift, None), slice(None, -shift)):
            total[part] += score
            near[part] += same
    return np.append(
        0.0, np.cumsum(expected[letters] - total / np.maximum(near, 1), dtype=np.float64)
    )
