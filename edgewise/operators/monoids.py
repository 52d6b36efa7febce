"""Monoids as operators take them: those of `edgewise.base.monoids`, checked."""

from __future__ import annotations

from typing import Any

from edgewise.base.monoids import ADD, AND, ANY, ARGMAX, ARGMIN, MAX, MIN, OR, Monoid, add_each
from edgewise.operators.functions import check_takes

__all__ = ["ADD", "AND", "ANY", "ARGMAX", "ARGMIN", "MAX", "MIN", "OR", "Monoid", "add_each",
           "check_monoid"]  # fmt: skip


def check_monoid(reduce: Any, *, single: bool = False) -> None:
    """Is it a monoid, of single values if that is asked for, that does not contradict itself?"""
    if not isinstance(reduce, Monoid) or (single and isinstance(reduce.identity, tuple)):
        kind = "Monoid of single values such as ADD" if single else "Monoid such as MIN or ADD"
        raise TypeError(f"reduce must be a {kind}, got {reduce!r}")
    check_takes(reduce.combine, "reduce.combine", 2)
    if reduce.early_exit and not reduce.idempotent:
        raise ValueError("reduce has early_exit, so it must be idempotent: one message is enough")
    if reduce.parts:
        _check_parts(reduce)


def _check_parts(reduce: Monoid) -> None:
    """Are there as many parts as values, each a monoid of single ones with the same identity?"""
    several = reduce.identity if isinstance(reduce.identity, tuple) else (reduce.identity,)
    if len(several) != len(reduce.parts) or len(several) < 2 or reduce.early_exit:
        raise ValueError(
            f"parts of reduce must be a monoid for each of the values {several!r}, without early "
            f"exit, got {len(reduce.parts)} of them"
        )
    for part, identity in zip(reduce.parts, several, strict=True):
        if not isinstance(part, Monoid) or part.identity != identity or part.early_exit:
            raise ValueError(
                f"parts of reduce must be monoids of single values with the identity of that "
                f"place, {identity!r}, got {part!r}"
            )
