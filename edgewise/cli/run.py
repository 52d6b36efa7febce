"""``edgewise run ALGORITHM FILE``: a command for every line of the table of algorithms.

The options are the parameters of the algorithm's function. Vertices are named by label, or by id
where the graph has no labels (``id:7`` means the id in any case); arrays come from files. With
``--grid`` the command runs on the ranks of ``mpiexec``.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from edgewise.algorithms import ALGORITHMS
from edgewise.cli.grid import (
    COMPARE,
    DEVICE,
    DISTRIBUTION,
    GRID,
    TIMEOUT,
    Outcome,
    Placement,
    run_on_grid,
)
from edgewise.cli.groups import table_group
from edgewise.cli.options import GraphFile
from edgewise.cli.results import Result, check_suffix, result_of, summary, write_result
from edgewise.cli.signatures import documented, option_of, summary_of
from edgewise.cli.terminal import number, print_json, seconds, show, steps, table

__all__ = ["group", "options_for", "vertex"]


def vertex(graph: Any, text: str) -> int:
    """The id of a vertex named on the command line: a label, a plain id, or ``id:7``."""
    if text.startswith("id:") and text[3:].isdigit():
        return int(text[3:])
    if graph.labels is None:
        if not text.isdigit():
            raise ValueError(f"the graph has no labels, so a vertex is a number, not {text!r}")
        return int(text)
    known: Exception | None = None
    for label in (text, *([int(text)] if text.lstrip("-").isdigit() else [])):
        try:
            return int(graph.vertex(label))
        except (KeyError, ValueError, TypeError) as error:
            known = error
    raise ValueError(f"no vertex is labelled {text!r}; id:7 names a vertex by its id") from known


def options_for(function: Callable) -> tuple[list[inspect.Parameter], dict[str, Callable]]:
    """The parameters of an algorithm as options, and ``convert(graph, value)`` for each."""
    texts = documented(function)
    converters, parameters = {}, []
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        made, convert = _option(parameter, texts.get(parameter.name, ""))
        converters[parameter.name] = convert
        parameters.append(made)
    return parameters, converters


def _make(name: str) -> Callable:
    """The command of one algorithm: the graph file, its parameters as options, and outputs."""
    row = ALGORITHMS[name]
    function = row.load()
    parameters, converters = options_for(function)

    def run(
        *, file: GraphFile, output: Path | None, json: bool, quiet: bool, grid: str | None,
        distribution: str | None, device: str, threads: int | None, timeout: float | None,
        compare: str | None, **values: Any,
    ) -> None:  # fmt: skip
        where = Placement(grid, distribution, device, threads, timeout, compare)
        run_here = _run if grid is None else run_on_grid
        done = run_here(name, row, file, converters, values, where, output, quiet=quiet)
        if done.result is not None:
            _present(name, done.graph, done.result, done.seconds, output, json=json, quiet=quiet)

    own = inspect.signature(run, eval_str=True).parameters
    more = [
        own["file"],
        *parameters,
        own["output"].replace(annotation=_OUTPUT, default=None),
        own["json"].replace(annotation=_JSON, default=False),
        own["quiet"].replace(annotation=bool, default=False),
        own["grid"].replace(annotation=GRID, default=None),
        own["distribution"].replace(annotation=DISTRIBUTION, default=None),
        own["device"].replace(annotation=DEVICE, default="cpu"),
        own["timeout"].replace(annotation=TIMEOUT, default=None),
        own["compare"].replace(annotation=COMPARE, default=None),
        own["threads"],
    ]
    run.__signature__ = inspect.Signature(more)  # type: ignore[attr-defined]
    run.__doc__ = summary_of(function)
    run.panel = row.family.capitalize()  # type: ignore[attr-defined]
    return run


def _run(
    name: str, row: Any, file: GraphFile, converters: dict, values: dict, where: Placement,
    output: Path | None, *, quiet: bool,
) -> Outcome:  # fmt: skip
    """Run an algorithm in this process."""
    where.check_alone()
    if output is not None:
        check_suffix(output)
    with steps(3, quiet=quiet) as step:
        step("reading")
        graph = file.read(device=where.device)
        given = {key: converters[key](graph, value) for key, value in values.items()}
        step(name)
        start = time.perf_counter()
        found = row.load()(graph, **given)
        took = time.perf_counter() - start
        step("writing")
        graph = graph.to("cpu")
        result = result_of(graph, name, row.returns, _on_host(found))
        if output is not None:
            write_result(result, output)
    return Outcome(graph, result, took)


def _on_host(found: Any) -> Any:
    """What an algorithm returned, with arrays of a GPU brought to host memory."""
    if isinstance(found, tuple):
        return type(found)(*map(_on_host, found))
    return found.get() if hasattr(found, "get") else found


def _present(
    name: str, graph: Any, result: Result, took: float, output: Path | None, *, json: bool, quiet
) -> None:
    about = {"vertices": graph.num_vertices, "edges": int(graph.num_edges)}
    found = summary(result, groups=ALGORITHMS[name].returns == "members")
    if json:
        written = None if output is None else str(output)
        head = {"algorithm": name, **about, "directed": graph.directed, "seconds": took}
        print_json({**head, "output": written, "result": found})
        return
    if quiet and output is not None:
        return
    rows: list[tuple[str, Any]] = []
    for key, value in found.items():
        if key == "largest":
            rows += [("largest" if not i else "", _line(one)) for i, one in enumerate(value)]
        elif isinstance(value, dict):
            rows += [(f"{key}: {part}", inner) for part, inner in value.items()]
        else:
            rows.append((key, value))
    show(table(f"{name}: {seconds(took)}", rows))
    if output is not None:
        show(f"The result is in {output}")


def _line(one: dict[str, Any]) -> str:
    *where, value = one.values()
    return f"{' '.join(map(str, where))}: {number(value)}"


def _option(parameter: inspect.Parameter, text: str) -> tuple[inspect.Parameter, Callable]:
    """The option for a parameter, and ``convert(graph, value)``; some names have their own kind."""
    if parameter.name in _NAMED:
        metavar, said, convert = _NAMED[parameter.name]
        required = parameter.default is inspect.Parameter.empty
        kind = str if required else str | None
        option = typer.Option(f"--{parameter.name}", metavar=metavar, help=said, show_default=False)
        made = parameter.replace(kind=parameter.KEYWORD_ONLY, annotation=Annotated[kind, option])
        return made, lambda graph, value: None if value is None else convert(graph, value)
    made, plain = option_of(parameter, text)
    return made, lambda graph, value: plain(value)


def _vertices(graph: Any, text: str) -> list[int]:
    return [vertex(graph, part.strip()) for part in text.split(",") if part.strip()]


def _weights(graph: Any, text: str) -> Any:
    return text if text == "unit" else _array(text)


def _vertex_values(graph: Any, text: str) -> np.ndarray:
    """One number per vertex: a .npy array by id, or lines ``label,value``; the rest are zero."""
    if text.endswith(".npy"):
        return _array(text)
    values = np.zeros(graph.num_vertices)
    for i, line in enumerate(Path(text).read_text("utf-8").splitlines(), 1):
        label, comma, value = line.rpartition(",")
        try:
            values[vertex(graph, label.strip())] = float(value)
        except (ValueError, IndexError) as error:
            raise ValueError(f"{text}, line {i}: expected label,value: {error}") from error
    return values


def _array(text: str) -> np.ndarray:
    array = np.load(text, allow_pickle=False)
    if not isinstance(array, np.ndarray):
        raise ValueError(f"{text}: expected one array in a .npy file")
    return array


def _counts(graph: Any, text: str) -> Any:
    return int(text) if text.isdigit() else _array(text)


_NAMED: dict[str, tuple[str, str, Callable]] = {
    "source": ("VERTEX", "The vertex to start from: a label, or id:N.", vertex),
    "sources": ("V,V,...", "Vertices: labels, or id:N, with commas between them.", _vertices),
    "weights": ("unit|FILE.npy", "Unit weights, or an array over edges (default: own).", _weights),
    "personalization": ("FILE", "Values per vertex: lines label,value or .npy.", _vertex_values),
    "values": ("FILE", "Values per vertex: lines label,value or .npy.", _vertex_values),
    "b": ("N|FILE.npy", "Edges per vertex: a number, or an array of numbers.", _counts),
    "start": (
        "FILE.npy",
        "The matching to start from: a mate for every vertex, or -1.",
        lambda graph, text: _array(text),
    ),
    "parents": (
        "FILE.npy",
        "The forest: a parent for every vertex; roots are their own.",
        lambda graph, text: _array(text),
    ),
    "sides": (
        "FILE.npy",
        "Which vertices are on the left side: an array of booleans.",
        lambda graph, text: _array(text),
    ),
    "batches": (
        "N|auto",
        "Bring the edges to the GPU in so many parts.",
        lambda graph, text: text if text == "auto" else int(text),
    ),
    "devices": (
        "NAME,NAME,...",
        "Devices that share the vertices: cuda:0, cpu, ...",
        lambda graph, text: text.split(","),
    ),
    "dangling": ("FILE", "Values per vertex: lines label,value or .npy.", _vertex_values),
}
_OUTPUT = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", help="Write the result: .csv, .parquet, .json or .npz; on a grid, .npy."
    ),
]
_JSON = Annotated[bool, typer.Option("--json", help="Print a summary as one JSON document.")]

group = table_group(lambda: list(ALGORITHMS), _make, "Run an algorithm on a graph file.")
