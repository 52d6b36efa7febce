"""Titles made by a law fitted to 2.26 million titles of posts, for joins of any number of them.

Words are drawn by rank, with chance 1 / (r + 3) for the first thousands and r**-1.7 beyond: 2.2
million titles have about as many distinct words (0.4 million) as the real ones. A title has 2 to 55
words, 10 on average. Frequent words are short; one in four is another one with its ending changed.
One title in 25 repeats an earlier one, every other time with one word changed.
"""

from __future__ import annotations

import numpy as np

__all__ = ["titles"]

_RANKS = 1 << 20
_BEND = 6000.0  # the rank from which on words are rarer than by Zipf's law
_LONGEST = 55
_REPEATED = 25
_ONSETS = (
    *("b", "c", "d", "f", "g", "h", "j", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w"),
    *("st", "tr", "ch", "sh", "pl", "br", "gr", "th"),
)
_VOWELS = ("a", "e", "i", "o", "u", "ea", "ou", "ai")
_CODAS = ("", "", "", "n", "r", "s", "t", "l", "nd", "ck", "m")
_ENDINGS = ("s", "ed", "ing", "er", "ly", "y", "e", "d")


def titles(count: int, seed: int = 1) -> list[str]:
    """So many titles, each the words of one post with spaces between them.

    >>> made = titles(1000)
    >>> len(made), sum(len(one.split()) for one in made) // 1000 in (9, 10)
    (1000, True)
    """
    draw = np.random.default_rng(seed)
    lengths = np.clip(2 + draw.gamma(1.75, 4.6, count), 2, _LONGEST).astype(np.int64)
    rank = np.arange(_RANKS)
    chance = np.cumsum((1 + rank / _BEND) ** -0.7 / (rank + 4.0))
    drawn = np.searchsorted(chance, draw.random(int(lengths.sum())) * chance[-1])
    used, places = np.unique(drawn, return_inverse=True)
    spelled = _words(int(used[-1]) + 1)
    words = np.array([spelled[r] for r in used], object)[places].tolist()
    ends = np.cumsum(lengths).tolist()
    rows = [words[end - size : end] for end, size in zip(ends, lengths.tolist(), strict=True)]
    for i in range(_REPEATED, count, _REPEATED):
        rows[i] = list(rows[int(draw.integers(i))])
        if i % 2:
            rows[i][int(draw.integers(len(rows[i])))] = words[int(draw.integers(len(words)))]
    return [" ".join(row) for row in rows]


def _words(count: int) -> list[str]:
    """Distinct words of syllables by rank, the same ones whatever the count."""
    draw = np.random.default_rng(7)
    numbers = draw.random((_RANKS, 10), np.float32)[:count]
    syllables = (1 + 0.8 * numbers[:, 0] + np.log10(np.arange(count) + 1) / 2.5).astype(np.int64)
    made: list[str] = []
    seen: set[str] = set()
    for rank, (row, long) in enumerate(zip(numbers.tolist(), syllables.tolist(), strict=True)):
        if rank > 100 and row[1] < 0.25:
            word = made[int(row[2] * rank)] + _pick(_ENDINGS, row[3])
        else:
            parts = [_pick(_ONSETS, row[k + 1]) + _pick(_VOWELS, row[k + 4]) for k in range(long)]
            word = "".join(parts) + _pick(_CODAS, row[8])
        while word in seen:
            word += _pick(_ENDINGS, row[9])
        seen.add(word)
        made.append(word)
    return made


def _pick(stock: tuple[str, ...], number: float) -> str:
    """One of the stock, those in front more often."""
    return stock[int(number * number * len(stock))]
