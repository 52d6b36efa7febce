"""Seeds by every program, the spread of all of them by our `simulate`; simulation; quality.

A process of ours holds the graph and answers; other programs come after it, one at a time. Every
row is kept as soon as it is measured, in the place of an older one of the same name.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import product, starmap
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.driver import use_threads
from benchmarks.graphs import MissingGraphError
from benchmarks.influence.ours import LONG, RULES, prepared
from benchmarks.influence.problems import GRAPHS, Asked, Files, graph_of
from benchmarks.influence.programs import choosers, simulators
from benchmarks.influence.report import markdown
from benchmarks.peer import Peer

__all__ = ["EPSILONS", "KS", "MODELS", "OURS", "PARTS", "How", "everyone", "measure_influence"]

PARTS = ("seeds", "simulation", "quality")
#: What is measured on which graph; on others, all.
_ON = {
    "soc-Slashdot0902": PARTS[:2], "soc-Epinions1": PARTS[:1], "cnr-2000": PARTS[:1],
    "kron18": PARTS[:1], "wiki-Vote": PARTS[1:], "ca-HepPh": PARTS[2:],
}  # fmt: skip
MODELS = ("independent_cascade", "linear_threshold")
#: The largest epsilon first: who needs too long for it is not asked for a smaller one.
KS, EPSILONS = (50, 100), (0.5, 0.3, 0.13)
OURS = {"Edgewise IMM": "imm", "Edgewise OPIM": "opim"}
_METHODS = ("imm", "opim", "celf", "degree_discount")
#: The seed of the runs that rate all seeds, and of those that are timed; limits for rating.
_RATING, _TIMED, _PATIENT = 2026, 1, 10
_KEY = ("part", "graph", "model", "k", "epsilon", "who")


class How(NamedTuple):
    """How much is done, who takes part (all if none is named), and whom to tell."""

    trials: int
    limit: float
    runs: int
    who: list[str]
    tell: Callable[[str], None]

    def wants(self, who: str) -> bool:
        return not self.who or who in self.who


def everyone() -> list[str]:
    """All that may take part, by name."""
    return [*OURS, *choosers(), "Edgewise", *simulators(), *_METHODS, *RULES]


def measure_influence(names: list[str], parts: list[str], how: How, folder: Path) -> str:
    """Measure the parts on every graph; the report in Markdown, also written to ``folder``."""
    use_threads(2)
    kept = _Kept(folder)
    for name in names:
        try:
            graph = graph_of(name)
        except MissingGraphError as problem:
            how.tell(f"{name} is left out: {problem}")
            continue
        how.tell(f"{name}: {graph}")
        with tempfile.TemporaryDirectory() as directory, Peer(prepared, name) as peer:
            given = _Given(name, Files(graph, Path(directory)), peer, how)
            for part in parts:
                if part in _ON.get(name, PARTS):
                    for row in _MEASURES[part](given):
                        how.tell(f"  {_said(row)}")
                        kept.add(row)
    return kept.text()


class _Given(NamedTuple):
    """A graph, in our process and as files, and how to measure."""

    name: str
    files: Files
    peer: Peer
    how: How

    def ask(self, do: str, *, limits: int = 1, **task: Any) -> dict[str, Any]:
        """What our process answers within so many limits of time, or a note."""
        found = self.peer.ask({"do": do, **task}, limits * self.how.limit)
        return {"note": found} if isinstance(found, str) else found

    def rated(self, found: dict[str, Any], model: str) -> dict[str, Any]:
        """What was found, with the spread of its seeds in place of them."""
        if "seeds" not in found:
            return found
        rest = {name: value for name, value in found.items() if name != "seeds"}
        task = {"seeds": found["seeds"], "model": model, "runs": self.how.runs, "seed": _RATING}
        spread = self.ask("rate", limits=_PATIENT, **task)
        if "note" in spread:
            return {**rest, "unrated": spread["note"]}
        return {**rest, **{name: spread[name] for name in ("mean", "low", "high", "runs")}}

    def row(self, part: str, who: str, found: dict[str, Any], **more: Any) -> dict[str, Any]:
        date = time.strftime("%Y-%m-%d")
        return {"part": part, "graph": self.name, "who": who, **more, **found, "date": date}


def _seeds(given: _Given) -> Iterator[dict[str, Any]]:
    """Time, samples, memory and spread, of every program for every problem."""
    others = choosers()
    beyond: dict[tuple[str, str, int], dict[str, Any]] = {}
    for asked in starmap(Asked, product(MODELS, KS, EPSILONS)):
        for who in filter(given.how.wants, (*OURS, *others)):
            case = (who, asked.model, asked.k)
            if case in beyond:
                found = beyond[case]
            elif who in OURS:
                task = {"method": OURS[who], "trials": given.how.trials, **asked._asdict()}
                found = given.ask("choose", **task)
            else:
                found = _median(others[who], given, asked)
            if found.get("note", "").startswith(">"):
                beyond[case] = found
            yield given.row("seeds", who, given.rated(found, asked.model), **asked._asdict())


def _median(program: Callable, given: _Given, asked: Asked) -> dict[str, Any]:
    """What a program finds, with the median of its times; reading the graph may be long, too."""
    begin, seconds = time.perf_counter(), list[float]()
    while not seconds or len(seconds) < given.how.trials and time.perf_counter() - begin < LONG:
        found = program(given.files, asked, given.how.limit)
        if "note" in found:
            return found
        seconds.append(found["seconds"])
    return {**found, "seconds": median(seconds)}


def _simulation(given: _Given) -> Iterator[dict[str, Any]]:
    """Runs from the k vertices with the most neighbors, as many as each does within the limit."""
    k, runs, others = KS[0], given.how.runs, simulators()
    chosen = given.ask("rule", rule="degree", k=k)
    if "note" in chosen:
        raise RuntimeError(chosen["note"])
    seeds = chosen["seeds"]
    for model in MODELS:
        same = {"model": model, "k": k}
        if given.how.wants("Edgewise"):
            task = {"seeds": seeds, "model": model, "runs": runs, "seed": _TIMED}
            found = given.ask("simulate", trials=given.how.trials, **task)
            yield given.row("simulation", "Edgewise", found, **same)
        for library in filter(given.how.wants, others):
            task = {"seeds": seeds, "model": Asked(model, k, 0).short, "runs": runs}
            task["budget"] = given.how.limit / 4  # reading and building take time, too
            found = others[library](given.files, task, given.how.limit)
            yield given.row("simulation", library, found, **same)


def _quality(given: _Given) -> Iterator[dict[str, Any]]:
    """How far seeds spread, by how they were chosen."""
    k = KS[0]
    for model in MODELS:
        for who in filter(given.how.wants, (*_METHODS, *RULES)):
            if who in RULES:
                found = given.ask("rule", rule=who, k=k)
            else:
                more: dict[str, Any] = {"runs": given.how.runs} if who == "celf" else {}
                if who in OURS.values():
                    more = {"epsilon": EPSILONS[-1]}
                found = given.ask("choose", method=who, model=model, k=k, trials=1, **more)
            yield given.row("quality", who, given.rated(found, model), model=model, k=k)


_MEASURES = {"seeds": _seeds, "simulation": _simulation, "quality": _quality}


class _Kept:
    """The rows in a folder, as JSON and as a report in Markdown."""

    def __init__(self, folder: Path):
        self.folder, self.json = folder, folder / "influence.json"
        rows = json.loads(self.json.read_text()) if self.json.exists() else []
        self.rows = {_key(row): row for row in rows}

    def add(self, row: dict[str, Any]) -> None:
        """Put a row in the place of an older one, and write the files."""
        self.rows[_key(row)] = row
        self.folder.mkdir(parents=True, exist_ok=True)
        known = [*GRAPHS, *(one["graph"] for one in self.rows.values())]
        rows = sorted(self.rows.values(), key=lambda one: known.index(one["graph"]))
        self.rows = {_key(row): row for row in rows}
        self.json.write_text(json.dumps(rows, indent=1) + "\n")
        (self.folder / "influence.md").write_text(f"# influence\n\n{self.text()}\n")

    def text(self) -> str:
        return markdown([*self.rows.values()])


def _key(row: dict[str, Any]) -> tuple:
    return tuple(row.get(name) for name in _KEY)


def _said(row: dict[str, Any]) -> str:
    asked = [str(row[name]) for name in _KEY if name != "graph" and row.get(name) is not None]
    told = {name: row[name] for name in ("seconds", "samples", "runs", "mean") if name in row}
    found = ", ".join(f"{name} {value:.5g}" for name, value in told.items())
    return f"{', '.join(asked)}: {found or row.get('note', '')}"
