"""The command line: ``python -m benchmarks COMMAND``; ``--help`` lists the commands."""

from __future__ import annotations

from benchmarks.commands import (  # noqa: F401 (they register commands)
    algebra,
    applications,
    backend,
    beside,
    core,
    divisions,
    drawing,
    families,
    grids,
    larger,
)
from benchmarks.commands.options import app

__all__ = ["app"]

if __name__ == "__main__":
    app()
