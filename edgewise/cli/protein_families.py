"""``edgewise protein-families FASTA``: families of proteins by sequence similarity.

``edgewise run protein_families`` is the same command.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import typer

from edgewise.base.compiling import compile_seconds
from edgewise.cli.on_grid import DEVICE
from edgewise.cli.result_files import Result, check_suffix, write_result
from edgewise.cli.streams import is_stream, open_output, spool
from edgewise.cli.terminal import number, print_json, seconds, show, steps, table, took

__all__ = ["protein_families"]

_SEEDS, _GAPS, _FILTERS = "Seeds", "Gaps", "Filters"


def protein_families(
    sequences: Annotated[
        Path,
        typer.Argument(
            metavar="FASTA", help="A FASTA file, optionally compressed; - is standard input.",
            show_default=False,
        ),
    ],
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE",
            help="Write the family of each sequence to a .tsv, .csv, .parquet or .json file; - is "
            "CSV on standard output.",
            show_default=False,
        ),
    ] = None,
    edges: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the similar pairs, with their scores, to such a file.",
            show_default=False,
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write an HTML report with pictures.",
                     show_default=False),
    ] = None,
    inflation: Annotated[
        float, typer.Option(metavar="X", help="The inflation of Markov clustering, above 1.")
    ] = 1.4,
    k: Annotated[
        int, typer.Option("--k", min=1, metavar="N", help="The length of seeds.",
                          rich_help_panel=_SEEDS)
    ] = 6,
    alphabet: Annotated[
        Literal["full", "murphy15", "mmseqs13", "murphy10", "dayhoff6"],
        typer.Option(metavar="NAME", help="The alphabet of seeds: full, murphy15, mmseqs13, "
                     "murphy10 or dayhoff6.", rich_help_panel=_SEEDS),
    ] = "murphy10",
    substitutes: Annotated[
        int, typer.Option(min=0, metavar="N", help="Similar k-mers that count as equal.",
                          rich_help_panel=_SEEDS)
    ] = 0,
    num_shapes: Annotated[
        int, typer.Option(min=1, metavar="N", help="The number of shapes of spaced seeds.",
                          rich_help_panel=_SEEDS)
    ] = 8,
    max_sequences: Annotated[
        int | None,
        typer.Option(min=2, metavar="N", help="Leave out seeds in more sequences (default: use "
                     "all).", rich_help_panel=_SEEDS, show_default=False),
    ] = None,
    max_chance: Annotated[
        float, typer.Option(metavar="X", help="How often chance may give the score without gaps "
                            "of pairs to align.", rich_help_panel=_SEEDS)
    ] = 0.03,
    gap_open: Annotated[
        int, typer.Option(min=0, metavar="N", help="The cost of the first letter of a gap.",
                          rich_help_panel=_GAPS)
    ] = 11,
    gap_extend: Annotated[
        int, typer.Option(min=0, metavar="N", help="The cost of each further letter of a gap.",
                          rich_help_panel=_GAPS)
    ] = 1,
    max_evalue: Annotated[
        float, typer.Option(metavar="X", help="The maximum E-value.", rich_help_panel=_FILTERS)
    ] = 0.03,
    support: Annotated[
        float, typer.Option(metavar="X", help="How much larger it may be for pairs that share a "
                            "neighbor.", rich_help_panel=_FILTERS)
    ] = 100.0,
    min_bits: Annotated[
        float, typer.Option(metavar="X", help="The minimum score in bits.",
                            rich_help_panel=_FILTERS)
    ] = 0.0,
    min_identity: Annotated[
        float, typer.Option(metavar="X", help="The minimum identity, from 0 to 1.",
                            rich_help_panel=_FILTERS)
    ] = 0.0,
    min_coverage: Annotated[
        float, typer.Option(metavar="X", help="The minimum coverage of both sequences, from 0 to "
                            "1.", rich_help_panel=_FILTERS)
    ] = 0.0,
    memory: Annotated[
        str, typer.Option(metavar="SIZE", help="The memory limit for candidates.")
    ] = "1GiB",
    device: DEVICE = "cpu",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    quiet: bool = False,
) -> None:  # fmt: skip
    """Find families of proteins: align similar sequences and cluster them."""
    from edgewise import apps

    for path in (output, edges):
        if path is not None:
            check_suffix(path)
    if json and any(path is not None and is_stream(path) for path in (output, edges)):
        raise ValueError("--json and --output - both write to standard output")
    name = "standard input" if is_stream(sequences) else sequences.name
    with steps(3, quiet=quiet) as step:
        step("reading")
        read = apps.read_fasta(spool() if is_stream(sequences) else sequences)
        step("comparing")
        found = apps.protein_families(
            read, inflation=inflation, k=k, alphabet=alphabet, substitutes=substitutes,
            num_shapes=num_shapes, max_sequences=max_sequences, max_chance=max_chance,
            gap_open=gap_open, gap_extend=gap_extend, max_evalue=max_evalue, support=support,
            min_bits=min_bits, min_identity=min_identity, min_coverage=min_coverage,
            memory=memory, device=device,
        )  # fmt: skip
        step("writing")
        if output is not None:
            write_result(_families(found), output)
        if edges is not None:
            write_result(_edges(found), edges)
        if report is not None:
            from edgewise.cli.families_report import families_report

            with open_output(report) as file:
                file.write(families_report(found, name).encode())
    if json:
        print_json(_document(found, output))
    elif output is None or not is_stream(output):
        _present(found, name)


def _families(found: Any) -> Result:
    keys = {"sequence": np.array(found.names, object)}
    return Result(keys, {"family": found.families, "size": found.sizes[found.families]})


def _edges(found: Any) -> Result:
    names, pairs = np.array(found.names, object), dict(found.network.pairs)
    keys = {"source": names[pairs.pop("left")], "target": names[pairs.pop("right")]}
    return Result(keys, pairs)


def _document(found: Any, output: Path | None) -> dict[str, Any]:
    return {
        **found.network.counts,
        "families_of_several": int((found.sizes > 1).sum()),
        "largest": found.sizes[:10].tolist(),
        "seconds": found.network.seconds,
        "compiled_seconds": compile_seconds(),
        "output": None if output is None else str(output),
    }


def _present(found: Any, name: str) -> None:
    counts, spent = found.network.counts, found.network.seconds
    rows = [
        ("families", number(len(found.sizes))),
        ("of two or more", number(int((found.sizes > 1).sum()))),
        ("largest", ", ".join(number(size) for size in found.sizes[:5].tolist())),
        ("similar pairs", number(counts["edges"])),
        ("candidates", number(counts["candidates"])),
    ]
    sequences = f"{number(counts['sequences'])} sequences"
    show(table(f"{name}: {took(sum(spent.values()))} ({sequences})", rows))
    show(", ".join(f"{step} {seconds(value)}" for step, value in spent.items()))
