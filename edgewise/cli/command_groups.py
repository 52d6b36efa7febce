"""A group of commands that are made from a table when they are asked for.

``edgewise run bfs`` then loads one algorithm and not all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import typer
from typer.main import get_command

from edgewise.cli.help import HelpCommand, HelpGroup
from edgewise.cli.options import with_shared_options

__all__ = ["full_name", "table_group"]


def table_group(
    names: Callable[[], Iterable[str]], make: Callable[[str], Callable], text: str, **settings: Any
) -> typer.Typer:
    """A group with a command for each name; ``make(name)`` gives its function.

    The functions may carry a ``panel``: the title under which the help lists them.
    """

    class TableGroup(HelpGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            return list(names())

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            found = full_name(cmd_name, names())
            if found is None:
                return None
            function, cmd_name = make(found), found
            one = typer.Typer(add_completion=False, rich_markup_mode="rich")
            panel = getattr(function, "panel", None)
            one.command(cmd_name, cls=HelpCommand, rich_help_panel=panel)(
                with_shared_options(function)
            )
            command = get_command(one)
            command.name = cmd_name
            return command

    group = typer.Typer(cls=TableGroup, help=text, no_args_is_help=False, **settings)
    group.callback()(_nothing)
    return group


def full_name(word: str, names: Iterable[str]) -> str | None:
    """The name that a word stands for: itself, or the only one that has it behind the dot.

    >>> full_name("top-k", ["bfs", "ordering.bfs_order", "similarity.top_k"])
    'similarity.top_k'
    >>> full_name("bfs", ["bfs", "ordering.bfs_order"]), full_name("bfs", ["a.bfs", "b.bfs"])
    ('bfs', None)
    """
    word, known = word.replace("-", "_"), list(names)
    if word in known:
        return word
    ending = [name for name in known if name.rpartition(".")[2] == word]
    return ending[0] if len(ending) == 1 else None


def _nothing() -> None:
    """Groups need a callback to be groups."""
