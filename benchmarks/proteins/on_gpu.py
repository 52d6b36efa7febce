"""Seeds and scores of alignments on a GPU beside the host's threads.

GCUPS are billions of cells of the dynamic program per second. Sequences are random, with lengths
around 350; a part of the pairs are relatives. Seeds are those of simulated families.
``python -m benchmarks.proteins.on_gpu`` runs it alone and takes about a minute.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import machine, spell_time, table

__all__ = ["measure_alignments_on_gpu"]

_GOAL = 200.0  # GCUPS


def measure_alignments_on_gpu(
    folder: Path, tell: Callable[[str], None], *, device: str = "cuda", quick: bool = False
) -> str:
    """Measure scores, and the other alignments; the report in Markdown, also in ``folder``."""
    from edgewise import get_threads
    from edgewise.apps.cpu.parasail_scores import has_parasail
    from edgewise.apps.proteins.alignment import align_proteins, alignment_scores

    rows = []
    for name, mean, pairs in _CASES if not quick else _SMALL:
        sequences, left, right = _random(mean, pairs)
        cells = int((sequences.lengths[left] * sequences.lengths[right]).sum())
        found, seconds = _best(lambda: alignment_scores(sequences, left, right, device=device))  # noqa: B023
        row = {"case": name, "program": "scores, GPU", "gcups": cells / seconds / 1e9}
        few = slice(None, None, max(1, int(cells / (2e9 if quick else 2e11))))
        here, spent = _best(lambda: alignment_scores(sequences, left[few], right[few]), 1)  # noqa: B023
        part = int((sequences.lengths[left[few]] * sequences.lengths[right[few]]).sum())
        row["same"] = bool((found[few] == here).all())
        who = "parasail" if has_parasail() else "compiled"
        beside = {"case": name, "program": f"scores, {who}, {get_threads()} threads",
                  "gcups": part / spent / 1e9, "same": True}  # fmt: skip
        rows += [row, beside]
        tell(f"{row}\n{beside}")
        some = slice(0, max(1, pairs // 20))
        shorter = int((sequences.lengths[left[some]] * sequences.lengths[right[some]]).sum())
        for method in ("full", "banded", "xdrop"):
            given: dict[str, Any] = {"method": method}
            given |= {"band": 32} if method == "banded" else {}
            there, seconds = _best(
                lambda: align_proteins(sequences, left[some], right[some], device=device, **given),  # noqa: B023
                1,
            )
            check = slice(0, min(50, some.stop))
            here = align_proteins(sequences, left[check], right[check], **given)
            same = all((a[check] == b).all() for a, b in zip(there, here, strict=True))
            rows.append({"case": name, "program": f"alignments, {method}, GPU",
                         "gcups": shorter / seconds / 1e9, "same": bool(same)})  # fmt: skip
            tell(str(rows[-1]))
    seeds = [_seeds(count, device, tell) for count in ((2,) if quick else (60, 400))]
    text = _markdown(rows, seeds)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "proteins-cuda.json").write_text(json.dumps(rows + seeds, indent=1) + "\n")
    (folder / "proteins-cuda.md").write_text(f"# proteins-cuda\n\n{text}\n")
    return text


_CASES = (("350 letters", 350, 1_000_000), ("100 letters", 100, 2_000_000),
          ("3,000 letters", 3000, 20_000))  # fmt: skip
_SMALL = (("20 letters", 20, 60),)


def _seeds(families: int, device: str, tell: Callable[[str], None]) -> dict[str, Any]:
    """The time of seeds of simulated families, on the GPU and on the host's threads."""
    from benchmarks.proteins.simulated import simulate_families
    from edgewise.apps import read_fasta
    from edgewise.apps.proteins.seeds import seed_pairs

    given: dict[str, Any] = {"k": 6, "alphabet": "murphy10", "num_shapes": 8, "max_chance": 0.03}
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "some.fasta"
        simulate_families(path, families)
        sequences = read_fasta(path)
    (_, there), seconds = _best(lambda: seed_pairs(sequences, **given, device=device))
    (_, here), spent = _best(lambda: seed_pairs(sequences, **given), 1)
    same = all(np.array_equal(a, b) for a, b in zip(here, there, strict=True))
    row = {"sequences": len(sequences.names), "letters": len(sequences.letters),
           "pairs": len(here.left), "seconds": seconds, "beside": spent, "same": same}  # fmt: skip
    tell(str(row))
    return row


def _random(mean: int, pairs: int) -> Any:
    """Sequences of lengths around a mean, and pairs of them."""
    from edgewise.apps.proteins.sequences import Sequences

    draw = np.random.default_rng(1)
    count = max(20, min(20_000, pairs // 50))
    lengths = np.maximum(draw.normal(mean, mean / 5, count), 1).astype(np.int64)
    starts = np.append(0, np.cumsum(lengths))
    letters = draw.integers(0, 20, starts[-1]).astype(np.uint8)
    for i in range(0, count - 1, 2):  # relatives: a fifth of the letters differ
        size = min(lengths[i], lengths[i + 1])
        copy = letters[starts[i] : starts[i] + size].copy()
        other = draw.random(size) < 0.2
        copy[other] = draw.integers(0, 20, int(other.sum()))
        letters[starts[i + 1] : starts[i + 1] + size] = copy
    sequences = Sequences([str(i) for i in range(count)], letters, starts)
    left, right = draw.integers(0, count, (2, pairs))
    right[::10] = left[::10] ^ 1
    return sequences, left, np.minimum(right, count - 1)


def _best(call: Callable[[], Any], trials: int = 3) -> tuple[Any, float]:
    found, seconds = call(), np.inf  # the first call compiles
    for _ in range(trials):
        start = time.perf_counter()
        found = call()
        seconds = min(seconds, time.perf_counter() - start)
    return found, seconds


def _markdown(rows: list[dict[str, Any]], seeds: list[dict[str, Any]]) -> str:
    lines = [
        [row["case"], row["program"], f"{row['gcups']:.1f}", "yes" if row["same"] else "NO"]
        for row in rows
    ]
    found = [
        [f"{row['sequences']:,}", f"{row['pairs']:,}", spell_time(row["seconds"]),
         spell_time(row["beside"]), "yes" if row["same"] else "NO"]
        for row in seeds
    ]  # fmt: skip
    best = max((row["gcups"] for row in rows if row["program"] == "scores, GPU"), default=0.0)
    verdict = "reached" if best >= _GOAL else "missed"
    head = ["pairs of", "program", "GCUPS", "equal to the CPU's"]
    return (
        f"Measured with a GPU and {machine()}. Transfers are included. Goal: {_GOAL:.0f} GCUPS, "
        f"{verdict} with {best:.0f}.\n\n{table(head, lines)}\n\nSeeds of simulated families:\n\n"
        + table(["sequences", "pairs", "GPU", "CPU threads", "equal"], found)
    )


if __name__ == "__main__":
    print(measure_alignments_on_gpu(Path("benchmarks/data/quick"), print))
