"""``edgewise info FILE``: what a graph file holds."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from edgewise.cli.describe import (
    degree_arrays,
    id_range,
    max_degrees,
    mean_degree,
    say_ids,
    say_weights,
    weight_range,
)
from edgewise.cli.reading import MEMORY, GraphFile, note_records
from edgewise.cli.terminal import print_json, show, steps, table
from edgewise.graph import Graph

__all__ = ["info"]


def info(
    file: GraphFile,
    verify: Annotated[
        bool, typer.Option("--verify", help="Verify all checksums and the rules of the format.")
    ] = False,
    compression: Annotated[
        bool,
        typer.Option(
            "--compression", help="Show how small each order of the vertices would compress it."
        ),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    memory: MEMORY = None,
    quiet: bool = False,
) -> None:
    """Show the contents of a graph file: kind, sizes, ids, degrees, weights, columns."""
    file.limit(memory)
    with steps(2, quiet=quiet) as step:
        step("reading")
        graph = file.read(verify=True) if verify and file.has_checksums else file.read()
        step("looking")
        found = _facts(graph)
    found = {"file": file.name, "format": file.format, "bytes": file.bytes, **found}
    found["notes"] = note_records(file.notes)
    if compression:
        from edgewise.cli.compression import sizes_by_order

        found["compression"] = sizes_by_order(graph)
    if verify:
        found["verified"] = True  # a damaged file has ended in an error by now
    if json:
        print_json(found)
    else:
        sizes = found.pop("compression", None)
        show(table(file.name, _rows(found)))
        if sizes is not None:
            from edgewise.cli.compression import sizes_table

            show(sizes_table(graph, sizes))


def _facts(graph: Graph) -> dict[str, Any]:
    return {
        "directed": graph.directed,
        "compressed": graph.is_compressed,
        "vertices": graph.num_vertices,
        "ids": id_range(graph),
        "edges": int(graph.num_edges),
        "self_loops": int(graph.num_self_loops),
        "mean_degree": mean_degree(graph),
        **max_degrees(degree_arrays(graph)),
        "weights": weight_range(graph),
        "edge_columns": _columns(graph, "edges"),
        "vertex_columns": _columns(graph, "vertices"),
    }


def _columns(graph: Graph, part: str) -> dict[str, str]:
    """The types of the columns by name."""
    table = None if graph.columns is None else getattr(graph.columns, part)
    return {} if table is None else {one.name: str(one.type) for one in table.schema}


def _rows(found: dict[str, Any]) -> list[tuple[str, Any]]:
    """The same in words, for a table."""
    said = dict(found)
    del said["file"]
    if not said["compressed"]:
        del said["compressed"]
    notes = said.pop("notes")
    ids = said["ids"]
    said["ids"] = say_ids(ids, said["vertices"])
    said["weights"] = say_weights(said["weights"])
    for part in ("edge_columns", "vertex_columns"):
        columns = said.pop(part)
        if columns:
            said[part] = ", ".join(f"{name} ({kind})" for name, kind in columns.items())
    names = {"bytes": "bytes in the file", "ids": "labels" if "names" in ids else "ids"}
    if said["directed"]:
        names["mean_degree"] = "mean in/out-degree"
    rows = [(names.get(key, _title(key)), value) for key, value in said.items()]
    return rows + [("" if i else "notes", note["text"]) for i, note in enumerate(notes)]


def _title(key: str) -> str:
    """``max_in_degree`` as "max in-degree"."""
    words = key.replace("_", " ")
    for start in ("in", "out"):
        words = words.replace(f" {start} degree", f" {start}-degree")
    return words.replace("self loops", "self-loops")
