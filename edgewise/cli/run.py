"""``edgewise run ALGORITHM FILE``: a command for every line of the table of algorithms.

The options are the parameters of the algorithm's function. Vertices are called what the file calls
them; values for vertices come from files. With ``--grid`` the command runs on the ranks of
``mpiexec``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from edgewise.algorithms import ALGORITHMS
from edgewise.base.compiling import clock, compile_seconds
from edgewise.cli import vertices
from edgewise.cli.command_groups import table_group
from edgewise.cli.on_grid import (
    CHECKPOINT,
    COMPARE,
    DEVICE,
    DISTRIBUTION,
    GRID,
    TIMEOUT,
    Outcome,
    Placement,
    run_on_grid,
)
from edgewise.cli.protein_families import protein_families
from edgewise.cli.reading import MEMORY, GraphFile
from edgewise.cli.result_files import Result, check_suffix, summary, write_result
from edgewise.cli.result_tables import result_of
from edgewise.cli.signatures import choices_of, documented, option_of, summary_of
from edgewise.cli.streams import is_stream
from edgewise.cli.terminal import number, print_json, show, steps, table, took
from edgewise.graph.kinds import AnyGraph

__all__ = ["columns_in", "group", "options_for", "take"]


def options_for(function: Callable) -> tuple[list[inspect.Parameter], dict[str, Callable]]:
    """The parameters of an algorithm as options, and ``convert(graph, value)`` for each.

    Its ``device`` has a converter alone: the option is that of all algorithms.
    """
    texts, choices = documented(function), choices_of(function)
    converters, parameters = {}, []
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        name = parameter.name
        made, convert = _option(parameter, texts.get(name, ""), choices.get(name, ()))
        converters[parameter.name] = convert
        if name != "device":  # which every command has
            parameters.append(made)
    return parameters, converters


def take(
    graph: AnyGraph, converters: dict[str, Callable], values: dict[str, Any]
) -> dict[str, Any]:
    """The arguments for a function, from the values of its options; an error names the option."""
    given = {}
    for key, value in values.items():
        try:
            given[key] = converters[key](graph, value)
        except (ValueError, OSError) as error:
            what = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else error
            raise ValueError(f"--{key.replace('_', '-')}: {what}") from error
    return given


def columns_in(values: dict[str, Any]) -> list[str]:
    """The columns of edges that the values of options name: those in ``--weights km``.

    >>> columns_in({"weights": "km", "capacity": "none", "k": 3})
    ['km']
    """
    given = (values.get(name) for name in ("weights", "capacity"))
    words = (one for one in given if isinstance(one, str) and not one.endswith(".npy"))
    return [one for one in words if one not in ("none", "weight")]


def _make(name: str) -> Callable:
    """The command of one algorithm: the graph file, its parameters as options, and outputs."""
    if name in _APPS:
        return _APPS[name]
    row = ALGORITHMS[name]
    function = row.load()
    parameters, converters = options_for(function)

    def run(
        *, file: GraphFile, output: Path | None, json: bool, quiet: bool, grid: str | None,
        distribution: str | None, device: str, threads: int | None, timeout: float | None,
        compare: str | None, checkpoint: Path | None, limit: str | None = None, **values: Any,
    ) -> None:  # fmt: skip
        if json and is_stream(output):
            raise ValueError("--json and --output - both write to standard output")
        if grid is None and "device" in converters:
            device, values = _devices(device, values)
        if limit is not None and (grid is not None or device != "cpu"):
            raise ValueError("--memory is for one process without a GPU; on a grid, "
                             "edgewise.distributed.read takes memory= and scratch=")  # fmt: skip
        file.limit(limit)
        where = Placement(grid, distribution, device, threads, timeout, compare, checkpoint)
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
        own["checkpoint"].replace(annotation=CHECKPOINT, default=None),
        own["threads"],
    ]
    if "memory" not in converters:  # an algorithm's own limit
        more.append(own["limit"].replace(annotation=MEMORY))
    run.__signature__ = inspect.Signature(more)  # type: ignore[attr-defined]
    run.__doc__ = summary_of(function)
    run.panel = row.family.capitalize()  # type: ignore[attr-defined]
    return run


def _devices(device: str, values: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Where the graph is read to, and the values, for an algorithm that brings edges to devices.

    >>> _devices("cuda", {"num_batches": None})
    ('cuda', {'num_batches': None})
    >>> _devices("cuda:0,cuda:1", {"num_batches": None})
    ('cpu', {'num_batches': None, 'device': 'cuda:0,cuda:1'})
    """
    if "," not in device and (device == "cpu" or values["num_batches"] is None):
        return device, values
    return "cpu", {**values, "device": device}


def _run(
    name: str, row: Any, file: GraphFile, converters: dict, values: dict, where: Placement,
    output: Path | None, *, quiet: bool,
) -> Outcome:  # fmt: skip
    """Run an algorithm in this process."""
    where.check_alone()
    if output is not None:
        check_suffix(output)
    file.keep_columns(columns_in(values))
    with steps(3, quiet=quiet) as step:
        step("reading")
        graph = file.read(device=where.device)
        file.tell(quiet=quiet)
        given = take(graph, converters, values)
        step(name)
        start = clock()
        found = row.load()(graph, **given)
        spent = clock() - start
        step("writing")
        graph = graph.to("cpu")
        result = result_of(graph, name, row.returns, _on_host(found), given)
        if output is not None:
            write_result(result, output)
    return Outcome(graph, result, spent)


def _on_host(found: Any) -> Any:
    """What an algorithm returned, with arrays of a GPU brought to host memory."""
    if isinstance(found, list):
        return [_on_host(one) for one in found]
    if isinstance(found, dict):
        return {name: _on_host(one) for name, one in found.items()}
    if isinstance(found, tuple):
        return type(found)(*map(_on_host, found))
    if hasattr(found, "num_arcs"):
        return found.to("cpu")
    return found.get() if hasattr(found, "get") else found


def _present(
    name: str, graph: AnyGraph, result: Result, spent: float, output: Path | None, *, json: bool,
    quiet,
) -> None:  # fmt: skip
    about = {"vertices": graph.num_vertices, "edges": int(graph.num_edges)}
    found = summary(result)
    if json:
        written = None if output is None else str(output)
        head = {"algorithm": name, **about, "directed": graph.directed, "seconds": spent}
        head["compiled_seconds"] = compile_seconds()
        print_json({**head, "output": written, "result": found})
        return
    if is_stream(output) or (quiet and output is not None):
        return
    sizes = f"{number(graph.num_vertices)} vertices, {number(graph.num_edges)} edges"
    show(table(f"{name}: {took(spent)} ({sizes})", list(_rows(found, next(iter(result.keys), "")))))
    if output is not None:
        beside = f", its ids in {output.with_suffix('.ids.npy')}"
        ids = output.suffix == ".npy" and graph.labels is not None  # which a grid writes
        show(f"The result is in {output}{beside if ids else ''}")


def _rows(found: dict[str, Any], key: str) -> Iterator[tuple[str, Any]]:
    """A summary in words; values are those of a ``key``: of a vertex, or of an edge's source."""
    things = "vertices" if key == "vertex" else "edges"
    for name, value in found.items():
        if name == "largest":
            for i, one in enumerate(value):
                yield "" if i else "largest", _line(one)
        elif isinstance(value, list):
            yield name, ", ".join(map(str, value))
        elif not isinstance(value, dict):
            yield name, value
        elif "groups" in value:
            yield "groups", value["groups"]
        else:
            if value["missing"]:
                total = number(value["count"] + value["missing"])
                yield f"have a {name}", f"{number(value['count'])} of {total} {things}"
            if value["count"]:
                span = f"{number(value['min'])} to {number(value['max'])}"
                yield name, f"{span}, mean {number(value['mean'])}"


def _line(one: dict[str, Any]) -> str:
    if "size" in one:
        things = "vertex" if one["size"] == 1 else "vertices"
        return f"{number(one['size'])} {things}, with {one['group']}"
    *where, value = one.values()
    return f"{' - '.join(map(str, where))}: {number(value)}"


def _option(
    parameter: inspect.Parameter, text: str, choices: tuple[str, ...]
) -> tuple[inspect.Parameter, Callable]:
    """The option for a parameter, and ``convert(graph, value)``; some names have their own kind."""
    if parameter.name in _NAMED:
        metavar, said, convert = _NAMED[parameter.name]
        said = said.format(default=parameter.default or "none")
        required = parameter.default is inspect.Parameter.empty
        kind = str if required else str | None
        option = typer.Option(
            f"--{parameter.name.replace('_', '-')}", metavar=metavar, help=said, show_default=False
        )
        made = parameter.replace(kind=parameter.KEYWORD_ONLY, annotation=Annotated[kind, option])
        return made, lambda graph, value: None if value is None else convert(graph, value)
    made, plain = option_of(parameter, text, choices)
    return made, lambda graph, value: plain(value)


def _weights(graph: AnyGraph, text: str) -> Any:
    if text.endswith(".npy"):
        return vertices.array(text)
    return None if text == "none" else text


def _probability(graph: AnyGraph, text: str) -> Any:
    if text.endswith(".npy"):
        return vertices.array(text)
    try:
        return float(text)
    except ValueError:
        return text


_PER_VERTEX = "An array over vertices: lines vertex,value or .npy."
_NAMED: dict[str, tuple[str, str, Callable]] = {
    "source": ("VERTEX", "The source vertex, by its label in the file.", vertices.vertex),
    "target": ("VERTEX", "The target vertex, by its label in the file.", vertices.vertex),
    "sources": ("V,V,...", "The source vertices, by their labels in the file.", vertices.vertices),
    "immune": ("V,V,...", "The immune vertices (default: none).", vertices.vertices),
    "candidates": ("V,V,...", "The vertices to choose from (default: all).", vertices.vertices),
    "probability": (
        "X|weighted_cascade|trivalency|weight|FILE.npy",
        "The probability of each edge: a number, a rule, the graph's weights, or an array over "
        "edges (default: {default}).",
        _probability,
    ),
    "memory": (
        "BYTES",
        "The memory limit in bytes, or as 4GiB (default: none).",
        lambda graph, text: text,
    ),
    "pattern": (
        "U-V,U-V,...|NAME",
        "The edges of the pattern between vertices 0, 1, 2, ...; 0-1 is the edge from 0 to 1. Or "
        "a name, as triangle.",
        vertices.pattern,
    ),
    "other": ("FILE", "The file of the other graph.", vertices.other),
    "vertex_labels": ("FILE", "The vertex labels: lines vertex,number or .npy.", vertices.counts),
    "other_labels": (
        "FILE.npy",
        "The vertex labels of the other graph, as an array.",
        lambda graph, text: vertices.array(text),
    ),
    "pattern_labels": (
        "N,N,...",
        "The label of each vertex of the pattern.",
        lambda graph, text: [int(part) for part in text.split(",")],
    ),
    "vertices": (
        "V,V,...",
        "The vertices, by their labels in the file (default: all).",
        vertices.vertices,
    ),
    "pairs": (
        "FILE",
        "The pairs: lines vertex,vertex (default: the ends of all edges).",
        vertices.pairs,
    ),
    "circle": ("V,V,...", "The vertices of the circle (default: all).", vertices.vertices),
    "weights": (
        "weight|none|NAME|FILE.npy",
        "The graph's weights (unit weights if it has none), unit weights, a column of edges, or an "
        "array over edges (default: {default}).",
        _weights,
    ),
    "personalization": ("FILE", _PER_VERTEX, vertices.values),
    "demand": ("FILE", _PER_VERTEX, vertices.values),
    "capacity": ("FILE.npy", "An array over edges (default: no limits).", _weights),
    "estimate": ("FILE", _PER_VERTEX, vertices.values),
    "dangling": ("FILE", _PER_VERTEX, vertices.values),
    "vertex_weights": ("FILE", _PER_VERTEX, vertices.values),
    "attribute": ("FILE", "The vertex attribute: lines vertex,value or .npy.", vertices.attribute),
    "beta": ("X|FILE", "A number, or lines vertex,number or .npy (default: 1).", vertices.amounts),
    "b": ("N|FILE", "Edges per vertex: a number, or lines vertex,number or .npy.", vertices.counts),
    "start": (
        "FILE",
        "The matching to start from: lines vertex,mate or .npy (-1: none).",
        vertices.mates,
    ),
    "positions": (
        "FILE",
        "The order to start from: lines vertex,position or .npy (default: as stored).",
        vertices.counts,
    ),
    "parents": (
        "FILE",
        "The forest: lines vertex,parent or .npy; roots are their own parents.",
        vertices.mates,
    ),
    "communities": ("FILE", "The partition: lines vertex,name or .npy.", vertices.communities),
    "parts": ("FILE", "The part of each vertex: lines vertex,part or .npy.", vertices.counts),
    "sides": ("FILE", "The left side: lines vertex,1 or .npy of booleans.", vertices.sides),
    "fraction": (
        "X|auto",
        "The fraction of the vertices to process, from 0 to 1 (default: auto).",
        lambda graph, text: text if text == "auto" else float(text),
    ),
    "num_batches": (
        "N|auto",
        "The number of batches in which edges are copied to the GPU.",
        lambda graph, text: text if text == "auto" else int(text),
    ),
    "device": (
        "NAME,NAME,...",
        "The devices that share the vertices: cuda:0, cpu, ...",
        lambda graph, text: text.split(","),
    ),
}
_OUTPUT = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the result to .csv, .tsv, .parquet, .json or .npz (on a grid also .npy); "
        "- prints CSV.",
    ),
]
_JSON = Annotated[bool, typer.Option("--json", help="Print a summary as one JSON document.")]

_APPS: dict[str, Callable] = {"protein_families": protein_families}
protein_families.panel = "Applications"  # type: ignore[attr-defined]
group = table_group(lambda: [*ALGORITHMS, *_APPS], _make, "Run an algorithm on a graph file.")
