"""The collections that are joined: real ones from the shared data, and made ones.

Records of cddb are sets of the words of artist and title, those of DBLP-ACM of the words of the
title; both in small letters. They come with their true matches.
"""

from __future__ import annotations

import csv
import gzip
import random
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.graphs import MissingGraphError, data_folder

__all__ = ["COLLECTIONS", "QUICK", "Collection", "load"]

COLLECTIONS = (
    "yelp_sample", "retail", "BMS-WebView-1", "BMS-WebView-2", "reddit", "cddb", "DBLP-ACM",
    "large-20000",
)  # fmt: skip
QUICK = ("made-300",)

_LARGE = 5  # sets in a collection of large ones
_SYLLABLES = (
    "an", "ber", "co", "da", "el", "fi", "go", "ha", "in", "jo", "ka", "lo", "ma", "ne", "or", "pe",
    "qu", "ro", "sa", "te", "un", "vi", "wa", "xe", "yo", "zu", "st", "ing", "er", "tion",
)  # fmt: skip

#: The file of a collection without names, and what stands between elements.
_LINES = {
    "yelp_sample": ("yelp_sample.csv.gz", ";"),
    "retail": ("retail.dat.gz", " "),
    "BMS-WebView-1": ("BMS_WebView_1.txt.gz", " -1 "),
    "BMS-WebView-2": ("BMS_WebView_2.txt.gz", " -1 "),
    "reddit": ("reddit_titles_4th.dat.gz", " "),
}


class Collection(NamedTuple):
    """One or two lists of sets of strings, each element once."""

    name: str
    left: list[list[str]]
    right: list[list[str]] | None = None
    truth: frozenset[tuple[int, int]] | None = None  #: the pairs that are the same
    records: tuple[list[dict], list[dict] | None] | None = None  #: title, names and year of each

    def part(self, share: float) -> Collection:
        """A random part of the sets, the same each time; of two collections, of both."""
        if share == 1:
            return self
        sides = [_part(side, share) for side in (self.left, self.right)]
        return Collection(self.name, *sides)


def load(name: str) -> Collection:
    """The collection of that name; `MissingGraphError` if its files are not there."""
    if name.startswith("made-"):
        return _made(name, int(name.removeprefix("made-")))
    if name.startswith("large-"):
        return _large(name, int(name.removeprefix("large-")))
    folder = data_folder() / "sets"
    try:
        if name in _LINES:
            file, separator = _LINES[name]
            with gzip.open(folder / file, "rt") as lines:
                return Collection(
                    name, [_set(line.rstrip("\n").split(separator)) for line in lines]
                )
        if name in _MATCHED:
            return _MATCHED[name](folder)
    except FileNotFoundError as error:
        raise MissingGraphError(f"there is no {error.filename}") from None
    raise MissingGraphError(f"there is no collection {name}")


def _cddb(folder: Path) -> Collection:
    rows = _rows(folder / "cddb.csv.gz", "utf-8")
    with open(folder / "cddb_groundtruth.csv") as file:
        pairs = list(csv.reader(file))[1:]
    place = {row["id"]: i for i, row in enumerate(rows)}
    truth = frozenset(tuple(sorted((place[a], place[b]))) for a, b in pairs)
    sets = [_words(f"{row['artist']} {row['title']}") for row in rows]
    return Collection("cddb", sets, None, truth, (_records(rows, "artist"), None))


def _dblp_acm(folder: Path) -> Collection:
    sides = [_rows(folder / name, "latin-1") for name in ("DBLP2.csv.gz", "ACM.csv.gz")]
    places = [{row["id"]: i for i, row in enumerate(side)} for side in sides]
    with open(folder / "DBLP-ACM_perfectMapping.csv") as file:
        pairs = list(csv.reader(file))[1:]
    truth = frozenset((places[0][a], places[1][b]) for a, b in pairs)
    left, right = ([_words(row["title"]) for row in side] for side in sides)
    records = _records(sides[0], "authors"), _records(sides[1], "authors")
    return Collection("DBLP-ACM", left, right, truth, records)


_MATCHED = {"cddb": _cddb, "DBLP-ACM": _dblp_acm}


def _rows(path: Path, encoding: str) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding=encoding, newline="") as file:
        return list(csv.DictReader(file))


def _records(rows: list[dict[str, str]], names: str) -> list[dict[str, str]]:
    """What tools that link records compare, in small letters."""
    fields = {"title": "title", "names": names, "year": "year"}
    return [{name: row[key].casefold() for name, key in fields.items()} for row in rows]


def _words(text: str) -> list[str]:
    return _set(text.casefold().split())


def _set(elements: list[str]) -> list[str]:
    """Each element once, without those of no letters."""
    return list(dict.fromkeys(one for one in map(str.strip, elements) if one))


def _part(sets: Any, share: float) -> Any:
    if sets is None:
        return None
    chosen = random.Random(1).sample(range(len(sets)), round(share * len(sets)))
    return [sets[i] for i in sorted(chosen)]


def _made(name: str, count: int) -> Collection:
    """Sets of made words; every third is the one before it with a letter changed."""
    draw = random.Random(1)
    words = ["".join(draw.choices("abcdefgh", k=draw.randint(3, 8))) for _ in range(count)]
    sets: list[list[str]] = []
    for i in range(count):
        made = _set(draw.choices(words, k=draw.randint(2, 6)))
        if i % 3 == 2:
            made = [*sets[-1][1:], sets[-1][0] + "x"]
        sets.append(made)
    truth = frozenset((i - 1, i) for i in range(2, count, 3))
    return Collection(name, sets, None, truth)


def _large(name: str, size: int) -> Collection:
    """Few sets of many words, made of few syllables; on the right a quarter have a typo."""
    draw = random.Random(5)
    left, right = [], []
    for _ in range(_LARGE):
        words = _set(["".join(draw.choices(_SYLLABLES, k=draw.randint(2, 5))) for _ in range(size)])
        left.append(words)
        right.append(_set([one if draw.random() < 0.75 else _typo(one, draw) for one in words]))
    return Collection(name, left, right)


def _typo(word: str, draw: random.Random) -> str:
    at = draw.randrange(len(word))
    return word[:at] + draw.choice("abcdefgh") + word[at + 1 :]
