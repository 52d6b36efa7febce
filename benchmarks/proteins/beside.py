"""Protein families beside MMseqs2 and DIAMOND with mcl, on sequences with SCOP families.

A pair of sequences is found if both are in one cluster, and true if SCOP puts both in one family.
Recall is the part of true pairs that are found, precision the part of found pairs that are true.
All programs take two threads. Programs that are not installed are left out.
"""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.graphs import data_folder
from benchmarks.report import machine, spell_time, table

__all__ = ["measure_families", "scores"]

_EVALUE, _INFLATION, _THREADS = "1e-3", "1.4", 2
_COLUMNS = {"diamond": ["6", "qseqid", "sseqid", "bitscore"], "mmseqs": "query,target,bits"}
_OURS: dict[str, dict[str, Any]] = {
    "edgewise": {},
    "edgewise, E 0.1": {"max_evalue": 0.1},
    "edgewise, fast": {"min_diagonal": 40},
}


def measure_families(
    limit: float, folder: Path, tell: Callable[[str], None], *, quick: bool = False
) -> str:
    """Measure all programs; the report in Markdown, also written to ``folder``."""
    path, truth = _labeled(quick)
    rows = []
    with tempfile.TemporaryDirectory() as where:
        plain = Path(where) / "some.fasta"
        plain.write_bytes(_content(path))
        for name, run in _programs(plain, Path(where), limit).items():
            start = time.perf_counter()
            try:
                clusters, edges = run()
            except (subprocess.SubprocessError, OSError) as error:
                tell(f"{name}: {error}")
                continue
            row = {"program": name, "seconds": time.perf_counter() - start, "edges": edges}
            rows.append(row | scores(clusters, truth))
            tell(str(rows[-1]))
    text = _markdown(rows, len(truth))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "proteins.json").write_text(json.dumps(rows, indent=1) + "\n")
    (folder / "proteins.md").write_text(f"# proteins\n\n{text}\n")
    return text


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


def _labeled(quick: bool) -> tuple[Path, np.ndarray]:
    """A FASTA file, and the family of each of its sequences."""
    folder = data_folder() / "proteins"
    if not quick:
        path = folder / "scop_annotated_6370.fasta.gz"
        heads = [line.split() for line in _content(path).decode().splitlines() if line[:1] == ">"]
        return path, np.array([words[1] for words in heads])
    path = folder / "scop40_284.fasta"
    lines = (folder / "scop40_families.tsv").read_text().splitlines()
    family = dict(line.split("\t")[:2] for line in lines)
    heads = [line[1:].split()[0] for line in path.read_text().splitlines() if line[:1] == ">"]
    return path, np.array([family[name] for name in heads])


def _content(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def _programs(fasta: Path, where: Path, limit: float) -> dict[str, Callable[[], Any]]:
    """Each program as a function that returns the cluster of each sequence and a count of edges."""
    names = [line[1:].split()[0] for line in fasta.read_text().splitlines() if line[:1] == ">"]
    made: dict[str, Callable[[], Any]] = {
        name: lambda options=options: _ours(fasta, options) for name, options in _OURS.items()
    }

    def clustered(command: list[str], hits: Path) -> Any:
        subprocess.run(command, check=True, capture_output=True, timeout=limit)
        return _mcl(hits, names, where, limit)

    for level in ("--sensitive", "--ultra-sensitive"):
        hits = where / f"diamond{level}.tsv"
        made[f"DIAMOND {level} + mcl"] = lambda level=level, hits=hits: clustered(
            ["diamond", "blastp", "--quiet", level, "-q", str(fasta), "-d", str(fasta), "-p",
             str(_THREADS), "-k", "0", "-e", _EVALUE, "-o", str(hits), "--outfmt",
             *_COLUMNS["diamond"]], hits)  # fmt: skip
    for level in ("5.7", "7.5"):
        hits = where / f"mmseqs{level}.tsv"
        made[f"MMseqs2 -s {level} + mcl"] = lambda level=level, hits=hits: clustered(
            ["mmseqs", "easy-search", str(fasta), str(fasta), str(hits), str(where / f"t{level}"),
             "--threads", str(_THREADS), "-e", _EVALUE, "-s", level, "--max-seqs", "1000",
             "--format-output", str(_COLUMNS["mmseqs"]), "-v", "1"], hits)  # fmt: skip
    there = {"DIAMOND": "diamond", "MMseqs2": "mmseqs"}
    return {
        name: run for name, run in made.items()
        if name.split()[0] not in there
        or (shutil.which(there[name.split()[0]]) and shutil.which("mcl"))
    }  # fmt: skip


def _ours(fasta: Path, options: dict[str, Any]) -> tuple[np.ndarray, int]:
    import edgewise
    from edgewise.apps import protein_families

    with edgewise.threads(_THREADS):
        found = protein_families(fasta, **options)
    return found.families, found.network.counts["edges"]


def _mcl(hits: Path, names: list[str], where: Path, limit: float) -> tuple[np.ndarray, int]:
    """The clusters of hits of a program, and the number of pairs among these."""
    out, pairs = where / "clusters", set()
    with hits.open() as file, (where / "some.abc").open("w") as abc:
        for line in file:
            left, right, bits = line.split()[:3]
            if left != right:
                pairs.add((min(left, right), max(left, right)))
                abc.write(f"{left}\t{right}\t{bits}\n")
    command = ["mcl", str(where / "some.abc"), "--abc", "-I", _INFLATION, "-te", str(_THREADS)]
    subprocess.run([*command, "-o", str(out)], check=True, capture_output=True, timeout=limit)
    place = {name: i for i, name in enumerate(names)}
    clusters = np.arange(len(names))
    for line in out.read_text().splitlines():
        members = [place[name] for name in line.split()]
        clusters[members] = members[0]
    return clusters, len(pairs)


def _markdown(rows: list[dict[str, Any]], count: int) -> str:
    lines = [
        [row["program"], spell_time(row["seconds"]), f"{row['edges']:,}", f"{row['recall']:.3f}",
         f"{row['precision']:.3f}", f"{row['f1']:.3f}"]
        for row in rows
    ]  # fmt: skip
    head = ["program", "time", "similar pairs", "recall", "precision", "F1"]
    return (
        f"{count:,} sequences with SCOP families, {_THREADS} threads, on {machine()}. The time is "
        f"from file to clusters, with compiled kernels.\n\n{table(head, lines)}"
    )
