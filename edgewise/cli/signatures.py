"""Options from signatures: a function of the library becomes a command without more words.

A parameter with a plain type (int, float, bool, str, a tuple of numbers, a choice) becomes an
option of that type with the parameter's default; its help is the first sentence that the function's
docstring has about it.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from typing import Annotated, Any, Literal

import typer

__all__ = ["choices_of", "documented", "option_of", "summary_of"]

_PLAIN = {"int": int, "float": float, "bool": bool, "str": str}
_METAVARS = {int: "N", float: "X", str: "TEXT", bool: None}


def option_of(
    parameter: inspect.Parameter, text: str, choices: tuple[str, ...] = ()
) -> tuple[inspect.Parameter, Callable]:
    """The typer parameter for one parameter, and what turns its value into the function's.

    Raises TypeError if the parameter has no type that a command line can give.
    """
    kind, convert = _kind(parameter)
    metavar = _METAVARS[kind] if convert is _same else "A,B,..."
    if choices and kind is str and convert is _same:
        kind, metavar = Literal[choices], "|".join(choices)
    required = parameter.default is inspect.Parameter.empty
    default = inspect.Parameter.empty if required else parameter.default
    if convert is not _same and not required and default is not None:
        default = ",".join(map(str, default)) if isinstance(default, tuple) else str(default)
    flag = parameter.name.replace("_", "-")
    shown = default is not None and not required
    flags = f"--{flag}/--no-{flag}" if kind is bool else f"--{flag}"
    if default is None:
        kind = kind | None
    made = inspect.Parameter(
        parameter.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[
            kind, typer.Option(flags, help=text, metavar=metavar, show_default=shown)
        ],
    )
    return made, convert


def summary_of(function: Callable) -> str:
    """The first paragraph of a docstring."""
    return " ".join((inspect.getdoc(function) or "").partition("\n\n")[0].replace("`", "").split())


def choices_of(function: Callable) -> dict[str, tuple[str, ...]]:
    """The words that a numpydoc docstring allows for a parameter.

    >>> def f(x):
    ...     '''Do it.
    ...
    ...     Parameters
    ...     ----------
    ...     x : {"fast", "exact"}, optional
    ...     '''
    >>> choices_of(f)
    {'x': ('fast', 'exact')}
    """
    found = {}
    for names, words in re.findall(r"^([\w, ]+) : \{(.*?)\}", inspect.getdoc(function) or "", re.M):
        for name in names.split(","):
            found[name.strip()] = tuple(re.findall(r"\"([^\"]*)\"", words))
    return found


def documented(function: Callable) -> dict[str, str]:
    """What a numpydoc docstring says about each parameter, first sentence only.

    >>> def f(x, y):
    ...     '''Do it.
    ...
    ...     Parameters
    ...     ----------
    ...     x, y : int
    ...         Two numbers. Any will do.
    ...
    ...     Returns
    ...     -------
    ...     int
    ...     '''
    >>> documented(f)
    {'x': 'Two numbers.', 'y': 'Two numbers.'}
    """
    text = inspect.getdoc(function) or ""
    section = re.search(r"Parameters\n-+\n(.*?)(?:\n\S[^\n]*\n-+\n|\Z)", text, re.DOTALL)
    found: dict[str, str] = {}
    names: list[str] = []
    for line in section.group(1).splitlines() if section else []:
        if line and not line.startswith(" "):
            names = [name.strip(" *") for name in line.partition(":")[0].split(",")]
            found.update(dict.fromkeys(names, ""))
        else:
            for name in names:
                found[name] = f"{found[name]} {line.strip()}".strip()
    return {name: _first_sentence(value) for name, value in found.items()}


def _first_sentence(text: str) -> str:
    match = re.match(r".+?[.;](?=\s|$)", text)
    return (match.group(0) if match else text).replace("`", "").rstrip(";")


def _kind(parameter: inspect.Parameter) -> tuple[Any, Callable]:
    """The plain type of a parameter, from its annotation or else from its default."""
    given = parameter.annotation
    if given is inspect.Parameter.empty:
        given = type(parameter.default).__name__
    given = given if isinstance(given, str) else getattr(given, "__name__", str(given))
    names = [part.strip() for part in given.split("|")]
    for name in names:
        if name in _PLAIN and (name != "int" or "float" not in names):
            return _PLAIN[name], _same
        if name.startswith("Literal["):
            return str, _same
        sequence = re.fullmatch(r"(?:Sequence|tuple|list|Iterable)\[(int|float|str)\b.*\]", name)
        if sequence:
            return str, _list_of(_PLAIN[sequence.group(1)])
        if name in ("tuple", "list", "Sequence"):
            return str, _list_of(_number)
    raise TypeError(f"parameter {parameter.name!r} has no plain type: {given}")


def _same(value: Any) -> Any:
    return value


def _list_of(kind: Callable) -> Callable:
    def convert(text: str | None) -> tuple | None:
        return None if text is None else tuple(kind(part) for part in text.split(",") if part)

    return convert


def _number(text: str) -> int | float:
    value = ast.literal_eval(text)
    if not isinstance(value, (int, float)):
        raise ValueError(f"expected numbers with commas between them, got {text!r}")
    return value
