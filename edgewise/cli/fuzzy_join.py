"""``edgewise fuzzy-join A.csv [B.csv]``: similar records, as pairs or as groups."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import typer

from edgewise.cli.join_report import Joined, Side, document, preview
from edgewise.cli.result_files import Result, check_suffix, write_result
from edgewise.cli.streams import is_stream, spool
from edgewise.cli.terminal import amount, print_json, show

__all__ = ["fuzzy_join"]

_SETS, _SCORES, _WHICH = "Sets and elements", "Scores", "Selection of pairs"
_FILES = "Files"


def fuzzy_join(
    left: Annotated[
        Path,
        typer.Argument(
            metavar="A",
            help="A .csv, .tsv or .parquet file, or a text file with one set per line, optionally "
            "compressed; - is standard input.",
            show_default=False,
        ),
    ],
    right: Annotated[
        Path | None,
        typer.Argument(
            metavar="B",
            help="The file to join with; by default A is joined with itself.",
            show_default=False,
        ),
    ] = None,
    *,
    column: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The column to compare; without it, each line is a set.",
            show_default=False,
        ),
    ] = None,
    threshold: Annotated[
        float, typer.Option(metavar="X", help="The minimum score of a pair, up to 1.")
    ] = 0.7,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE",
            help="Write all pairs (or clusters) to a .csv, .parquet or .json file; - is CSV on "
            "standard output.",
            show_default=False,
        ),
    ] = None,
    cluster: Annotated[
        bool,
        typer.Option(
            "--cluster", help="Group the records that pairs connect, and write the clusters."
        ),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    top: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="K", help="Keep only the K best pairs.", show_default=False,
            rich_help_panel=_WHICH,
        ),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option(
            "--k", min=1, metavar="K", help="Keep only the K best pairs of each record of A.",
            show_default=False, rich_help_panel=_WHICH,
        ),
    ] = None,
    equal_sets: Annotated[
        Literal["all", "first"],
        typer.Option(
            metavar="all|first",
            help="Pairs of equal records: all, or only with the first (enough for --cluster).",
            rich_help_panel=_WHICH,
        ),
    ] = "all",
    separator: Annotated[
        str,
        typer.Option(
            metavar="TEXT", help="The separator between the elements of a set (default: a space).",
            show_default=False, rich_help_panel=_SETS,
        ),
    ] = " ",
    tokens: Annotated[
        Literal["qgrams", "words"],
        typer.Option(
            metavar="qgrams|words", help="The tokens of an element.", rich_help_panel=_SETS
        ),
    ] = "qgrams",
    q: Annotated[
        int | None,
        typer.Option(
            "--q", metavar="N", show_default=False,
            help="The length of a q-gram (default: 3; 2 for edit similarity below 0.6).",
            rich_help_panel=_SETS,
        ),
    ] = None,
    casefold: Annotated[
        bool,
        typer.Option("--casefold", help="Ignore letter case.", rich_help_panel=_SETS),
    ] = False,
    normalize_unicode: Annotated[
        bool,
        typer.Option(
            "--normalize-unicode", help="Ignore differences in Unicode form (NFKC).",
            rich_help_panel=_SETS,
        ),
    ] = False,
    metric: Annotated[
        Literal["jaccard", "edit"],
        typer.Option(
            metavar="jaccard|edit",
            help="The similarity of two elements: Jaccard of their tokens, or edit similarity.",
            rich_help_panel=_SCORES,
        ),
    ] = "jaccard",
    method: Annotated[
        Literal["exact", "bounded", "greedy", "locally_dominant", "paz_schwartzman"],
        typer.Option(
            metavar="NAME",
            help="How elements are matched: exact, bounded, or approximate (greedy, "
            "locally_dominant, paz_schwartzman).",
            rich_help_panel=_SCORES,
        ),
    ] = "exact",
    bound: Annotated[
        Literal["lower", "upper"],
        typer.Option(
            metavar="lower|upper",
            help="The score of approximate matchings: lower gives no wrong pairs, upper misses "
            "none.",
            rich_help_panel=_SCORES,
        ),
    ] = "lower",
    id: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The column of record ids (default: row numbers from 0).",
            show_default=False, rich_help_panel=_FILES,
        ),
    ] = None,
    right_column: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The column of B to compare, if its name differs.",
            show_default=False,
            rich_help_panel=_FILES,
        ),
    ] = None,
    right_id: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The column of record ids of B, if its name differs.",
            show_default=False, rich_help_panel=_FILES,
        ),
    ] = None,
    encoding: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="The character encoding of text files.", rich_help_panel=_FILES
        ),
    ] = "utf-8",
    encoding_errors: Annotated[
        Literal["strict", "replace"],
        typer.Option(
            metavar="strict|replace", help="Reject invalid bytes, or replace them with U+FFFD.",
            rich_help_panel=_FILES,
        ),
    ] = "strict",
    memory: Annotated[
        str, typer.Option(metavar="SIZE", help="The memory limit for candidates.")
    ] = "1GiB",
    device: Annotated[
        str, typer.Option(metavar="NAME", help="Where pairs are verified: cpu, cuda or cuda:N.")
    ] = "cpu",
    quiet: bool = False,
) -> None:  # fmt: skip
    """Find pairs of similar records, which are sets of strings.

    Prints the number of pairs, with the best and the borderline ones; -o writes all pairs.
    --cluster writes clusters instead, to keep one record of each.
    """
    from edgewise.join import fuzzy_join

    if output is not None:
        check_suffix(output)
    if json and output is not None and is_stream(output):
        raise ValueError("--json and --output - both write to standard output")
    if right is None and (right_column or right_id):
        raise ValueError("--right-column and --right-id require a second file")
    text = {"separator": separator, "encoding": encoding, "encoding_errors": encoding_errors}
    sides = [_side(left, column, id, text)]
    if right is not None:
        sides.append(_side(right, right_column or column, right_id or id, text))
    try:
        with amount("joining", len(sides[0].sets), "records", quiet=quiet) as tell:
            found = fuzzy_join(
                *(side.sets for side in sides),
                threshold=threshold, metric=metric, method=method, bound=bound,
                tokens=tokens, q=q, casefold=casefold, normalize_unicode=normalize_unicode, top=top,
                k=k, equal_sets=equal_sets, memory=memory, device=device,
                progress=lambda done, total: tell(done),
            )  # fmt: skip
    except KeyboardInterrupt as interrupt:
        for note in getattr(interrupt, "__notes__", ()):
            print(f"edgewise: {note}", file=sys.stderr)
        raise
    asked = f"Scores of at least {threshold:g}"
    if top is not None:
        asked += f", the {top:,} best pairs"
    if k is not None:
        asked += f", the {k:,} best pairs of each record"
    shown = Joined(found, found.clusters() if cluster else None, sides, separator, asked)
    if output is not None:
        write_result(_groups(shown) if cluster else _pairs(shown), output)
    if json:
        print_json(document(shown))
    elif output is None or not is_stream(output):
        show(*preview(shown))
        if output is not None and not quiet:
            show(f"{'The groups' if cluster else 'All pairs'} are in {output}")


def _side(path: Path, column: str | None, id: str | None, text: dict[str, Any]) -> Side:
    """The sets of a file as lists of strings, and their names."""
    from edgewise.join.set_files import read_column

    name = "standard input" if is_stream(path) else path.name
    path = spool() if is_stream(path) else path
    ids = None if id is None else read_column(path, id, **(text | {"separator": None}))
    return Side(name, read_column(path, column, **text), ids)


def _pairs(shown: Joined) -> Result:
    first, last, found = shown.sides[0], shown.sides[-1], shown.pairs
    ends = {"left": first.names(found.left), "right": last.names(found.right)}
    return Result(ends, {"score": found.score})


def _groups(shown: Joined) -> Result:
    """A line for every record: the number of its group, and whether it is the first of it."""
    assert shown.groups is not None
    parts = [part for part in shown.groups[:2] if part is not None]
    names = [side.names(np.arange(len(side.sets))) for side in shown.sides]
    keys = {"record": np.concatenate(names)}
    if len(parts) > 1:
        keys = {"file": np.repeat(["A", "B"], [len(part) for part in parts])} | keys
    group = np.concatenate(parts)
    first = np.zeros(len(group), bool)
    first[np.unique(group, return_index=True)[1]] = True
    return Result(keys, {"group": group, "first": first})
