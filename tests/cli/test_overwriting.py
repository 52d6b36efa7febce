"""No command writes over a file that it reads, by whatever path, unless ``--force`` says so."""

from __future__ import annotations

import os

import pytest

EDGES = "source,target\nann,bob\nbob,cat\n"


@pytest.fixture
def table(tmp_path):
    """An edge list that every command here can read."""
    path = tmp_path / "g.csv"
    path.write_text(EDGES)
    return path


def _links(path):
    """Other names of a file: a hard link, a symbolic one, a detour."""
    hard, soft = path.with_name("hard.csv"), path.with_name("soft.csv")
    os.link(path, hard)
    soft.symlink_to(path)
    return [path, hard, soft, path.parent / "." / ".." / path.parent.name / path.name]


COMMANDS = [
    ("run", "pagerank", "{}", "-o", "{}"),
    ("convert", "{}", "{}"),
    ("fuzzy-join", "{}", "--column", "source", "-o", "{}"),
    ("fuzzy-join", "other.csv", "{}", "--column", "source", "-o", "{}"),
    ("profile", "{}", "--report", "{}"),
    ("sense", "other.pcap", "{}", "--report", "{}"),
    ("sense", "other.pcap", "--key", "{}", "--report", "{}"),
    ("run", "pagerank", "other.csv", "--personalization", "{}", "-o", "{}"),
    ("simulate-grid", "pagerank", "{}", "-o", "{}"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_an_input_is_not_written_over(edgewise, table, command):
    for output in _links(table):
        *rest, last = command
        done = edgewise(*(word.format(table) for word in rest), last.format(output))
        assert done.code == 1 and f"{output} is also read" in done.err and "--force" in done.err
        assert table.read_text() == EDGES
        for link in ("hard.csv", "soft.csv"):
            assert (table.parent / link).samefile(table)


def test_force_writes_over_an_input(edgewise, table):
    before = table.stat().st_ino
    done = edgewise("convert", table, table, "--force")
    assert done.code == 0, done.err
    assert table.stat().st_ino != before


def test_another_file_may_be_there(edgewise, table, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text(EDGES)
    assert edgewise("convert", table, other).code == 0
    assert edgewise("convert", table, "/dev/null", "--output-format", "csv").code == 0
