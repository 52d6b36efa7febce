"""Numbers as people write them on a command line: 131072, 131_072 or 2^17."""

from __future__ import annotations

import re
from typing import Any

import typer

__all__ = ["count", "option_count"]


def count(text: Any) -> int:
    """A whole number, or a power of one.

    >>> count("2^17"), count("1_000"), count(5)
    (131072, 1000, 5)
    >>> count("2^x")
    Traceback (most recent call last):
        ...
    ValueError: expected a whole number as 131072 or 2^17, got '2^x'
    """
    found = re.fullmatch(r"(\d[\d_]*)(?:(?:\^|\*\*)(\d{1,3}))?", str(text).strip())
    if not found:
        raise ValueError(f"expected a whole number as 131072 or 2^17, got {text!r}")
    return int(found[1]) ** int(found[2] or 1)


def option_count(text: Any) -> int:
    """`count` for an option, with an error that names it."""
    try:
        return count(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
