"""Runs the command line inside the test process: quick, and with captured output."""

from __future__ import annotations

import signal
import warnings
from collections.abc import Callable
from typing import NamedTuple

import pytest

from edgewise.base.threads import set_threads
from edgewise.cli import main
from edgewise.graph import Graph
from edgewise.io import write


class Done(NamedTuple):
    """How a command ended: its exit code, standard output and standard error."""

    code: int
    out: str
    err: str


@pytest.fixture
def edgewise(capsys, monkeypatch) -> Callable[..., Done]:
    """``edgewise("info", path)`` runs one command and returns how it ended."""
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)  # main replaces it
    before = signal.getsignal(signal.SIGTERM)

    def run(*arguments: object) -> Done:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(one) for one in arguments])
        return Done(ended.value.code, *capsys.readouterr())

    yield run
    signal.signal(signal.SIGTERM, before)
    set_threads(None)


@pytest.fixture
def barbell(tmp_path):
    """Two triangles joined by an edge, as a file, with weights."""
    graph = Graph.from_edges(
        [0, 1, 2, 2, 3, 4, 5], [1, 2, 0, 3, 4, 5, 3], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    )
    path = tmp_path / "barbell.ew"
    write(graph, path)
    return path


@pytest.fixture
def friends(tmp_path):
    """A directed graph with names for vertices, as a CSV file."""
    path = tmp_path / "friends.csv"
    path.write_text("source,target\nann,bob\nbob,cat\ncat,ann\ncat,dan\n")
    return path
