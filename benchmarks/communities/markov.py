"""Markov clustering beside the program mcl: processor time of one thread, and agreement.

Both prune alike: the defaults are those of mcl. Reading and writing files is part of mcl's time.
On a GPU, it is measured beside two CPU threads of the same machine.
"""

from __future__ import annotations

import gzip
import json
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.graphs import MissingGraphError, data_folder
from benchmarks.report import machine, spell_time, table

__all__ = ["MARKOV", "measure_markov", "measure_markov_on_gpu"]

MARKOV = {
    "com-dblp": "com-dblp.csv.gz",
    "PP-Pathways": "PP-Pathways_ppi.csv.gz",
    "SCOP": "scop_annotated_6370.fasta.gz",
}


def measure_markov(
    names: list[str], limit: float, folder: Path, tell: Callable[[str], None], *,
    quick: bool = False,
) -> str:  # fmt: skip
    """Measure every graph; the report in Markdown, also written to ``folder``.

    Graphs that were measured before and are not named keep their rows.
    """
    from edgewise import generators

    kept, chosen = folder / "markov.json", ["planted"] if quick else names
    rows = json.loads(kept.read_text()) if kept.exists() else []
    _ours(generators.planted_partition(4, 400, p_in=0.9, p_out=0.01, seed=1).graph)  # compiles
    for name in chosen:
        try:
            graph = _graph(name)
        except MissingGraphError as error:
            tell(str(error))
            continue
        found = {"graph": name, **_measured(graph, limit)}
        rows = [row for row in rows if row["graph"] != name] + [found]
        tell(str(found))
    rows.sort(key=lambda row: [*MARKOV, row["graph"]].index(row["graph"]))
    text = _markdown(rows)
    folder.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(rows, indent=1) + "\n")
    (folder / "markov.md").write_text(f"# markov\n\n{text}\n")
    return text


def measure_markov_on_gpu(
    names: list[str], folder: Path, tell: Callable[[str], None], *, device: str = "cuda",
    quick: bool = False,
) -> str:  # fmt: skip
    """Measure every graph on a GPU beside two CPU threads; the report in Markdown."""
    from edgewise import generators, threads
    from edgewise.communities import adjusted_rand_score, markov_clustering

    small, rows = generators.planted_partition(4, 400, p_in=0.9, p_out=0.01, seed=1).graph, []
    for where in (device, "cpu"):
        markov_clustering(small.to(where))  # compiles
    for name in ["planted"] if quick else names:
        try:
            graph = _graph(name)
        except MissingGraphError as error:
            tell(str(error))
            continue
        there = graph.to(device)
        quickest, found = min((_timed(markov_clustering, there) for _ in range(2)), key=_first)
        tell(f"{name}: {quickest:.2f} s on {device}")
        with threads(2):
            seconds, beside = _timed(markov_clustering, graph)
        labels = found.get()
        ari = adjusted_rand_score(beside.labels, labels)
        rows.append([name, spell_time(quickest), spell_time(seconds), f"{seconds / quickest:.1f}",
                     f"{len(np.unique(labels)):,}", f"{beside.num_communities:,}",
                     f"{ari:.5f}"])  # fmt: skip
        tell(" | ".join(rows[-1]))
    heads = ["graph", "GPU", "two CPU threads", "times faster", "clusters", "on CPU", "ARI"]
    text = f"{machine()}. The least of two calls on the GPU.\n\n{table(heads, rows)}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "markov-cuda.md").write_text(f"# markov-cuda\n\n{text}\n")
    return text


def _timed(call: Callable[[Any], Any], graph: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    found = call(graph)
    return time.perf_counter() - start, found


def _first(pair: tuple[float, Any]) -> float:
    return pair[0]


def _graph(name: str) -> Any:
    import edgewise

    if name == "planted":
        return edgewise.generators.planted_partition(20, 50, p_in=0.3, p_out=0.004, seed=1).graph
    path = data_folder() / ("proteins" if name == "SCOP" else "graphs") / MARKOV[name]
    if not path.is_file():
        raise MissingGraphError(f"there is no {path.name} beside the checkout")
    if name == "SCOP":  # the network of `apps.protein_families`, with scores in bits as weights
        from edgewise.apps import protein_network

        return protein_network(path).graph
    with gzip.open(path, "rt") as lines:  # some lines of PP-Pathways are broken
        pairs = [line.replace(",", " ").split() for line in lines]
    ends = np.array([pair for pair in pairs if len(pair) == 2 and pair[0].isdigit()], np.int64)
    names, numbers = np.unique(ends, return_inverse=True)
    return edgewise.Graph.from_edges(*numbers.reshape(-1, 2).T, num_vertices=len(names))


def _measured(graph: Any, limit: float) -> dict[str, Any]:
    """Times, numbers of clusters, and the adjusted Rand index."""
    from edgewise.communities import adjusted_rand_score

    found, seconds = _ours(graph)
    if seconds < 1:  # the first call of these types compiled, or loaded what was compiled
        seconds = min(_ours(graph)[1] for _ in range(5))
    row = {"seconds": seconds, "clusters": found.num_communities}
    row["overlapping"] = len(np.unique(found.overlap.vertices))
    if shutil.which("mcl") is None:
        return row
    theirs, taken = _mcl(graph, limit)
    agreement = adjusted_rand_score(found.labels, theirs)
    return row | {"mcl": taken, "mcl_clusters": len(np.unique(theirs)), "ari": agreement}


def _ours(graph: Any) -> tuple[Any, float]:
    from edgewise import threads
    from edgewise.communities import markov_clustering

    with threads(1):
        start = time.process_time()
        found = markov_clustering(graph)
        return found, time.process_time() - start


def _mcl(graph: Any, limit: float) -> tuple[np.ndarray, float]:
    """The clusters of mcl, labeled by their smallest vertices, and its processor time."""
    sources, targets, weights = graph.edges()
    columns = [sources, targets] if weights is None else [sources, targets, weights]
    with tempfile.TemporaryDirectory() as where:
        np.savetxt(Path(where) / "a.abc", np.c_[*columns], fmt=["%d", "%d", "%.9g"][: len(columns)])
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(["mcl", "a.abc", "--abc", "-I", "2", "-te", "1", "-o", "out"], cwd=where,
                       check=True, capture_output=True, timeout=limit)  # fmt: skip
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        lines = (Path(where) / "out").read_text().splitlines()
    label = np.arange(graph.num_vertices)
    for line in lines:
        members = np.array(line.split(), np.int64)
        label[members] = members.min()
    taken = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return label, taken


def _markdown(rows: list[dict[str, Any]]) -> str:
    heads = ["graph", "Edgewise", "mcl", "share", "clusters", "clusters of mcl", "ARI"]
    made = []
    for row in rows:
        theirs = row.get("mcl")
        made.append([
            row["graph"], spell_time(row["seconds"]), "" if theirs is None else spell_time(theirs),
            "" if theirs is None else f"{row['seconds'] / theirs:.2f}", f"{row['clusters']:,}",
            f"{row['mcl_clusters']:,}" if theirs else "", f"{row['ari']:.5f}" if theirs else "",
        ])  # fmt: skip
    return f"{machine()}, one thread, processor time.\n\n{table(heads, made)}"
