"""Protein families beside MMseqs2 and DIAMOND with mcl: recall, precision and time.

Two sets: proteins with SCOP families, and simulated families at several distances. A pair of
sequences is found if both are in one cluster, and true if both are in one family. Recall is the
part of true pairs that are found, precision the part of found pairs that are true.

Superfamilies are split in two halves. Every program runs with a grid of E-values and inflations.
The settings with the highest F1 on one half are reported, with their F1 on either half and on all.
A last run with these settings alone gives the time. Programs that are not installed are left out.
"""

from __future__ import annotations

import gzip
import inspect
import json
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.graphs import data_folder
from benchmarks.proteins.simulated import DISTANCES, simulate_families
from benchmarks.report import machine, spell_time, table
from edgewise.apps import protein_network

__all__ = ["measure_families", "scores"]

_THREADS = 2
_SUPPORT = inspect.signature(protein_network).parameters["support"].default
_PATIENCE = 1000  # iterations: with an inflation of 1.2, 100 did not always suffice
_EVALUES, _INFLATIONS = (1e-3, 1e-2, 3e-2, 1e-1, 1.0), (1.2, 1.3, 1.4, 2.0)
_OURS: dict[str, dict[str, Any]] = {
    "edgewise": {},
    "edgewise, fast": {"num_shapes": 4},
    "edgewise, sensitive": {"num_shapes": 16, "max_chance": 0.2},
}


class Labeled(NamedTuple):
    """Sequences with known families."""

    name: str
    fasta: Path
    families: np.ndarray
    parts: dict[str, np.ndarray]  #: masks; settings are chosen on the first


class Hits(NamedTuple):
    """Similar pairs of sequences, each once."""

    left: np.ndarray
    right: np.ndarray
    evalue: np.ndarray
    bits: np.ndarray
    steps: dict[str, float] = {}  # seconds


class Search(NamedTuple):
    """A program that finds similar pairs by the largest E-value, and one that clusters them."""

    run: Callable[[float], Hits]
    within: Callable[[Hits, float], Hits]  #: what it would find for a smaller E-value
    cluster: Callable[[Hits, float], np.ndarray]  #: by the inflation


def measure_families(
    limit: float, folder: Path, tell: Callable[[str], None], *, budget: float = 1400.0,
    quick: bool = False,
) -> str:  # fmt: skip
    """Measure all programs; the report in Markdown, also written to ``folder``.

    No process of another program takes more than ``limit`` seconds. After ``budget`` seconds no
    program is begun. The report names those that are left out.
    """
    rows: list[dict[str, Any]] = []
    folder.mkdir(parents=True, exist_ok=True)
    begin, left_out, text = time.perf_counter(), [], ""
    with tempfile.TemporaryDirectory() as place:
        for labeled in _sets(Path(place), quick):
            for name, search in _programs(labeled.fasta, Path(place), limit).items():
                try:
                    if time.perf_counter() - begin > budget:
                        raise TimeoutError(f"not begun, {budget:g} s are over")
                    row = {"set": labeled.name, "program": name, **_measured(search, labeled)}
                except (subprocess.SubprocessError, OSError) as error:
                    late = isinstance(error, subprocess.TimeoutExpired)
                    why = f"more than {limit:g} s" if late else f"{error}"
                    left_out.append(f"{name} ({labeled.name}): {why}")
                    tell(left_out[-1])
                    continue
                rows.append(row)
                tell(str(row))
                text = _markdown(rows, left_out)
                (folder / "proteins.json").write_text(json.dumps(rows, indent=1) + "\n")
                (folder / "proteins.md").write_text(f"# proteins\n\n{text}\n")
    return text


def _measured(search: Search, labeled: Labeled) -> dict[str, Any]:
    """The best settings on the first part, what they give on every part, and their time."""
    hits = search.run(max(_EVALUES))
    first, tried = next(iter(labeled.parts.values())), {}
    for evalue in _EVALUES:
        some = search.within(hits, evalue)
        for inflation in _INFLATIONS:
            found = search.cluster(some, inflation)
            tried[evalue, inflation] = scores(found[first], labeled.families[first])["f1"]
    evalue, inflation = max(tried, key=tried.__getitem__)
    start, before = time.perf_counter(), _processor_time()
    hits = search.run(evalue)
    clusters = search.cluster(hits, inflation)
    seconds, spent = time.perf_counter() - start, _processor_time() - before
    return {
        "evalue": evalue, "inflation": inflation, "edges": len(hits.left), "seconds": seconds,
        "processor": spent, "steps": hits.steps, **scores(clusters, labeled.families),
        "parts": {name: scores(clusters[part], labeled.families[part])["f1"]
                  for name, part in labeled.parts.items()},
    }  # fmt: skip


def _processor_time() -> float:
    """Of this process and all that it has waited for."""
    kinds = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, kinds))


def scores(clusters: np.ndarray, truth: np.ndarray) -> dict[str, float]:
    """Recall, precision and F1 over pairs.

    >>> scores(np.array([0, 0, 0, 1]), np.array([5, 5, 6, 6]))
    {'recall': 0.5, 'precision': 0.3333333333333333, 'f1': 0.4}
    """
    _, family = np.unique(truth, return_inverse=True)
    _, cluster = np.unique(clusters, return_inverse=True)
    true, found, both = (
        sum(size * (size - 1) // 2 for size in np.unique(key, return_counts=True)[1].tolist())
        for key in (family, cluster, cluster * len(family) + family)
    )
    return {"recall": both / max(true, 1), "precision": both / max(found, 1),
            "f1": 2 * both / max(true + found, 1)}  # fmt: skip


def _sets(place: Path, quick: bool) -> Iterator[Labeled]:
    """The sets of sequences, as plain FASTA files."""
    yield _scop(place, quick)
    path = place / "simulated.fasta"
    families, distances = simulate_families(path, 4 if quick else 100)
    parts = {name: distances == name for name in DISTANCES}
    yield Labeled("simulated", path, families, parts)


def _scop(place: Path, quick: bool) -> Labeled:
    folder, path = data_folder() / "proteins", place / "scop.fasta"
    if quick:
        path.write_bytes((folder / "scop40_284.fasta").read_bytes())
        lines = (folder / "scop40_families.tsv").read_text().splitlines()
        known = dict(line.split("\t")[:2] for line in lines)
        families = [known[name] for name in _names(path)]
    else:
        path.write_bytes(gzip.decompress((folder / "scop_annotated_6370.fasta.gz").read_bytes()))
        families = [line.split()[1] for line in path.read_text().splitlines() if line[:1] == ">"]
    tuning = np.array([_is_for_tuning(family) for family in families])
    return Labeled("SCOP", path, np.array(families), {"tuning": tuning, "test": ~tuning})


def _is_for_tuning(family: str) -> bool:
    """By a hash of the superfamily: a.4.5 of family a.4.5.6."""
    return sha256(family.rpartition(".")[0].encode()).digest()[0] % 2 == 0


def _names(fasta: Path) -> list[str]:
    return [line[1:].split()[0] for line in fasta.read_text().splitlines() if line[:1] == ">"]


def _programs(fasta: Path, where: Path, limit: float) -> dict[str, Search]:
    """All programs that are installed."""
    made = {name: _ours(fasta, options) for name, options in _OURS.items()}
    names = _names(fasta)

    def found(command: list[str], hits: Path) -> Hits:
        subprocess.run(command, check=True, capture_output=True, timeout=limit)
        return _read_hits(hits, names)

    def cluster(hits: Hits, inflation: float) -> np.ndarray:
        return _mcl(hits, len(names), inflation, where, limit)

    def diamond(level: str) -> Search:
        hits = where / f"diamond{level}.tsv"
        command = ["diamond", "blastp", "--quiet", level, "-q", str(fasta), "-d", str(fasta), "-p",
                   str(_THREADS), "-k", "0", "-o", str(hits), "--outfmt", "6", "qseqid", "sseqid",
                   "evalue", "bitscore", "-e"]  # fmt: skip
        return Search(lambda evalue: found([*command, str(evalue)], hits), _below, cluster)

    def mmseqs(level: str) -> Search:
        hits = where / f"mmseqs{level}.tsv"
        command = ["mmseqs", "easy-search", str(fasta), str(fasta), str(hits), str(where / "some"),
                   "--threads", str(_THREADS), "-s", level, "--max-seqs", "1000",
                   "--format-output", "query,target,evalue,bits", "-v", "1", "-e"]  # fmt: skip
        return Search(lambda evalue: found([*command, str(evalue)], hits), _below, cluster)

    if shutil.which("mcl") and shutil.which("diamond"):
        for level in ("--sensitive", "--very-sensitive", "--ultra-sensitive"):
            made[f"DIAMOND {level} + mcl"] = diamond(level)
    if shutil.which("mcl") and shutil.which("mmseqs"):
        for level in ("5.7", "7.5"):
            made[f"MMseqs2 -s {level} + mcl"] = mmseqs(level)
    return made


def _ours(fasta: Path, options: dict[str, Any]) -> Search:
    """Our own program; pairs with a common neighbor may have larger E-values."""
    from edgewise import communities, threads
    from edgewise.apps import read_fasta
    from edgewise.apps.protein_families import network_of, with_support

    def run(evalue: float) -> Hits:
        with threads(_THREADS):
            network = protein_network(fasta, max_evalue=evalue, **options)
        columns = (network.pairs[name] for name in ("left", "right", "evalue", "bits"))
        return Hits(*columns, dict(network.seconds))

    def within(hits: Hits, evalue: float) -> Hits:
        some = _below(hits, evalue * _SUPPORT)
        kept = with_support(some.left, some.right, some.evalue <= evalue, names)
        return Hits(*(column[kept] for column in some[:4]))

    def cluster(hits: Hits, inflation: float) -> np.ndarray:
        if not len(hits.left):
            return np.arange(len(names))
        graph = network_of(hits.left, hits.right, hits.bits, names)
        with threads(_THREADS):
            found = communities.markov_clustering(graph, inflation=inflation, max_iter=_PATIENCE)
            return np.asarray(found)

    names = read_fasta(fasta).names
    return Search(run, within, cluster)


def _below(hits: Hits, evalue: float) -> Hits:
    return Hits(*(column[hits.evalue <= evalue] for column in hits[:4]))


def _read_hits(path: Path, names: list[str]) -> Hits:
    """Hits of a program; of a pair that is found in both directions, the better one."""
    place = {name: i for i, name in enumerate(names)}
    best: dict[tuple[int, int], tuple[float, float]] = {}
    with path.open() as file:
        for line in file:
            words = line.split()
            left, right = sorted((place[words[0]], place[words[1]]))
            value = float(words[2]), -float(words[3])
            if left != right:
                best[left, right] = min(best.get((left, right), value), value)
    ends = np.array([*best], np.int64).reshape(-1, 2)
    values = np.array([*best.values()]).reshape(-1, 2)
    return Hits(ends[:, 0], ends[:, 1], values[:, 0], -values[:, 1])


def _mcl(hits: Hits, count: int, inflation: float, where: Path, limit: float) -> np.ndarray:
    """The clusters of hits by the program mcl, with scores in bits as weights."""
    out, given = where / "clusters", where / "some.abc"
    lines = zip(hits.left.tolist(), hits.right.tolist(), hits.bits.tolist(), strict=True)
    given.write_text("".join(f"{a}\t{b}\t{bits}\n" for a, b, bits in lines))
    clusters = np.arange(count)
    if len(hits.left):
        command = ["mcl", str(given), "--abc", "-I", str(inflation), "-te", str(_THREADS)]
        subprocess.run([*command, "-o", str(out)], check=True, capture_output=True, timeout=limit)
        for line in out.read_text().splitlines():
            members = [int(word) for word in line.split()]
            clusters[members] = members[0]
    return clusters


def _markdown(rows: list[dict[str, Any]], left_out: list[str]) -> str:
    text = (
        f"Measured {time.strftime('%Y-%m-%d')} on {machine()}, {_THREADS} threads: `python -m "
        "benchmarks proteins`. Settings (E-value, inflation) are those with the highest F1 on the "
        "first part. The time is from file to clusters, with compiled kernels."
    )
    for name in dict.fromkeys(row["set"] for row in rows):
        some = [row for row in rows if row["set"] == name]
        parts = list(some[0]["parts"])
        head = ["program", "E", "inflation", "time", "processor time", "similar pairs", "recall",
                "precision", "F1", *(f"F1, {part}" for part in parts)]  # fmt: skip
        lines = [
            [row["program"], f"{row['evalue']:g}", f"{row['inflation']:g}",
             spell_time(row["seconds"]), spell_time(row["processor"]), f"{row['edges']:,}",
             *(f"{row[key]:.3f}" for key in ("recall", "precision", "f1")),
             *(f"{row['parts'][part]:.3f}" for part in parts)]
            for row in some
        ]  # fmt: skip
        text += f"\n\n{name}:\n\n{table(head, lines)}"
        for row in some:
            if row["steps"]:
                steps = (f"{step} {spell_time(value)}" for step, value in row["steps"].items())
                text += f"\n\nSteps of {row['program']}: {', '.join(steps)}."
    return text + "".join(f"\n\nLeft out: {one}." for one in left_out)
