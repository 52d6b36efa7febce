"""What a join found, for a terminal and as JSON: the best and the borderline pairs, and groups."""

from __future__ import annotations

import math
from collections.abc import Iterator
from os.path import commonprefix
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from edgewise.base.compiling import compile_seconds
from edgewise.cli.terminal import compiled, number, percent, seconds

if TYPE_CHECKING:
    from edgewise.join import Clusters, Pairs

__all__ = ["Joined", "Side", "document", "preview"]

_SHOWN = 5  # pairs, or groups, in a list
_KEYS = ("score", "left", "left_text", "right", "right_text")
_FILTERS = ("prefix", "length", "positional", "joint")
_LONGEST = 1000  # letters of a text that are looked at, at most
_MORE = "A lower --threshold, --casefold, or --metric edit (for typos) finds more."
_NARROWEST = 20  # columns of a text on a terminal, at least


class Side(NamedTuple):
    """One of the two files."""

    name: str
    sets: Any  #: an Arrow column of lists of strings
    ids: Any  #: an Arrow column, or None: then sets are called by their rows, from 0 on

    def names(self, rows: np.ndarray) -> np.ndarray:
        """What sets are called."""
        return rows if self.ids is None else _taken(self.ids, rows).to_numpy(zero_copy_only=False)

    def texts(self, rows: np.ndarray, separator: str) -> list[str]:
        """What sets say, on one line each; the end of long ones is cut."""
        between = f"{separator.strip()} "
        return [_line(members, between) for members in _taken(self.sets, rows).to_pylist()]


class Joined(NamedTuple):
    """A join, and what it was asked for."""

    pairs: Pairs
    groups: Clusters | None
    sides: list[Side]
    separator: str
    asked: str  #: which pairs, in words

    def some(self, which: np.ndarray) -> list[dict[str, Any]]:
        """These pairs, with names and texts."""
        pairs, ends = self.pairs, (self.sides[0], self.sides[-1])
        columns = [
            [side.names(rows[which]).tolist(), side.texts(rows[which], self.separator)]
            for side, rows in zip(ends, (pairs.left, pairs.right), strict=True)
        ]
        scores = pairs.score[which].tolist()
        return [
            dict(zip(_KEYS, row, strict=True))
            for row in zip(scores, *columns[0], *columns[1], strict=True)
        ]

    def best(self) -> np.ndarray:
        """The pairs with the highest scores; those below 1, if there are any."""
        score, once = self.pairs.score, self._once()
        below = once[score[once] < 1 - 1e-9]
        return _first(below, -score[below]) if len(below) else once[:_SHOWN]

    def borderline(self) -> np.ndarray:
        """The pairs with the lowest scores that are not among the best."""
        score, once = self.pairs.score, self._once()
        rest = np.setdiff1d(once[score[once] < 1 - 1e-9], self.best())
        return _first(rest, score[rest])

    def _once(self) -> np.ndarray:
        """The pairs, without those that are there as (i, j) and as (j, i)."""
        left, right = self.pairs.left, self.pairs.right
        if len(self.sides) > 1 or (left < right).all():
            return np.arange(len(left))
        keys = np.minimum(left, right) << 32 | np.maximum(left, right)
        return np.sort(np.unique(keys, return_index=True)[1])

    def equal(self) -> int:
        """How many pairs have the score 1."""
        return int(np.count_nonzero(self.pairs.score >= 1 - 1e-9))


def document(joined: Joined) -> dict[str, Any]:
    """All that there is to say but the list of pairs, for ``--json``."""
    from edgewise import __version__

    pairs, groups = joined.pairs, joined.groups
    said: dict[str, Any] = {
        "edgewise": __version__,
        "files": [side.name for side in joined.sides],
        "records": [len(side.sets) for side in joined.sides],
        "asked": joined.asked,
        "pairs": len(pairs),
        "equal": joined.equal(),
        "best": joined.some(joined.best()),
        "borderline": joined.some(joined.borderline()),
        "tally": pairs.tally,
        "seconds": pairs.seconds,
        "compiled_seconds": compile_seconds(),
    }
    if groups is not None:
        said["groups"] = {
            "count": len(groups.sizes),
            "of_several": int(np.count_nonzero(groups.sizes > 1)),
            "largest": int(groups.sizes.max(initial=0)),
            "duplicates": groups.duplicates,
        }
    return said


def preview(joined: Joined) -> Iterator[Any]:
    """What to show, in order."""
    pairs, equal, width = joined.pairs, joined.equal(), Console().width
    names = " and ".join(side.name for side in joined.sides)
    counts = " and ".join(number(len(side.sets)) for side in joined.sides)
    yield Text(f"{names}: {_count(len(pairs), 'pair')} of {counts} records", style="bold")
    ones = f"; {_count(equal, 'pair')} with the score 1" if equal else ""
    yield f"{joined.asked}{ones}"
    if not len(pairs) and sum(len(side.sets) for side in joined.sides) > 1:
        yield _MORE
    for title, which in (("Best", joined.best()), ("Borderline", joined.borderline())):
        if len(which):
            yield ""
            below = title == "Best" and 0 < equal < len(pairs)
            yield Text("Best below 1" if below else title, style="bold")
            yield from _beside(joined.some(which), width)
    if joined.groups is not None:
        yield ""
        yield from _groups(joined, width)
    yield ""
    tally = {name: count for name, count in pairs.tally.items() if name in _FILTERS}
    left = ", ".join(f"{name} {number(count)}" for name, count in tally.items())
    if compiled():
        yield compiled().capitalize()
    yield f"After filters: {left}"
    stages = {name: took for name, took in pairs.seconds.items() if name != "in all"}
    spent = ", ".join(f"{name} {seconds(value)}" for name, value in stages.items())
    yield f"{seconds(pairs.seconds['in all'])}: {spent}"


def _beside(rows: list[dict[str, Any]], width: int) -> Iterator[str]:
    """Pairs as lines: the score, and name and text of either set.

    They stand side by side, or one below the other if they would not fit.
    """
    ends = [[(str(row[side]), row[f"{side}_text"]) for row in rows] for side in ("left", "right")]
    names, texts = ([max(cell_len(end[i]) for end in column) for column in ends] for i in (0, 1))
    names = [min(span, width // 4) for span in names]
    stacked = sum(names) + sum(texts) + 13 > width
    if stacked:
        names = [max(names)] * 2
        texts = [max(_NARROWEST, width - 11 - names[0])] * 2
    between = "\n" + " " * 9 if stacked else "  "
    for row, *pair in zip(rows, *ends, strict=True):
        if stacked:
            pair = _where_they_differ(pair, texts[0])
        sets = [
            f"{_fit(name, names[i])}  {_fit(text, texts[i])}" for i, (name, text) in enumerate(pair)
        ]
        shown = between.join(one.rstrip() if stacked else one for one in sets)
        yield f"  {_score(row['score'])}  {shown.rstrip()}"


def _groups(joined: Joined, width: int) -> Iterator[Any]:
    """How many groups and duplicates there are, and the largest groups."""
    groups = joined.groups
    assert groups is not None
    several = int(np.count_nonzero(groups.sizes > 1))
    records = int(groups.sizes.sum())
    yield Text(f"{_count(several, 'group')} of two or more", style="bold")
    rows = np.concatenate([part for part in groups[:2] if part is not None])
    order = np.argsort(-groups.sizes, kind="stable")[:_SHOWN]
    for group in order[groups.sizes[order] > 1].tolist():
        first = int(np.flatnonzero(rows == group)[0])
        side = joined.sides[0]
        text = side.texts(np.array([first]), joined.separator)[0]
        size = number(int(groups.sizes[group]))
        yield f"  {size:>5}  {_fit(text, max(_NARROWEST, width - 9))}".rstrip()
    share = percent(groups.duplicates / records if records else 0.0)
    yield (
        f"{number(groups.duplicates)} of {number(records)} records are duplicates ({share}): "
        f"{number(len(groups.sizes))} are left if one of each group is kept"
    )


def _first(which: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Those of the smallest keys, in order."""
    if len(which) > 100 * _SHOWN:
        near = np.argpartition(keys, _SHOWN)[:_SHOWN]
        chosen = np.flatnonzero(keys <= keys[near].max())[: 100 * _SHOWN]
        which, keys = which[chosen], keys[chosen]
    return which[np.argsort(keys, kind="stable")[:_SHOWN]]


def _score(value: float) -> str:
    """Three digits, never rounded up to 1."""
    return f"{math.floor(value * 1000 + 1e-6) / 1000:.3f}"


def _where_they_differ(pair: list[tuple[str, str]], width: int) -> list[tuple[str, str]]:
    """Names and texts of two sets, without what long texts begin with alike."""
    texts = [text for _, text in pair]
    alike = len(commonprefix([text.casefold() for text in texts]))
    if max(map(cell_len, texts)) <= width or alike <= width // 2:
        return pair
    cut = min(alike - width // 2, max(map(len, texts)) - width) + 1
    return [(name, f"…{text[cut:]}") for name, text in pair]


def _count(count: int, word: str) -> str:
    return f"{number(count)} {word}{'' if count == 1 else 's'}"


def _fit(text: str, width: int) -> str:
    """A text that takes just ``width`` columns of a terminal."""
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(text, width - 1) + "…"


def _line(members: list[str] | None, between: str) -> str:
    """The elements of a set with what stands between them; control characters are left out."""
    parts: list[str] = []
    length = 0
    for member in members or ():
        parts.append(member[: _LONGEST - length])
        length += len(member) + len(between)
        if length >= _LONGEST:
            break
    return "".join(c if c.isprintable() else " " for c in between.join(parts))


def _taken(column: Any, rows: np.ndarray) -> Any:
    import pyarrow as pa

    taken = column.take(pa.array(rows))
    return taken.combine_chunks() if isinstance(taken, pa.ChunkedArray) else taken
