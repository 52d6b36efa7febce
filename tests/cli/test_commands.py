"""info, convert, generate, bench and the shared options."""

from __future__ import annotations

import json
import re
import sys
import time
import warnings

import numpy as np
import pytest

import edgewise as ew
from edgewise.base.compiling import compiling
from edgewise.generators import GENERATORS


def test_no_command_shows_help(edgewise):
    done = edgewise()
    assert done.code == 0
    assert "profile" in done.out
    assert done.err == ""


def test_version(edgewise):
    assert edgewise("--version").out == f"edgewise {ew.__version__}\n"


def test_info_json(edgewise, barbell):
    found = json.loads(edgewise("info", barbell, "--json").out)
    assert (found["vertices"], found["edges"], found["directed"]) == (6, 7, False)
    assert (found["weights"]["min"], found["weights"]["max"]) == (1, 7)


def test_info_shows_labels(edgewise, friends):
    done = edgewise("info", friends, "--directed")
    assert "ann, bob, cat, ..." in done.out
    assert "yes" in done.out


def test_info_verify_finds_damage(edgewise, barbell):
    assert edgewise("info", barbell, "--verify").code == 0
    content = bytearray(barbell.read_bytes())
    content[-3] ^= 1
    barbell.write_bytes(content)
    done = edgewise("info", barbell, "--verify")
    assert done.code == 1
    assert str(barbell) in done.err


def test_convert_keeps_the_graph(edgewise, barbell, tmp_path):
    target = tmp_path / "out.mtx.gz"
    assert edgewise("convert", barbell, target).code == 0
    assert ew.read(target) == ew.read(barbell)


def test_convert_compresses(edgewise, barbell, tmp_path):
    target = tmp_path / "small.ew"
    assert edgewise("convert", barbell, target, "--compress").code == 0
    assert ew.read(target).is_compressed and ew.read(target) == ew.read(barbell)
    info = json.loads(edgewise("info", target, "--compression", "--json").out)
    assert (
        info["compressed"] and info["compression"][0]["bytes"] <= info["compression"][-1]["bytes"]
    )
    assert "natural" in {one["order"] for one in info["compression"]}
    assert "times smaller" in edgewise("info", target, "--compression").out
    assert edgewise("convert", target, tmp_path / "plain.ew").code == 0
    assert not ew.read(tmp_path / "plain.ew").is_compressed
    done = edgewise("convert", barbell, tmp_path / "out.csv", "--compress")
    assert done.code == 1 and "only .ew files store compressed rows, not csv" in done.err


def test_convert_codes_weights(edgewise, tmp_path):
    source, target = tmp_path / "links.txt", tmp_path / "links.ew"
    source.write_text("7 9 1.5\n9 7 2\n9 8 1.5\n")
    options = (source, target, "--weight", "3", "--directed", "--compress-weights", "dictionary")
    assert edgewise("convert", *options).code == 0
    assert ew.read(target) == ew.read(source, directed=True, columns=(0, 1, 2))
    assert ew.read(target).stored_weights.table.tolist() == [1.5, 2.0]


def test_convert_within_a_limit(edgewise, tmp_path):
    source, target = tmp_path / "links.txt", tmp_path / "links.ew"
    source.write_text("7 9 1.5\n9 7 2\n9 8 1\n")
    options = ("--memory", "1MiB", "--weight", "3", "--directed")
    done = edgewise("convert", source, target, *options)
    assert done.code == 0 and "3 vertices, 3 edges" in done.out
    assert ew.read(target) == ew.read(source, directed=True, columns=(0, 1, 2))
    assert edgewise("convert", source, target, *options, "--compress").code == 0
    assert ew.read(target).is_compressed
    for more, reason in (
        (("--order", "degree"), "--memory cannot be given with --order"),
        (("--on-bad-line", "skip"), "has no option 'on_bad_line'"),
    ):
        done = edgewise("convert", source, target, "--memory", "1MiB", *more)
        assert done.code and reason in done.err, done.err


def test_convert_in_another_order(edgewise, barbell, friends, tmp_path):
    """Vertices move, and keep their names."""
    target = tmp_path / "out.ew"
    done = edgewise("convert", barbell, target, "--order", "random", "--seed", "3")
    assert done.code == 0, done.err
    before, after = ew.read(barbell), ew.read(target)
    order = ew.ordering.random_order(before, seed=3)
    assert after.vertex(range(6)).tolist() == order.tolist()
    assert after.with_labels(None) == before.permute(order)
    done = edgewise("convert", friends, tmp_path / "out.csv", "--directed", "--order", "degree")
    assert done.code == 0, done.err
    there = ew.read(tmp_path / "out.csv", directed=True)
    assert there.has_edge("cat", "dan") and there.num_edges == 4
    done = edgewise("convert", barbell, target, "--refine", "log_gap")
    assert done.code == 0, done.err
    after = ew.read(target)
    assert ew.ordering.log_gap(after) <= ew.ordering.log_gap(before)
    assert after.edge_weight(after.vertex(2), after.vertex(3)) == 4
    done = edgewise("convert", barbell, target, "--order", "degre")
    assert done.code != 0 and "there is no order 'degre'; did you mean degree?" in done.err


def test_convert_does_not_give_damage_new_checksums(edgewise, barbell, tmp_path):
    content = bytearray(barbell.read_bytes())
    content[-3] ^= 1  # in a weight: no other check can notice
    barbell.write_bytes(content)
    for name in ("copy.ew", "copy.txt"):
        done = edgewise("convert", barbell, tmp_path / name)
        assert done.code == 1 and "checksum" in done.err and str(barbell) in done.err
        assert not (tmp_path / name).exists()


def test_convert_reads_as_told(edgewise, tmp_path):
    source, target = tmp_path / "links.data", tmp_path / "links.ew"
    source.write_text("0 9 1\nbroken\n1 9 2\n")
    options = ["--format", "edges", "--columns", "1,3", "--directed", "--on-bad-line", "skip"]
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        done = edgewise("convert", source, target, *options)
    assert done.code == 0, done.err
    assert done.err.startswith("edgewise: warning: ")
    assert "1 bad line was skipped" in done.err
    graph = ew.read(target)
    assert graph.directed
    assert graph.num_edges == 2


def test_what_is_left_out_is_told_in_options(edgewise, tmp_path):
    source, target = tmp_path / "g.ew", tmp_path / "g.csv"
    graph = ew.Graph.from_edges([0], [1], num_vertices=4)
    ew.write(graph, source)
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        done = edgewise("convert", source, target)
    assert done.code == 0
    assert done.err.startswith("edgewise: warning: CSV files have no place for isolated vertices")
    assert ".ew files and --comment keep them" in done.err
    assert edgewise("convert", source, target, "--comment").err == ""
    assert ew.read(target) == graph
    done = edgewise("convert", source, tmp_path / "g.txt", "--comment")
    assert done.code == 1 and "--comment applies to csv files" in done.err


def test_convert_leaves_an_old_file_after_an_error(edgewise, barbell, friends, tmp_path):
    target = tmp_path / "old.graph"
    target.write_text("old")
    done = edgewise("convert", friends, target, "--directed")  # METIS holds no directed graphs
    assert done.code == 1
    assert target.read_text() == "old"
    assert len(list(tmp_path.glob("*old*"))) + len(list(tmp_path.glob(".*old*"))) == 1


def test_generate_is_the_generator(edgewise, tmp_path):
    path = tmp_path / "g.ew"
    done = edgewise("generate", "rmat", "--scale", 6, "--edge-factor", 4, "--seed", 3, "-o", path)
    assert done.code == 0
    assert ew.read(path) == ew.generators.rmat(6, edge_factor=4, seed=3)


def test_generate_weights(edgewise, tmp_path):
    path = tmp_path / "g.ew"
    assert edgewise("generate", "cycle", "--n", 20, "--weights", "integer:low=3,high=4", "-o", path)
    assert set(np.unique(ew.read(path).weights)) == {3, 4}
    done = edgewise("generate", "cycle", "--n", 20, "--weights", "uniform:wide=3", "-o", path)
    assert done.code == 1
    assert "wide" in done.err
    done = edgewise("generate", "cycle", "--n", 20, "--weights", "unifrm", "-o", path)
    assert done.code == 1 and "--weights: " in done.err
    done = edgewise("generate", "cycle", "--n", 20, "--weights", "uniform:low=x", "-o", path)
    assert done.code == 1 and "--weights takes numbers" in done.err


def test_generate_truth(edgewise, tmp_path):
    path, truth = tmp_path / "g.ew", tmp_path / "truth.csv"
    options = ["--blocks", 3, "--size", 20, "--p-in", 0.5, "--p-out", 0.01]
    done = edgewise("generate", "planted_partition", *options, "-o", path, "--communities", truth)
    assert done.code == 0, done.err
    lines = truth.read_text().splitlines()
    assert lines[0] == "vertex,community"
    assert len(lines) == 61


@pytest.mark.parametrize("name", GENERATORS)
def test_every_generator_has_its_options(edgewise, name):
    done = edgewise("generate", name, "--help")
    assert done.code == 0, done.err
    assert "--output" in done.out


def test_bench_says_that_it_needs_a_checkout(edgewise, monkeypatch, tmp_path):
    monkeypatch.setattr(
        sys.modules["edgewise.base"], "__file__", str(tmp_path / "edgewise/base/__init__.py")
    )
    done = edgewise("bench")
    assert done.code == 1
    assert "checkout" in done.err


def test_threads_option(edgewise, barbell, monkeypatch):
    from edgewise.cli import options

    asked = []
    monkeypatch.setattr(options, "set_threads", asked.append)
    assert edgewise("info", barbell, "--threads", 3).code == 0
    assert asked == [3]
    assert edgewise("info", barbell, "--threads", 0).code == 2


def test_clean_removes_what_killed_writers_left(edgewise, tmp_path):
    left = [tmp_path / ".a.ew.4711-0123abcd.tmp", tmp_path / ".b.csv.1-89abcdef.tmp"]
    for path in left:
        path.touch()
    (tmp_path / "keep.tmp").touch()
    done = edgewise("clean-files", tmp_path)
    assert done.code == 0 and all(f"removed {path}" in done.out for path in left)
    assert "2 unfinished files removed" in done.out
    assert [path.name for path in tmp_path.iterdir()] == ["keep.tmp"]
    assert edgewise("clean-files", tmp_path, "--quiet").out == ""
    assert edgewise("clean-files", tmp_path / "nothing").code == 1


def test_recommend(edgewise, tmp_path):
    path = tmp_path / "follows.csv"
    pairs = ["ann,bob", "ann,cat", "bob,cat", "bob,dan", "cat,bob", "cat,dan", "cat,eve"]
    path.write_text("source,target\n" + "\n".join(pairs) + "\n")
    done = edgewise("recommend", path, "--directed", "--source", "ann", "--json")
    assert done.code == 0, done.err
    said = json.loads(done.out)
    assert said["source"] == "ann" and list(said["seconds"]) == [
        "pagerank",
        "circle",
        "money",
        "total",
    ]
    assert [one["vertex"] for one in said["recommended"]] == ["dan", "eve"]
    done = edgewise("recommend", path, "--directed", "--source", "ann", "--method", "salsa")
    assert done.code == 0 and "dan" in done.out and "salsa" in done.out, done.err
    done = edgewise("recommend", path, "--directed", "--source", "eve")
    assert "follows nobody else" in done.out
    done = edgewise("recommend", path, "--source", "annn")
    assert done.code == 1 and "--source: there is no vertex 'annn'; did you mean 'ann'?" in done.err


def test_times_show_the_compiler_beside_them(edgewise, barbell, tmp_path):
    """Also where no terminal is: what a first run waited for is told, and kept apart."""
    with compiling(0):
        time.sleep(0.02)
    page = tmp_path / "a.html"
    ran = edgewise("run", "pagerank", barbell)
    profiled = edgewise("profile", barbell, "--report", page)
    assert re.search(r"pagerank: .*s, compiled .*s, once \(6 vertices", ran.out)
    assert re.search(r"Took .*s, compiled .*s, once: ", profiled.out)
    assert re.search(r"Time taken: .*s, compiled .*s, once", page.read_text())
    said = json.loads(edgewise("run", "pagerank", barbell, "--json").out)
    assert said["compiled_seconds"] >= 0.02 and "seconds" in said
