"""``edgewise anonymize TABLE --k COLUMN``: a table in which each record hides among k."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from edgewise.base.compiling import clock, compile_seconds
from edgewise.cli.streams import is_stream, open_output
from edgewise.cli.terminal import number, percent, print_json, show, steps, table, took

__all__ = ["anonymize"]


def anonymize(
    files: Annotated[
        Path,
        typer.Argument(metavar="TABLE", help="A .csv, .tsv or .parquet file, one record per row. "
                       "Cells of text files stay as they are written.", show_default=False),
    ],
    *,
    k: Annotated[
        str,
        typer.Option("--k", metavar="COLUMN|N", help="The column with the k of each record, which "
                     "is not released, or one number for all.", show_default=False),
    ],
    columns: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="The columns in which cells may be suppressed "
                     "(default: all).", show_default=False),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the released table to a .csv, "
                     ".tsv or .parquet file; - is CSV on standard output. Suppressed cells are "
                     "empty.", show_default=False),
    ] = None,
    method: Annotated[
        Literal["cover", "groups"],
        typer.Option(metavar="cover|groups", help="Twins for each record, or groups of equal "
                     "records."),
    ] = "cover",
    max_iter: Annotated[
        int, typer.Option(min=1, metavar="N", help="The number of rounds of cover.")
    ] = 8,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the search.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    quiet: bool = False,
) -> None:  # fmt: skip
    """Suppress few cells of a table so that each record could be one of k."""
    from edgewise import apps
    from edgewise.apps.anonymity.table_files import read_table, write_table

    if json and output is not None and is_stream(output):
        raise ValueError("--json and --output - both write to standard output")
    with steps(3, quiet=quiet) as step:
        step("reading")
        read = read_table(files)
        step("anonymizing")
        begin = clock()
        found = apps.anonymize(
            read, int(k) if k.isdecimal() else k,
            columns=None if columns is None else columns.split(","),
            method=method, max_iter=max_iter, seed=seed,
        )  # fmt: skip
        spent = clock() - begin
        step("writing")
        if output is not None:
            with open_output(output) as file:
                write_table(found.table, file, output)
    if json:
        print_json(_document(found, spent, output))
    elif output is None or not is_stream(output):
        _present(found, files.name, spent)


def _document(found: Any, spent: float, output: Path | None) -> dict[str, Any]:
    return {
        "records": len(found.twins),
        "columns": found.suppressed.shape[1],
        "suppressed_cells": int(found.suppressed.sum()),
        "suppressed_fraction": found.fraction,
        "missing_cells": _missing(found),
        "rounds": found.rounds,
        "fewest_twins": int(found.twins.min(initial=0)) if len(found.twins) else 0,
        "seconds": spent,
        "compiled_seconds": compile_seconds(),
        "output": None if output is None else str(output),
    }


def _present(found: Any, name: str, spent: float) -> None:
    records, columns = found.suppressed.shape
    missing = _missing(found)
    rows = [
        ("suppressed cells", f"{number(int(found.suppressed.sum()))} of {number(records * columns)}"
         f" ({percent(found.fraction)})"),
        *([("missing before", f"{number(missing)} more cells")] if missing else []),
        ("rounds", ", ".join(percent(one) for one in found.rounds)),
        ("twins of a record", f"{number(int(found.twins.min()) if records else 0)} or more"),
    ]  # fmt: skip
    show(table(f"{name}: {took(spent)} ({number(records)} records)", rows))


def _missing(found: Any) -> int:
    """The number of empty cells that were not suppressed."""
    empty = sum(found.table.column(name).null_count for name in found.columns)
    return empty - int(found.suppressed.sum())
