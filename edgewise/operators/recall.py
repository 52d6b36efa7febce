"""What is found out once about a function: the second call of an operator with it is prepared.

A fact is kept under a key for as long as its function lives, and a few keys for each function. Keys
hold everything else that the fact depends on. What does not hash or may not be referred to weakly
has no facts: it is looked at in every call, and refused there.

>>> def message(value):
...     return value
>>> recall(message, "names") is None
True
>>> keep(message, "names", ("value",))
('value',)
>>> recall(message, "names")
('value',)
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

__all__ = ["keep", "recall"]

#: Keys that are kept of one function; beyond that they are all dropped.
_KEYS = 64
_kept: WeakKeyDictionary = WeakKeyDictionary()


def recall(function: Any, key: Any) -> Any:
    """What is kept for a function under a key; None if there is nothing."""
    try:
        return _kept[function].get(key)
    except (KeyError, TypeError):
        return None


def keep(function: Any, key: Any, fact: Any) -> Any:
    """Keep a fact, and return it. A fact that refers to its function keeps that alive."""
    facts = _kept.setdefault(function, {})
    if len(facts) >= _KEYS:
        facts.clear()
    facts[key] = fact
    return fact
