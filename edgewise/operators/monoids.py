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
