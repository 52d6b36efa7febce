"""Sorted runs of edges to an .ew file: the second half of an external sort.

The keys are cut into ranges that are a part of the memory limit, at the same keys in every run. The
slices of a range are read, sorted together and merged by the kernel that `Graph.from_edges` uses,
in the order of the input, so that the file equals that of the graph built in memory. Rows come out
in order: row starts and columns are written to their places, weights to a file that is appended.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from edgewise.base.bit_blocks import LIMIT
from edgewise.base.insertion import Items
from edgewise.base.observe import notify
from edgewise.base.parallel import get_threads, launch, sort, threads
from edgewise.graph.build import refuse, wide
from edgewise.graph.csr import index_dtype
from edgewise.graph.labels import Labels
from edgewise.graph.transpose import bits
from edgewise.io.binary import pack_labels
from edgewise.io.drafts import drop, new_draft, rename
from edgewise.io.edge_pieces import Vertices
from edgewise.io.edge_runs import WIDTH, Run, Runs, narrow
from edgewise.io.ew_header import ALIGNMENT, HEADER_SIZE, Header, pack_header
from edgewise.io.ew_output import Output, PackedOutput

__all__ = ["Rules", "merge"]

_ROWS = 1 << 16  # row starts that are written at once


class Rules(NamedTuple):
    """What becomes of edges: the words of `Graph.from_edges`."""

    directed: bool
    duplicates: str
    symmetrize: str | None


class Numbers(NamedTuple):
    """The vertices: how many, their labels, and the number of each id, or the first id alone."""

    total: int
    labels: Labels | None
    ranks: np.ndarray | None
    first: int

    def label(self, position: int) -> int:
        """What the file calls the vertex of an id in the runs."""
        if self.labels is None or self.ranks is not None:
            return position
        return int(self.labels.label(position - self.first))


def merge(
    runs: Runs, target: Path, rules: Rules, chosen: Vertices, tag: int, limit: int,
    compress: bool = False,
) -> int:  # fmt: skip
    """Write the graph of all runs to ``target``, which appears when it is complete.

    With ``compress`` its rows are packed as they come. Returns the number of self-loops.
    """
    numbers = _numbered(runs, chosen, limit)
    draft = new_draft(target)
    try:
        with threads(get_threads()), open(runs.folder / "weights", "w+b") as weights:
            loops = _write(draft, weights, runs, rules, numbers, tag, limit, compress)
        draft.flush()
        os.fsync(draft.fileno())
        rename(draft, target)
    except BaseException:
        drop(draft)
        raise
    finally:
        draft.close()
    return loops


def _numbered(runs: Runs, chosen: Vertices, limit: int) -> Numbers:
    """The vertices: those that are declared, or the ids that occur, in ascending order."""
    if chosen.total >= 0:
        if runs.ends.high - chosen.first >= chosen.total:
            raise ValueError(
                f"vertex ids must lie in 0 to {chosen.total - 1}, got {runs.ends.high}"
            )
        return Numbers(chosen.total, chosen.labels, None, chosen.first)
    if runs.ends.edges == 0:
        return Numbers(0, None, None, 0)
    low, high = runs.ends.low, runs.ends.high
    occurs = runs.occurs[low : high + 1]
    if occurs.all():
        span = high - low + 1
        return Numbers(span, Labels.range(low, span) if low else None, None, low)
    count = int(np.count_nonzero(occurs))
    need = 5 * len(occurs) + 8 * count
    if 2 * need > limit:
        raise MemoryError(
            f"memory must be at least {2 * need:,} bytes to number {count:,} of {len(occurs):,} "
            f"vertex ids, got {limit:,}"
        )
    ranks = np.cumsum(occurs, dtype=np.int32)
    ranks -= 1
    return Numbers(count, Labels.ascending(np.flatnonzero(occurs) + low), ranks, low)


class _Starts:
    """The row starts, in the order of the rows."""

    def __init__(self, output: Output | PackedOutput):
        self.output, self._next = output, 0

    def add(self, rows: np.ndarray, before: int) -> None:
        """Arcs of ascending rows follow ``before`` others."""
        if len(rows):
            self._until(int(rows[-1]) + 1, rows, before)

    def finish(self, n: int, arcs: int) -> None:
        self._until(n + 1, np.zeros(0, np.uint64), arcs)

    def _until(self, end: int, rows: np.ndarray, before: int) -> None:
        for low in range(self._next, end, _ROWS):
            wanted = np.arange(low, min(low + _ROWS, end), dtype=rows.dtype)
            self.output.write(np.searchsorted(rows, wanted) + before)
        self._next = max(self._next, end)


def _write(
    file: BinaryIO, weights: BinaryIO, runs: Runs, rules: Rules, numbers: Numbers, tag: int,
    limit: int, compress: bool,
) -> int:  # fmt: skip
    """Write all sections and the header; the number of self-loops."""
    n, kind = numbers.total, _weight_type(runs.runs)
    total, done, loops = sum(run.keys for run in runs.runs), 0, 0
    indptr: Any = Output(file, "indptr", np.int64, HEADER_SIZE)
    begin = HEADER_SIZE + 8 * (n + 1)
    indices: Any = Output(file, "indices", index_dtype(n), begin + -begin % ALIGNMENT)
    if compress:
        indptr = PackedOutput(runs.folder, "ptr") if total < LIMIT else indptr
        indices = PackedOutput(runs.folder, "idx")
    starts = _Starts(indptr)
    worth = None if kind is None else Output(weights, "weights", kind)
    most = max(limit // 12 // (8 + (0 if kind is None else kind.itemsize)), 2)
    for number, slices in enumerate(_ranges(runs, tag, most)):
        keys, values = _collected(runs, slices, kind)
        done += len(keys)
        rows, columns, values = _merged(keys, values, runs, rules, numbers, tag)
        del keys
        loops += int(np.count_nonzero(rows == columns))
        starts.add(rows, indices.items)
        indices.write(columns)
        if worth is not None:
            worth.write(values)
        del rows, columns, values  # before the next part is read
        notify(number, arcs=indices.items, merged=f"{done / total:.0%}")
    starts.finish(n, indices.items)
    outputs: list[Output] = []
    end = HEADER_SIZE
    for array in (indptr, indices, worth):
        if array is worth and worth is not None:
            outputs.append(worth.moved(file, end))
        elif isinstance(array, PackedOutput):
            outputs += array.moved(file, end)
        elif array is not None:
            outputs.append(array)
        end = outputs[-1].end
    for name, array in pack_labels(numbers.labels).items():
        outputs.append(Output(file, name, array.dtype, end + -end % ALIGNMENT))
        outputs[-1].write(array)
        end = outputs[-1].end
    file.truncate(end)
    file.seek(0)
    sections = [output.section for output in outputs]
    file.write(pack_header(Header(rules.directed, n, indices.items, sections)))
    return loops


def _weight_type(runs: list[Run]) -> np.dtype | None:
    """The type of the weights; float64 if some runs have integers and others not."""
    kinds = {run.weights for run in runs} - {None}
    return None if not kinds else np.result_type(*kinds)  # type: ignore[arg-type]


def _ranges(runs: Runs, tag: int, most: int) -> Iterator[list[tuple[int, int]]]:
    """Slices of every run that hold the same keys, at most so many in all; no edge is split."""
    files = [np.memmap(runs.folder / f"{run.name}.keys", np.uint64, "r") for run in runs.runs]
    before, sizes = [0] * len(files), [len(file) for file in files]

    def places(edge: int) -> list[int]:
        if edge >> 2 * WIDTH:
            return sizes
        key = np.uint64(edge << tag)
        return [int(np.searchsorted(file, key)) for file in files]

    while before != sizes:
        low, high = 0, 1 << 2 * WIDTH  # the first edge after the range
        while low < high:
            middle = (low + high + 1) // 2
            if sum(places(middle)) - sum(before) <= most:
                low = middle
            else:
                high = middle - 1
        after = places(low)
        if after == before:
            count = sum(places(low + 1)) - sum(before)
            raise MemoryError(
                f"one edge is given {count:,} times, which takes {count / most:.1f} times the "
                "memory for a part of the edges"
            )
        yield list(zip(before, after, strict=True))
        before = after


def _collected(
    runs: Runs, slices: list[tuple[int, int]], kind: np.dtype | None
) -> tuple[np.ndarray, Any]:
    """The keys and the weights of these slices, in the order of the runs."""
    count = sum(high - low for low, high in slices)
    keys, values, at = np.empty(count, np.uint64), None, 0
    if kind is not None:
        values = np.empty(count, kind)
    for run, (low, high) in zip(runs.runs, slices, strict=True):
        part = slice(at, at + high - low)
        at = part.stop
        path = runs.folder / f"{run.name}.keys"
        keys[part] = np.fromfile(path, np.uint64, high - low, offset=8 * low)
        if values is not None:
            own = np.dtype(run.weights)
            path = path.with_suffix(".weights")
            values[part] = np.fromfile(path, own, high - low, offset=own.itemsize * low)
    return keys, values


def _merged(
    keys: np.ndarray, values: Any, runs: Runs, rules: Rules, numbers: Numbers, tag: int
) -> tuple[np.ndarray, np.ndarray, Any]:
    """Rows, columns and weights of the arcs that some keys make, in order."""
    from edgewise.graph.cpu.build import COMBINE, FOUND, Combining, Layout, finish_kernel

    width = max(int(runs.ends.high).bit_length(), 1)
    narrow(keys, width, tag)
    apart = tag if rules.symmetrize == "given" else 0  # an edge and its reverse are merged apart
    low = tag - apart
    sort(keys, values, low=low)
    cuts = keys[:: max(len(keys) // (8 * get_threads()), 1)] >> np.uint64(low)
    bounds = np.append(np.unique(np.searchsorted(keys, cuts << np.uint64(low))), len(keys))
    notes = np.full((len(bounds) - 1, 5), -1, np.int64)
    layout = Layout(1 << (width + apart), width, low, 2 * width + tag, False, False)
    combining = Combining(wide(values), COMBINE[rules.duplicates])
    launch(finish_kernel(None), Items(keys, bits(values)), values, bounds, notes, 0, layout,
           combining, work=len(keys))  # fmt: skip
    _check(notes, values, rules, width, apart, numbers)
    count = 0
    for low, found in zip(bounds[:-1].tolist(), notes[:, FOUND].tolist(), strict=True):
        kept, count = slice(count, count + found), count + found
        keys[kept] = keys[low : low + found]
        if values is not None:
            values[kept] = values[low : low + found]
    edges, values = keys[:count], None if values is None else values[:count]
    if apart:
        edges, values = _paired(edges, values, width, numbers)
    columns = edges & np.uint64((1 << width) - 1)
    rows = np.right_shift(edges, np.uint64(width), out=edges)
    if numbers.first:
        rows -= np.uint64(numbers.first)
        columns -= np.uint64(numbers.first)
    if numbers.ranks is not None:
        rows, columns = numbers.ranks[rows], numbers.ranks[columns]
    return rows, columns, values


def _check(
    notes: np.ndarray, values: Any, rules: Rules, width: int, apart: int, numbers: Numbers
) -> None:
    """ValueError if an edge is repeated that must not be, or if a sum of integers is too large."""
    from edgewise.graph.cpu.build import OVERFLOW, REPEATED

    if rules.duplicates == "raise":
        reason = "is given more than once, and duplicates='error'"
        refuse(notes[:, REPEATED] >> apart, reason, width, numbers.label)
    if values is not None and values.dtype.kind == "i":
        reason = f"has a summed weight beyond {values.dtype}; give wider weights"
        refuse(notes[:, OVERFLOW] >> apart, reason, width, numbers.label)


def _paired(edges: np.ndarray, values: Any, width: int, numbers: Numbers) -> tuple[np.ndarray, Any]:
    """The edges that are given both ways; ValueError if a reverse is missing or weighs otherwise.

    The lowest bit says that the edge was turned around, and comes after the edge itself.
    """
    turned, pairs = (edges & np.uint64(1)).view(np.int64), edges >> np.uint64(1)
    rows, columns = pairs >> np.uint64(width), pairs & np.uint64((1 << width) - 1)
    loops, again = rows == columns, np.append(pairs[1:] == pairs[:-1], False)
    alone = ~(loops | again | np.append(False, again[:-1]))
    if alone.any():
        e = int(np.argmax(alone))
        ends = [repr(numbers.label(int(end[e]))) for end in (rows, columns)]
        u, v = ends[::-1] if turned[e] else ends
        raise ValueError(
            f"an undirected graph must hold both directions, got {u} to {v} but not {v} to {u}"
        )
    kept = np.flatnonzero(turned == 0)
    if values is None:
        return pairs[kept], None
    back = np.where(loops[kept], values[kept], values[np.minimum(kept + 1, len(values) - 1)])
    here = values[kept]
    differ = (here != back) & ~((here != here) & (back != back))
    if differ.any():
        e = int(np.argmax(differ))
        u, v = (repr(numbers.label(int(end[kept[e]]))) for end in (rows, columns))
        raise ValueError(
            "an undirected graph must have equal weights in both directions, "
            f"got {here[e]} from {u} to {v} and {back[e]} back"
        )
    return pairs[kept], here
