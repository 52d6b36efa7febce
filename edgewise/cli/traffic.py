"""``edgewise generate traffic --packets 2^24 -o FILE``: synthetic packets, as they are made."""

from __future__ import annotations

import inspect
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from edgewise.cli.counts import count, option_count
from edgewise.cli.signatures import documented, option_of
from edgewise.cli.streams import is_stream, open_output
from edgewise.cli.terminal import amount, number, show
from edgewise.io.files import plain_suffix

__all__ = ["traffic_command"]

_FORMATS = {".packets": "packets", ".pcap": "pcap"}
_COUNTS = ("packets", "sources", "destinations", "links")


def traffic_command() -> Any:
    """The command: the parameters of `edgewise.sensing.generate_traffic` as options."""
    from edgewise.sensing import generate_traffic

    texts, parameters = documented(generate_traffic), []
    for parameter in inspect.signature(generate_traffic).parameters.values():
        name = parameter.name
        if name in _COUNTS:
            option = typer.Option(
                f"--{name}", parser=option_count, metavar="N", help=texts[name], show_default=True
            )
            kept = inspect.Parameter.KEYWORD_ONLY
            parameters.append(parameter.replace(kind=kept, annotation=Annotated[int, option]))
        elif name == "events":
            parameters.append(_own("event"))
        elif name != "batch_size":
            parameters.append(option_of(parameter, texts[name])[0])
    more = [_own(name) for name in ("output", "output_format", "nanoseconds", "quiet")]

    def run(**values: Any) -> None:
        generate(**values)

    run.__signature__ = inspect.Signature([*parameters, *more])  # type: ignore[attr-defined]
    run.__doc__ = generate.__doc__
    return run


def generate(
    *,
    packets: int,
    output: Path,
    event: list[str] | None = None,
    output_format: str | None = None,
    nanoseconds: bool = False,
    quiet: bool = False,
    **values: Any,
) -> None:
    """Generate synthetic packets with power-law sources and destinations, and write them."""
    from edgewise.sensing import generate_traffic, write_pcap, write_records

    kind = _format(output, output_format)
    if nanoseconds and kind != "pcap":
        raise ValueError("--nanoseconds applies to pcap files; packet records always have them")
    batches = generate_traffic(packets, events=[_event(text) for text in event or ()], **values)
    with (
        amount("generating", packets, "packets", quiet=quiet) as tell,
        open_output(output) as file,
        closing(_ahead(batches)) as made,
    ):
        told = _telling(made, tell)
        if kind == "pcap":
            write_pcap(told, file, nanoseconds=nanoseconds)
        else:
            write_records(told, file)
    if not quiet and not is_stream(output):
        show(f"{output}: {number(packets)} packets")


def _ahead(batches: Iterable[Any]) -> Generator[Any]:
    """The batches, made in a thread while those before are written."""
    from edgewise.sensing import Chain

    yield from Chain(batches, "generate")


def _telling(batches: Iterable[Any], tell: Any) -> Iterator[Any]:
    """The batches, and how many packets are through each time the next is asked for."""
    done = 0
    for batch in batches:
        yield batch
        done += batch.num_packets
        tell(done)


def _format(path: Path, given: str | None) -> str:
    """The format to write; an error before the work if none is known."""
    if given is not None:
        return given
    if is_stream(path):
        raise ValueError("standard output has no suffix: --output-format NAME, pcap or packets")
    known = _FORMATS.get(plain_suffix(path))
    if known is None:
        raise ValueError(
            f"{path}: the suffix does not determine the format: .pcap or .packets (and .gz or .zst "
            "after it), or --output-format NAME, pcap or packets"
        )
    return known


def _event(text: str) -> Any:
    """An event from ``scan:first=1000,packets=500,fraction=0.5``."""
    from edgewise.sensing import Event

    kind, _, rest = text.partition(":")
    found: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        key, _, value = part.partition("=")
        if key not in ("first", "packets", "fraction"):
            raise ValueError(f"--event takes first, packets and fraction, not {part!r}")
        try:
            found[key] = float(value) if key == "fraction" else count(value)
        except ValueError:
            raise ValueError(f"--event takes numbers, as first=2^17, not {part!r}") from None
    if kind not in ("scan", "flood") or not {"first", "packets"} <= set(found):
        raise ValueError(f"--event takes scan|flood:first=N,packets=N[,fraction=X], not {text!r}")
    return Event(kind, **found)


def _own(name: str) -> inspect.Parameter:
    """A parameter of `generate` that is not the generator's, as an option."""
    kind, *flags = _OWN[name]
    default = inspect.signature(generate).parameters[name].default
    annotation = Annotated[kind, typer.Option(*flags[:-1], **flags[-1])] if flags else kind
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


_OWN: dict[str, Any] = {
    "event": (
        list[str] | None,
        "--event",
        {
            "metavar": "KIND:first=N,packets=N[,fraction=X]",
            "help": "A scan or a flood among the packets; may be given several times.",
            "show_default": False,
        },
    ),
    "output": (
        Path,
        "--output",
        "-o",
        {"metavar": "FILE", "help": "The file to write: .packets or .pcap, optionally with .gz or "
         ".zst; - is standard output."},
    ),
    "output_format": (
        Literal["pcap", "packets"] | None,
        "--output-format",
        {"metavar": "NAME", "help": "The format to write, if the suffix does not determine it: "
         "pcap, packets.", "show_default": False},
    ),
    "nanoseconds": (
        bool,
        "--nanoseconds",
        {"help": "Store times in a .pcap file in nanoseconds."},
    ),
    "quiet": (bool,),
}  # fmt: skip
