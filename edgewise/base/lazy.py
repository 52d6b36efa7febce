"""Packages whose names load at their first use (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["lazy"]


def lazy(
    package: str, home: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """A package's ``__getattr__`` and ``__dir__``, if ``home`` says in which module each name is.

    A name whose home is empty is a module itself. A module that is imported by its full name stays
    off the name of the function in it.
    """
    public = "edgewise." + package.rpartition(".")[2]

    def load(name: str) -> Any:
        if name not in home:
            from edgewise.base.hints import module_hint

            hint = module_hint(name, public, home)
            raise AttributeError(f"module {public!r} has no attribute {name!r}{hint}")
        if not home[name]:
            return import_module(f"{package}.{name}")
        value = getattr(import_module(f"{package}.{home[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    class Family(ModuleType):
        def __setattr__(self, name: str, value: Any) -> None:
            if not (home.get(name) and isinstance(value, ModuleType)):
                super().__setattr__(name, value)

    sys.modules[package].__class__ = Family
    return load, lambda: sorted(home)
