"""Parameters of the second tier; docs/testing.md says what belongs there."""

from __future__ import annotations

from typing import Any

import pytest

__all__ = ["later"]


def later(*values: Any) -> Any:
    """A set of parameters whose test is marked ``slow``."""
    return pytest.param(*values, marks=pytest.mark.slow)
