"""The command line speaks of options, suggests what may have been meant, and shows choices."""

from __future__ import annotations

from pathlib import Path

import pytest

import edgewise as ew
from edgewise.algorithms import ALGORITHMS
from edgewise.cli.usage_errors import in_options, suggestion
from edgewise.graph import Graph
from edgewise.io import FORMATS


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["run", "pagernk", "x"], "there is no algorithm 'pagernk'; did you mean pagerank?"),
        (["run", "suitr", "x"], "did you mean matching.suitor?"),
        (["generate", "rmatt"], "there is no generator 'rmatt'; did you mean rmat?"),
        (["porfile", "x"], "there is no command 'porfile'; did you mean profile?"),
        (["info", "x", "--formt", "csv"], "there is no option --formt; did you mean --format?"),
        (["info", "x", "--undirectd"], "did you mean --undirected?"),
        (["info", "x", "--format", "graphlm"], "did you mean graphml?"),
        (["info", "x", "--duplicates", "mim"], "did you mean min?"),
        (["pagerank", "x"], "did you mean edgewise run pagerank?"),
        (["pagernak", "x"], "did you mean edgewise run pagerank?"),
        (["rmta"], "did you mean edgewise generate rmat?"),
        (["rmat", "--scale", "9"], "did you mean edgewise generate rmat?"),
        (["pyproject.toml"], "did you mean edgewise info pyproject.toml?"),
        (["compile", "bsf"], "there is no algorithm 'bsf'; did you mean bfs?"),
        (["run", "connected_components", "x", "--method", "hoking"], "did you mean hooking?"),
    ],
)
def test_did_you_mean(edgewise, arguments, hint, monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])
    done = edgewise(*arguments)
    assert done.code != 0
    assert hint in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        (["run", "pagerank", "x", "--alpha", "much"], "--alpha takes a number (see"),
        (["run", "pagerank", "x", "--max-iter", "1.5"], "--max-iter takes a whole number (see"),
        (["info", "x", "--threads", "0"], "--threads takes a number from 1 on (see"),
        (["info", "x", "--threads", "5000"], "--threads takes a number up to 1024 (see"),
    ],
)
def test_numbers(edgewise, arguments, rule):
    done = edgewise(*arguments)
    assert done.code == 2
    assert rule in done.err


def test_nothing_is_suggested_for_what_is_like_nothing(edgewise):
    done = edgewise("run", "frobnicate", "x")
    assert "there is no algorithm 'frobnicate' (see edgewise run --help)" in done.err


def test_suggestions():
    assert suggestion("connected-component", ALGORITHMS) == "connected_components"
    assert suggestion("xyz", ALGORITHMS) is None


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["info"], ["--header auto|none|names|counts|skip", "--duplicates sum|min|max|first|raise",
                    "--ids auto|int|str|as_is", "--self-loops keep|drop", "--labels, --no-labels",
                    "--delimiter", "--weight", *FORMATS]),
        (["run", "connected_components"], ["--method", "multistep"]),
        (["run", "bfs"], ["--source VERTEX", "[required]", "--distribution striped|block|random"]),
        (["generate", "rmat"], ["--count-duplicates", "--self-loops drop|keep"]),
    ],
    ids=lambda value: value[-1],
)  # fmt: skip
def test_help_shows_choices(edgewise, command, words):
    page = " ".join(edgewise(*command, "--help").out.split())
    for word in words:
        assert word in page


def test_help_is_at_most_as_wide_as_the_terminal(edgewise, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    page = edgewise("run", "matching.b_edge_cover", "--help").out
    assert max(map(len, page.splitlines())) <= 80


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("alpha must lie in (0, 1), got 3", "--alpha must lie in (0, 1), got 3"),
        ("raise max_iter or tol, or use the unfinished result in .best",
         "raise --max-iter or tol"),
        ("needs an undirected graph; graph.to_undirected() makes one",
         "needs an undirected graph; --undirected reads the file as one"),
        ("cannot be read with directed=False", "cannot be read with --undirected"),
        ("pass columns=(0, 1, 2)", "pass --columns 1,2,3"),
        ("pass header='none' if there is none", "pass --header none if there is none"),
        ("permute=False leaves ids alone", "--no-permute leaves ids alone"),
        ("the file a/header=x and /max_iter/b", "the file a/header=x and /max_iter/b"),
        ("a header is a line", "a header is a line"),
    ],
)  # fmt: skip
def test_python_becomes_options(text, said):
    flags = {
        "alpha": "--alpha", "max_iter": "--max-iter", "header": "--header",
        "directed": "--directed|--undirected", "columns": "--columns",
        "permute": "--permute|--no-permute",
    }  # fmt: skip
    assert in_options(text, flags) == said


def test_errors_of_the_library_in_options(edgewise, tmp_path):
    path = tmp_path / "arcs.ew"
    ew.write(Graph.from_edges([0, 1], [1, 2], directed=True), path)
    for arguments, message in [
        (["run", "core_number", path], "graph.symmetrize"),
        (["run", "pagerank", path, "--alpha", 7], "--alpha"),
        (["run", "pagerank", path, "--max-iter", 1, "--tol", 1e-15], "--max-iter"),
        (["info", tmp_path / "links.data"], "links.data"),
    ]:
        done = edgewise(*arguments)
        assert done.code == 1
        if message == "graph.symmetrize":
            assert message not in done.err
        else:
            assert message in done.err
        assert "=" not in done.err
        assert ".best" not in done.err
