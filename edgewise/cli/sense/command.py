"""``edgewise sense FILES...``: what captures say, window by window and in total."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import typer

from edgewise.cli.counts import option_count
from edgewise.cli.sense.progress import reading
from edgewise.cli.streams import is_stream, open_output
from edgewise.cli.terminal import print_json, show

__all__ = ["Asked", "sense"]

_KEYS, _WHERE = "Anonymizing", "Where and how"


class Asked(NamedTuple):
    """What the command line asked for, as far as results speak of it."""

    files: list[Path]
    window: str
    family: str
    device: str
    anonymized: str | None  #: the method, or None
    addresses: str = "outer"

    @property
    def name(self) -> str:
        """What the captures are called."""
        first = self.files[0].name if not is_stream(self.files[0]) else "standard input"
        return first if len(self.files) == 1 else f"{first} and {len(self.files) - 1} more"


def sense(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILES",
            help="Captures (pcap, pcapng, also compressed) or packet records, in the order of "
            "time; - is standard input.",
            show_default=False,
        ),
    ],
    *,
    window: Annotated[
        str,
        typer.Option(
            metavar="N|TIME",
            help="Packets per window, as 2^17 or 131072; or a time, as 60s (ns, us, ms, s, min, "
            "h, d), counted from 1970 on.",
        ),
    ] = "2^17",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="DIR",
            help="Write a new folder: the tables of windows and distributions, the sum as a "
            "matrix, and all of it as JSON.",
        ),
    ] = None,
    save_windows: Annotated[
        bool,
        typer.Option("--save-windows", help="Also write the matrix of every window there."),
    ] = False,
    table: Annotated[
        Literal["csv", "parquet"],
        typer.Option(metavar="csv|parquet", help="The format of the tables there."),
    ] = "csv",
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a report with pictures, as one HTML page."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    family: Annotated[
        Literal["ip", "ipv4", "ipv6"],
        typer.Option(metavar="ip|ipv4|ipv6", help="Which packets count."),
    ] = "ip",
    addresses: Annotated[
        Literal["outer", "inner"],
        typer.Option(
            metavar="outer|inner",
            help="Of packets in tunnels (IP in IP, GRE, VXLAN, Geneve, GTP-U): the addresses of "
            "the outermost header, or of the innermost.",
        ),
    ] = "outer",
    levels: Annotated[
        bool,
        typer.Option("--levels", help="Also sum windows to ones of 2, 4, 8 ... times the length."),
    ] = False,
    whole: Annotated[
        bool,
        typer.Option(
            "--whole",
            help="Leave out windows that the end of the packets has cut (of a time also those "
            "that their beginning has).",
        ),
    ] = False,
    anonymize: Annotated[
        Path | None,
        typer.Option(
            metavar="KEYFILE",
            help="Anonymize addresses by the key in this file, which nobody else may be able to "
            "read (default: by that in $EDGEWISE_KEY, if there is one).",
            show_default=False,
            rich_help_panel=_KEYS,
        ),
    ] = None,
    method: Annotated[
        Literal["permutation", "crypto-pan"] | None,
        typer.Option(
            metavar="permutation|crypto-pan",
            help="How: permutation keeps nothing of an address (the default), crypto-pan which "
            "addresses are in one network.",
            show_default=False,
            rich_help_panel=_KEYS,
        ),
    ] = None,
    on_damage: Annotated[
        Literal["raise", "keep"],
        typer.Option(
            metavar="raise|keep",
            help="At a damaged file: stop, or keep what came before and go on with the next.",
            rich_help_panel=_WHERE,
        ),
    ] = "raise",
    device: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="cpu, cuda, cuda:N, or several GPUs as cuda:0,cuda:1.",
            rich_help_panel=_WHERE,
        ),
    ] = "cpu",
    batch: Annotated[
        int | None,
        typer.Option(
            parser=option_count, metavar="N",
            help="Packets at a time (default: about 2^20, on a GPU 2^24).",
            show_default=False, rich_help_panel=_WHERE,
        ),
    ] = None,
    batches: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="In how many parts to take packet records, instead.",
            show_default=False, rich_help_panel=_WHERE,
        ),
    ] = None,
    quiet: bool = False,
) -> None:  # fmt: skip
    """What packet captures say: who talks how much, in windows and in total, without names.

    Prints tables; -o writes them with the matrices, --report draws them. The quantities are the
    same whether addresses are anonymized or not.
    """
    from edgewise.cli.sense.document import document
    from edgewise.sensing import sense

    if save_windows and output is None:
        raise ValueError("--save-windows writes into the folder of --output, and there is none")
    if table != "csv" and output is None:
        raise ValueError("--table is of the folder of --output, and there is none")
    if json and is_stream(report):
        raise ValueError("--json and --report - both write to standard output")
    if is_stream(output):
        raise ValueError("--output takes a folder to make, not standard output")
    if sum(map(is_stream, files)) > 1:
        raise ValueError("FILES has - more than once, and standard input can be read once")
    anonymizer = _anonymizer(anonymize, method)
    how = anonymizer.method if anonymizer else None
    asked = Asked(files, window, family, device, how, addresses)
    with ExitStack() as stack:
        folder = page = None
        if output is not None:
            from edgewise.io.folders import atomic_folder

            folder = stack.enter_context(atomic_folder(output))
        if report is not None:
            page = stack.enter_context(open_output(report))
        inputs = [stack.enter_context(_standard_input()) if is_stream(f) else f for f in files]
        with reading(_size(files), quiet=quiet) as progress:
            found = sense(
                inputs,
                window=window,
                anonymize=anonymizer,
                family=family,
                addresses=addresses,
                device=device,
                batch=batch,
                batches=batches,
                partial=not whole,
                levels=levels,
                on_damage=on_damage,
                folder=folder / "windows" if folder is not None and save_windows else None,
                progress=progress,
            )
        said = document(found, asked) if json or folder is not None else {}
        _write(found, asked, said, folder, table, page)
    if json:
        print_json(said)
    elif not is_stream(report):
        from edgewise.cli.sense.tables import terminal_tables

        show(*terminal_tables(found, asked))
        for path, what in ((output, "tables and matrices are"), (report, "report is")):
            if path is not None and not quiet:
                show(f"The {what} in {path}")


def _write(
    found: Any, asked: Asked, said: dict[str, Any], folder: Path | None, table: str, page: Any
) -> None:
    """Fill the folder and the page, as far as they are wanted."""
    if folder is not None:
        from edgewise.cli.sense.result_folder import write_folder

        write_folder(found, said, folder, table)
    if page is not None:
        from edgewise.cli.sense.report import html_report
        from edgewise.sensing.cutting import Every, window_of

        cut = window_of(asked.window)
        each = cut.size if isinstance(cut, Every) else asked.window
        html = html_report(found, asked.name, window=each, anonymized=asked.anonymized)
        page.write(html.encode())


def _anonymizer(file: Path | None, method: str | None) -> Any:
    """What the options about anonymizing ask for; None if nothing does."""
    from edgewise.sensing.keys import KEY_VARIABLE, read_key

    if file is None and method is None and not os.environ.get(KEY_VARIABLE):
        return None
    from edgewise.sensing.anonymize import crypto_pan, permutation

    key = read_key(file)
    return crypto_pan(key) if method == "crypto-pan" else permutation(key)


def _standard_input() -> Any:
    """Standard input as a file without a buffer: a thread that waits for it holds no lock."""
    file = open(os.dup(0), "rb", buffering=0)  # noqa: SIM115
    file.name = "standard input"  # type: ignore[misc]
    return file


def _size(files: list[Path]) -> int | None:
    """The bytes of all files; None if that is not known."""
    if not all(file.is_file() for file in files):
        return None
    return sum(file.stat().st_size for file in files)
