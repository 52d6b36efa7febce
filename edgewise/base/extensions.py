"""What modules outside of Numba have registered with it: code for functions, operators, attributes.

``numba.extending.overload`` and its kin give code to functions that hold none themselves, so they
are part of what a kernel compiles from. Those of Numba itself are covered by its version.
"""

from __future__ import annotations

import sys
from typing import Any

from edgewise.base.pinned import pinned_file

__all__ = ["Extensions"]

_OPERATORS = ("builtins", "_operator", "operator")


class Extensions:
    """What modules outside of Numba have registered with ``overload`` and its kin."""

    def __init__(self) -> None:
        self.everywhere: list[Any] = []  # for operators and built-in functions
        self._targets: dict[int, list[Any]] = {}
        self._attributes: dict[str, list[Any]] = {}
        self._read: dict[str, tuple[int, int]] = {}

    def of(self, target: Any) -> Any:
        """What is registered for a function."""
        return self._targets.get(id(target), ())

    def named(self, name: str) -> Any:
        """What is registered for an attribute or method of this name."""
        return self._attributes.get(name, ())

    def update(self) -> None:
        """Read what was registered since the last time."""
        for home in ("numba.core.typing.templates", "numba.cuda.typing.templates"):
            if home in sys.modules:
                registry = sys.modules[home].builtin_registry
                first, second = self._read.get(home, (0, 0))
                for template in registry.functions[first:]:
                    self._function(template)
                for template in registry.attributes[second:]:
                    self._attribute(template)
                self._read[home] = (len(registry.functions), len(registry.attributes))

    def _function(self, template: Any) -> None:
        given = getattr(template, "_overload_func", None)
        if given is None:
            ours = template.__module__.partition(".")[0] == "numba"
        else:
            ours = pinned_file(given.__code__.co_filename)
        target = template.key
        if getattr(given, "counts_by_type", False):  # what it compiles to is part of the type
            return
        if ours and (given is None or given.__name__ != "ov_wrap"):  # that is register_jitable's
            return
        if isinstance(target, str) or getattr(target, "__module__", None) in _OPERATORS:
            self.everywhere.append(template)
        else:
            self._targets.setdefault(id(target), []).append(template)

    def _attribute(self, template: Any) -> None:
        given = getattr(template, "_overload_func", None)
        if given is not None and not pinned_file(given.__code__.co_filename):
            self._attributes.setdefault(template._attr, []).append(template)
