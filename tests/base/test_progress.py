"""`progress`: a line in a terminal or a notebook, and nothing in a pipe."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace

import pytest

import edgewise as ew
from edgewise.base import progress as module
from edgewise.base.observe import notify


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def notebook(monkeypatch):
    """What a notebook shows below a cell, as pairs of text and HTML."""
    shown = []

    def add(data, **_):
        shown.append((data["text/plain"], data["text/html"]))
        return SimpleNamespace(update=add)

    fake = SimpleNamespace(
        get_ipython=lambda: SimpleNamespace(kernel=object()), display=SimpleNamespace(display=add)
    )
    monkeypatch.setitem(sys.modules, "IPython", fake)
    monkeypatch.setattr(module, "_PAUSE", 0.0)
    return shown


def work():
    with ew.progress(2) as step:
        step("first")
        notify(3, frontier=12345, error=0.25, phase="move")
        step("<second>")


def test_a_terminal_shows_steps_and_rounds(monkeypatch):
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "140")
    with ew.progress(2) as step:
        step("first")
        notify(3, frontier=12345, error=0.25, phase="move")
    text = screen.getvalue()
    assert "first" in text and "0/2" in text
    assert "round 3" in text and "frontier 12,345 error 0.25 phase move" in text
    assert text.endswith("\x1b[2K")  # the line goes away


def test_without_a_number_of_steps_there_is_no_bar(monkeypatch):
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    monkeypatch.setenv("TERM", "xterm")
    with ew.progress():
        notify(1, frontier=5)
    assert "round 1" in screen.getvalue() and "━" not in screen.getvalue()


@pytest.mark.parametrize("why", ["pipe", "quiet", "variable", "none", "closed"])
def test_nothing_is_shown_where_nobody_looks(monkeypatch, why):
    screen = None if why == "none" else io.StringIO() if why == "pipe" else Terminal()
    if why == "closed":
        screen.close()
    monkeypatch.setattr(sys, "stderr", screen)
    if why == "variable":
        monkeypatch.setenv("EDGEWISE_QUIET", "1")
    with ew.progress(2, quiet=why == "quiet") as step:
        step("first")
        notify(1, frontier=2)
    assert why in ("none", "closed") or screen.getvalue() == ""


def test_a_notebook_shows_a_line_below_the_cell(notebook):
    work()
    texts, pages = zip(*notebook, strict=True)
    assert any("first  0/2" in text and "round 3" in text for text in texts)
    assert '<progress max="2" value="1"></progress>' in pages[-2] and "&lt;second&gt;" in pages[-2]
    assert notebook[-1] == ("", "")


def test_a_notebook_is_not_flooded(notebook, monkeypatch):
    monkeypatch.setattr(module, "_PAUSE", 1e9)
    with ew.progress():
        for i in range(100):
            notify(i)
    assert len(notebook) <= 2


def test_other_observers_hear_of_every_round(notebook):
    with ew.observe(ew.Trace()) as trace, ew.progress():
        notify(0, frontier=1)
        with ew.observe(ew.Trace()) as inner:
            notify(1, frontier=2)
    assert [row["frontier"] for row in trace.rows] == [1]
    assert [row["frontier"] for row in inner.rows] == [2]


def test_errors_pass_and_the_line_goes(notebook):
    with pytest.raises(ZeroDivisionError), ew.progress(1) as step:
        step("one")
        raise ZeroDivisionError
    assert notebook[-1] == ("", "")


def test_algorithms_are_seen(notebook):
    with ew.progress():
        ew.pagerank(ew.generators.karate_club())
    assert any("round" in text for text, _ in notebook)
