"""From signatures to options."""

from __future__ import annotations

import inspect
from typing import Literal

import numpy as np
import pytest

from edgewise.cli.signatures import documented, option_of, summary_of


def sample(
    n: int,
    *,
    p: float | None = None,
    shape: tuple[int, ...] = (2, 3),
    kind: Literal["a", "b"] = "a",
    loud: bool = False,
    word: str = "x",
):
    """Make `something`
    of it.

    More.

    Parameters
    ----------
    n : int
        How many; at least one.
    p : float, optional
        How likely, from 0 to 1. Two by
        default.
    """


def option(name):
    parameter = inspect.signature(sample).parameters[name]
    made, convert = option_of(parameter, "")
    return made.annotation.__origin__, made.default, convert


def test_plain_types():
    assert option("n")[:2] == (int, inspect.Parameter.empty)
    assert option("p")[:2] == (float | None, None)
    assert option("loud")[:2] == (bool, False)
    assert option("word")[:2] == (str, "x")
    assert option("kind")[:2] == (str, "a")


def test_sequences_are_given_with_commas():
    kind, default, convert = option("shape")
    assert (kind, default) == (str, "2,3")
    assert convert("4,5,6") == (4, 5, 6)


def test_other_types_are_refused():
    def odd(x: np.ndarray): ...

    with pytest.raises(TypeError, match="'x' has no plain type: np.ndarray"):
        option_of(inspect.signature(odd).parameters["x"], "")


def test_docstrings():
    assert summary_of(sample) == "Make something of it."
    assert documented(sample) == {"n": "How many", "p": "How likely, from 0 to 1."}
