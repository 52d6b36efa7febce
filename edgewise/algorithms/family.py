"""Families of algorithms that are public as modules, such as `edgewise.matching`.

Their names load at their first use.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from edgewise.algorithms import ALGORITHMS

__all__ = ["lazy", "rows"]


def lazy(
    package: str, home: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """A package's ``__getattr__`` and ``__dir__``, if ``home`` says in which module each name is.

    A module that is imported by its full name stays off the name of the function in it.
    """
    public = "edgewise." + package.rpartition(".")[2]

    def load(name: str) -> Any:
        if name not in home:
            from edgewise.base.hints import module_hint

            hint = module_hint(name, public, home)
            raise AttributeError(f"module {public!r} has no attribute {name!r}{hint}")
        value = getattr(import_module(f"{package}.{home[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    class Family(ModuleType):
        def __setattr__(self, name: str, value: Any) -> None:
            if not (name in home and isinstance(value, ModuleType)):
                super().__setattr__(name, value)

    sys.modules[package].__class__ = Family
    return load, lambda: sorted(home)


def rows(package: str) -> dict[str, str]:
    """The algorithms of a family in the table, and the module of each within the family.

    >>> rows("edgewise.algorithms.similarity")["cosine"]
    'pairwise'
    """
    family = package.rpartition(".")[2]
    return {
        row.name.rpartition(".")[2]: row.module.partition(".")[2]
        for row in ALGORITHMS.values()
        if row.family == family
    }
