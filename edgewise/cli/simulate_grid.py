"""``edgewise simulate-grid ALGORITHM FILE --ranks 16,64,256``: the messages of a grid of ranks.

All ranks run in this process, one at a time. Messages, bytes and work are counted, and a model of a
machine turns them into times. No time is measured: see `edgewise.distributed.pricing`.
"""

from __future__ import annotations

import inspect
import json as json_text
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from edgewise.algorithms import ALGORITHMS
from edgewise.cli.command_groups import table_group
from edgewise.cli.on_grid import DISTRIBUTIONS, Distribution
from edgewise.cli.reading import READING, GraphFile, take_options
from edgewise.cli.run import options_for, take
from edgewise.cli.signatures import summary_of
from edgewise.cli.terminal import number, print_json, show, steps

__all__ = ["group"]

_GRAPHS = ("rmat", "urand")
_MACHINES = ("infiniband", "ethernet")
Machine = Literal[_MACHINES]  # type: ignore[valid-type]
_SENT = "bytes per rank (max)"


def _make(name: str) -> Callable:
    """The command of one algorithm: the graph, numbers of ranks, its parameters, and outputs."""
    row = ALGORITHMS[name]
    function = row.load()
    parameters, converters = options_for(function)

    def simulate_grid(
        *,
        ranks: str,
        graph: str,
        scale: int,
        edge_factor: int,
        grid: str | None,
        distribution: str,
        machine: str,
        plot: Path | None,
        output: Path | None,
        json: bool,
        quiet: bool,
        **values: Any,
    ) -> None:
        reading = take_options(values)
        sizes = _sizes(ranks)
        shapes = _shapes(grid, sizes)
        _check_files(plot, output)
        with steps(len(sizes) + 1, quiet=quiet) as step:
            step("graph")
            whole, about = _graph(graph, scale, edge_factor, reading, quiet)
            given = take(whole, converters, values)
            runs = []
            for size, shape in zip(sizes, shapes, strict=True):
                step(f"{size} ranks")
                runs.append(_simulated(function, whole, given, shape, distribution, machine))
        _compare(runs)
        found = {
            "algorithm": name,
            "graph": about,
            "vertices": whole.num_vertices,
            "edges": int(whole.num_edges),
            "distribution": distribution,
            "model": _about_model(machine),
            "runs": runs,
        }
        _present(found, plot, output, json=json, quiet=quiet)

    own = inspect.signature(simulate_grid, eval_str=True).parameters
    kinds = {**_OPTIONS, "quiet": (bool, False)}
    more = [
        own[key].replace(annotation=kind, default=start) for key, (kind, start) in kinds.items()
    ]
    made = inspect.Signature([*parameters, *more, *READING])
    simulate_grid.__signature__ = made  # type: ignore[attr-defined]
    simulate_grid.__doc__ = summary_of(function)
    simulate_grid.panel = row.family.capitalize()  # type: ignore[attr-defined]
    return simulate_grid


def _sizes(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(part.isdigit() and 1 <= int(part) <= 4096 for part in parts):
        raise ValueError(f"--ranks takes numbers from 1 to 4096 with commas, got {text!r}")
    return [int(part) for part in parts]


def _shapes(text: str | None, sizes: list[int]) -> list[tuple[int, int]]:
    """The shape for each number of ranks: as square as it can be, or as given."""
    from edgewise.distributed.grid import check_shape

    given = [None] * len(sizes) if text is None else text.split(",")
    if len(given) != len(sizes):
        raise ValueError(f"--grid takes a shape for each of {len(sizes)} numbers of ranks")
    return [check_shape(shape, size) for shape, size in zip(given, sizes, strict=True)]


def _check_files(plot: Path | None, output: Path | None) -> None:
    """Refuse files that cannot be written before hours of work."""
    if output is not None and output.suffix != ".json":
        raise ValueError(f"the counts go to a .json file, not to {output}")
    if plot is not None:
        if plot.suffix not in (".svg", ".png", ".pdf"):
            raise ValueError(f"the plot goes to a .svg, .png or .pdf file, not to {plot}")
        from edgewise.cli.scaling import check_plot

        check_plot()


def _graph(text: str, scale: int, edge_factor: int, reading: dict, quiet: bool) -> tuple[Any, str]:
    """The graph, and in words what it is."""
    from edgewise import generators

    if text in _GRAPHS:
        made = getattr(generators, text)(scale, edge_factor=edge_factor)
        return made, f"{text} of scale {scale}"
    file = GraphFile(Path(text), **reading)
    whole = file.read()
    file.tell(quiet=quiet)
    return whole, Path(file.name).name


def _simulated(
    function: Callable, whole: Any, given: dict, shape: tuple[int, int], distribution: str,
    model: str,
) -> dict[str, Any]:  # fmt: skip
    """One run: what the ranks counted, as plain numbers."""
    from edgewise.distributed import Grid
    from edgewise.distributed.cut import Cut
    from edgewise.distributed.simulation import simulate_grid

    cut = Cut(whole, shape, distribution=distribution)

    def program(comm: Any) -> None:
        with comm.phase("set-up"):
            graph = cut.block(Grid(comm, shape))
        function(graph, **given)

    report = simulate_grid(program, shape[0] * shape[1], model=model).report
    phases = {row.pop("phase"): row for row in report.rows()}
    return {
        "ranks": shape[0] * shape[1],
        "grid": f"{shape[0]}x{shape[1]}",
        "messages": report.total("messages"),
        "bytes": report.total("sent"),
        "bytes_per_rank": report.max("sent"),
        "edges_per_rank": report.max("edges"),
        "computation_s": report.computation_s,
        "communication_s": report.communication_s,
        "time_s": report.time_s,
        "phases": {name: row for name, row in phases.items() if name != "all"},
    }


def _compare(runs: list[dict[str, Any]]) -> None:
    """Speedups over the first run; one that counted no edges where others did has no time."""
    if any(run["edges_per_rank"] for run in runs):
        for run in runs:
            if not run["edges_per_rank"]:
                run["computation_s"] = run["time_s"] = None
    base = next((run["time_s"] for run in runs if run["time_s"]), None)
    for run in runs:
        run["speedup"] = base / run["time_s"] if base and run["time_s"] else None


def _about_model(model: str) -> dict[str, Any]:
    from dataclasses import asdict

    from edgewise.distributed.pricing import MODELS

    return asdict(MODELS[model])


def _present(
    found: dict, plot: Path | None, output: Path | None, *, json: bool, quiet: bool
) -> None:
    from edgewise.io.files import atomic_write

    if output is not None:
        with atomic_write(output) as file:
            file.write(json_text.dumps(found, indent=2).encode())
    if plot is not None:
        from edgewise.cli.scaling import draw

        with atomic_write(plot) as file:
            draw(found, file, plot.suffix[1:])
    if json:
        print_json(found)
        return
    if quiet and (output is not None or plot is not None):
        return
    show(*_tables(found))
    for path, what in ((output, "counts are"), (plot, "plot is")):
        if path is not None:
            show(f"The {what} in {path}")


def _tables(found: dict[str, Any]) -> Iterator[Any]:
    """The sums of each run, then the bytes of its phases."""
    runs, model = found["runs"], found["model"]["name"]
    edges, vertices = number(found["edges"]), number(found["vertices"])
    title = f"{found['algorithm']} on {found['graph']}: {vertices} vertices, {edges} edges"
    heads = ["ranks", "grid", "messages", "bytes", "computing", "talking", "time", "speedup"]
    yield _made(title, heads, [_sums(run) for run in runs])
    phases = list(dict.fromkeys(phase for run in runs for phase in run["phases"]))
    sent = [[run["phases"].get(phase, {}).get(_SENT, 0) for phase in phases] for run in runs]
    kept = [i for i in range(len(phases)) if any(row[i] for row in sent)]
    rows = [
        [number(run["ranks"]), *(_bytes(row[i]) for i in kept)]
        for run, row in zip(runs, sent, strict=True)
    ]
    if kept:
        yield _made("Bytes by phase", ["ranks", *(phases[i] for i in kept)], rows)
    yield f"Times are modeled ({model}), bytes are the most that one rank sends."


def _sums(run: dict[str, Any]) -> list[str]:
    times = [_milliseconds(run[key]) for key in ("computation_s", "communication_s", "time_s")]
    speedup = "–" if run["speedup"] is None else f"{run['speedup']:.2f}"
    counts = number(run["messages"]), _bytes(run["bytes_per_rank"])
    return [number(run["ranks"]), run["grid"], *counts, *times, speedup]


def _milliseconds(value: float | None) -> str:
    return "–" if value is None else f"{value * 1e3:.3g} ms"


def _made(title: str, heads: list[str], rows: list[list[str]]) -> Any:
    from rich.table import Table

    made = Table(title=title, title_justify="left", title_style="bold", box=None)
    for head in heads:
        made.add_column(head, justify="right", no_wrap=True)
    for row in rows:
        made.add_row(*row)
    return made


def _bytes(count: float) -> str:
    """A number of bytes for people.

    >>> _bytes(999), _bytes(12_345), _bytes(2_500_000)
    ('999 B', '12.3 kB', '2.5 MB')
    """
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            break
        count /= 1000
    return f"{count:.0f} {unit}" if unit == "B" else f"{count:.3g} {unit}"


def _option(kind: Any, start: Any, *flags: str, **settings: Any) -> tuple[Any, Any]:
    return Annotated[kind, typer.Option(*flags, **settings)], start


_OPTIONS = {
    "ranks": _option(str, "16,64,256", metavar="P,P,...", help="Numbers of ranks."),
    "graph": (
        Annotated[
            str, typer.Argument(metavar="rmat|urand|FILE", help="Generate a graph, or read a file.")
        ],
        "rmat",
    ),
    "scale": _option(
        int, 16, min=1, max=30, metavar="N", help="The generated graph has 2**scale vertices."
    ),
    "edge_factor": _option(
        int, 16, min=1, metavar="N", help="The edges drawn per vertex of the generated graph."
    ),
    "grid": _option(
        str | None, None, metavar="RxC,...", help="The grid shapes (default: square)."
    ),
    "distribution": _option(
        Distribution,
        "striped",
        metavar="|".join(DISTRIBUTIONS),
        help="How vertices are assigned to ranks.",
    ),
    "machine": _option(
        Machine, "infiniband", metavar="|".join(_MACHINES), help="The network of the model."
    ),
    "plot": _option(
        Path | None, None, metavar="FILE", help="Plot time and bytes: .svg, .png or .pdf."
    ),
    "output": _option(
        Path | None, None, "--output", "-o", metavar="FILE", help="Write all counts to a .json."
    ),
    "json": _option(bool, False, "--json", help="Print all counts as one JSON document."),
}  # fmt: skip

group = table_group(
    lambda: list(ALGORITHMS), _make, "Count an algorithm's messages on a simulated grid of ranks."
)
