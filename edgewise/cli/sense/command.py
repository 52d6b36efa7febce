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
            help="Captures (pcap, pcapng, also compressed) or packet records, in order of time; "
            "- is standard input.",
            show_default=False,
        ),
    ],
    *,
    window: Annotated[
        str,
        typer.Option(
            metavar="N|TIME",
            help="Packets per window, as 2^17 or 131072; or a duration, as 60s (ns, us, ms, s, "
            "min, h, d), in multiples since 1970.",
        ),
    ] = "2^17",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="DIR",
            help="Write a new folder: tables of windows and distributions, the total matrix, and "
            "a JSON document.",
        ),
    ] = None,
    save_windows: Annotated[
        bool,
        typer.Option("--save-windows", help="Also write the matrix of each window to DIR."),
    ] = False,
    table: Annotated[
        Literal["csv", "parquet"],
        typer.Option(metavar="csv|parquet", help="The format of the tables in DIR."),
    ] = "csv",
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a report with charts, as one HTML page."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    family: Annotated[
        Literal["ip", "ipv4", "ipv6"],
        typer.Option(metavar="ip|ipv4|ipv6", help="Which packets are counted."),
    ] = "ip",
    addresses: Annotated[
        Literal["outer", "inner"],
        typer.Option(
            metavar="outer|inner",
            help="Which addresses of tunneled packets (IP in IP, GRE, VXLAN, Geneve, GTP-U) are "
            "counted: those of the outermost or the innermost header.",
        ),
    ] = "outer",
    levels: Annotated[
        bool,
        typer.Option("--levels", help="Also report windows of 2, 4, 8 ... times the length."),
    ] = False,
    partial: Annotated[
        bool,
        typer.Option(
            "--partial/--no-partial",
            help="Keep or drop the incomplete last window (for windows of time also the first).",
        ),
    ] = True,
    key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Anonymize addresses with the key in this file, which only you may be able to "
            "read (default: the key in $EDGEWISE_KEY, if there is one).",
            show_default=False,
            rich_help_panel=_KEYS,
        ),
    ] = None,
    anonymize: Annotated[
        Literal["permutation", "crypto_pan"] | None,
        typer.Option(
            metavar="permutation|crypto_pan",
            help="permutation (the default) keeps nothing of an address, crypto_pan keeps equal "
            "prefixes equal.",
            show_default=False,
            rich_help_panel=_KEYS,
        ),
    ] = None,
    on_bad_file: Annotated[
        Literal["raise", "skip"],
        typer.Option(
            metavar="raise|skip",
            help="At a damaged file: stop, or skip the rest of it and continue with the next.",
            rich_help_panel=_WHERE,
        ),
    ] = "raise",
    device: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The device: cpu, cuda, cuda:N, or several GPUs as cuda:0,cuda:1.",
            rich_help_panel=_WHERE,
        ),
    ] = "cpu",
    batch_size: Annotated[
        int | None,
        typer.Option(
            parser=option_count, metavar="N",
            help="Packets per batch (default: about 2^20, on a GPU 2^24).",
            show_default=False, rich_help_panel=_WHERE,
        ),
    ] = None,
    num_batches: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="The number of batches, instead (packet records only).",
            show_default=False, rich_help_panel=_WHERE,
        ),
    ] = None,
    quiet: bool = False,
) -> None:  # fmt: skip
    """Report traffic statistics of packet captures, for each window and in total.

    Prints tables; -o writes them with the matrices, --report draws them. Anonymizing addresses does
    not change the quantities.
    """
    from edgewise.cli.sense.document import document
    from edgewise.sensing import sense

    if save_windows and output is None:
        raise ValueError("--save-windows requires --output")
    if table != "csv" and output is None:
        raise ValueError("--table requires --output")
    if json and is_stream(report):
        raise ValueError("--json and --report - both write to standard output")
    if is_stream(output):
        raise ValueError("--output takes a folder to make, not standard output")
    if sum(map(is_stream, files)) > 1:
        raise ValueError("FILES has - more than once, and standard input can be read once")
    anonymizer = _anonymizer(key, anonymize)
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
        with reading(quiet=quiet) as progress:
            found = sense(
                inputs,
                window=window,
                anonymize=anonymizer,
                family=family,
                addresses=addresses,
                device=device,
                batch_size=batch_size,
                num_batches=num_batches,
                partial=partial,
                levels=levels,
                on_bad_file=on_bad_file,
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
    """The anonymizer that the options ask for, or None."""
    from edgewise.sensing.keys import KEY_VARIABLE, read_key

    if file is None and method is None and not os.environ.get(KEY_VARIABLE):
        return None
    from edgewise.sensing.anonymize import crypto_pan, permutation

    key = read_key(file)
    return crypto_pan(key) if method == "crypto_pan" else permutation(key)


def _standard_input() -> Any:
    """Standard input as a file without a buffer: a thread that waits for it holds no lock."""
    file = open(os.dup(0), "rb", buffering=0)  # noqa: SIM115
    file.name = "standard input"  # type: ignore[misc]
    return file
