"""The pages of ``--help``: what a command is for, then two columns, options and what they mean."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.text import Text
from typer.core import TyperCommand, TyperGroup

__all__ = ["HelpCommand", "HelpGroup"]

_WIDEST = 28  # of the first column; what is longer takes a line of its own


class HelpCommand(TyperCommand):
    """A command with our pages of help."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the page."""
        _print_page(self, ctx, _options(self, ctx))


class HelpGroup(TyperGroup):
    """A group of commands with our pages of help."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the page."""
        _print_page(self, ctx, {**_commands(self, ctx), **_options(self, ctx)})


def _print_page(command: Any, ctx: Any, sections: dict[str, list[tuple[Text, str]]]) -> None:
    console = Console(highlight=False)
    pieces = [re.sub("[{}]", "", part) for part in command.collect_usage_pieces(ctx)]
    console.print(
        Text.assemble("\n", ("Usage: ", "bold"), f"{ctx.command_path} {' '.join(pieces)}")
    )
    for paragraph in (command.help or "").strip().split("\n\n"):
        console.print(Text("\n" + " ".join(paragraph.split())))
    for title, rows in sections.items():
        console.print(Text(f"\n{title}", style="bold"))
        for line in _lines(rows, min(console.width, 100)):
            console.print(line, soft_wrap=True)


def _lines(rows: list[tuple[Text, str]], width: int) -> Iterator[Text]:
    """Two columns; a first one that is too long has a line of its own."""
    first = 2 + max((len(left) for left, _ in rows if len(left) <= _WIDEST), default=0)
    for left, right in rows:
        lines = textwrap.wrap(right, max(width - first - 2, 24)) or [""]
        if len(left) + 2 > first:
            yield Text.assemble("  ", left)
        else:
            yield Text.assemble("  ", left, " " * (first - len(left)), lines.pop(0))
        for line in lines:
            yield Text(" " * (first + 2) + line)


def _commands(group: Any, ctx: Any) -> dict[str, list[tuple[Text, str]]]:
    """The commands of a group, by the panels they are listed under."""
    found: dict[str, list[tuple[Text, str]]] = {}
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        text = " ".join((command.help or "").partition("\n\n")[0].split())
        panel = getattr(command, "rich_help_panel", None)
        found.setdefault(panel if isinstance(panel, str) else "Commands", []).append(
            (Text(name, style="cyan"), text)
        )
    return found


def _options(command: Any, ctx: Any) -> dict[str, list[tuple[Text, str]]]:
    """Arguments and options, by the panels they are listed under."""
    found: dict[str, list[tuple[Text, str]]] = {}
    for option in command.get_params(ctx):
        if getattr(option, "hidden", False):
            continue
        is_option = option.param_type_name == "option"
        panel = getattr(option, "rich_help_panel", None)
        title = panel if isinstance(panel, str) else "Options" if is_option else "Arguments"
        left = _flags(option) if is_option else Text(option.metavar or option.name, style="cyan")
        found.setdefault(title, []).append((left, _meaning(option)))
    return found


def _flags(option: Any) -> Text:
    """``-o, --output FILE``: short flags first, then long ones, then what they take."""
    flags = sorted([*option.opts, *option.secondary_opts], key=lambda flag: flag.startswith("--"))
    left = Text(", ".join(flags), style="cyan")
    if option.metavar:
        left.append(f" {option.metavar}", style="dim")
    return left


def _meaning(option: Any) -> str:
    """What an option means, and its default."""
    text, default = option.help or "", option.default
    if getattr(option, "required", False):
        return f"{text} [required]".strip() if option.param_type_name == "option" else text
    shown = getattr(option, "show_default", False) and not callable(default)
    if shown and default is not None and default is not False and default != "":
        value = ",".join(map(str, default)) if isinstance(default, (list, tuple)) else default
        value = option.opts[0] if default is True else value
        return f"{text} [default: {value}]".strip()
    return text
