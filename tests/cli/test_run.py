"""``edgewise run``: every algorithm of the table, results in every format, vertices by label."""

from __future__ import annotations

import inspect
import json

import numpy as np
import pyarrow.parquet
import pytest

import edgewise as ew
from edgewise.algorithms import ALGORITHMS


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_parameter_is_an_option(edgewise, name):
    done = edgewise("run", name, "--help")
    assert done.code == 0, done.err
    for parameter in list(inspect.signature(ALGORITHMS[name].load()).parameters)[1:]:
        assert f"--{parameter.replace('_', '-')}" in done.out


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_runs(edgewise, barbell, tmp_path, name):
    output = tmp_path / "result.csv"
    needs, file, edges = ALGORITHMS[name].needs, barbell, 7
    if "bipartite" in needs:
        file, edges = tmp_path / "ring.txt", 6
        file.write_text("".join(f"{i} {(i + 1) % 6}\n" for i in range(6)))
    if "directed" in needs:
        file, edges = tmp_path / "path.txt", 5
        file.write_text("".join(f"{i} {i + 1}\n" for i in range(5)))
    values = tmp_path / "values.npy"
    np.save(values, np.arange(6.0))
    whole = tmp_path / "labels.npy"
    np.save(whole, np.arange(6) // 3)
    extra = {"source": ["--source", "0"], "target": ["--target", "5"],
             "sources": ["--sources", "0,4"],
             "vertex_weights": ["--vertex-weights", values], "b": ["--b", "1"],
             "attribute": ["--attribute", whole], "directed": ["--directed"], "k": ["--k", "2"],
             "pattern": ["--pattern", "0-1,1-2,2-0"], "other": ["--other", file],
             "communities": ["--communities", whole], "parts": ["--parts", whole],
             "vertices": ["--vertices", "0,1,2"]}  # fmt: skip
    more = [word for need in needs for word in extra.get(need, [])]
    done = edgewise("run", name, file, *more, "--json", "-o", output)
    assert done.code == 0, done.err
    said = json.loads(done.out)
    assert (said["algorithm"], said["vertices"], said["edges"]) == (name, 6, edges)
    assert said["output"] == str(output)
    rows = {
        "number": 1,
        "initiator": 1,
        "matches": 2,
        "counts": 4,
        "edges": 7,
        "walks": 2,
        "seeds": 2,
        "sensors": 2,
        "containment": 2,
    }.get(ALGORITHMS[name].returns, 6)
    counted = {
        "selection": "cardinality",
        "subgraph": "edges",
        "cliques": "members",
        "overlapping": "members",
        "flow": "edges",
        "cost flow": "edges",
        "sequence": "vertices",
        "path list": "vertices",
    }.get(ALGORITHMS[name].returns)
    if counted:
        rows = said["result"][counted]
    listed = {"similar": "score", "matrix": "value"}.get(ALGORITHMS[name].returns)
    if listed:
        rows = said["result"][listed]["count"]
    if ALGORITHMS[name].returns == "series":
        rows = 4  # from 0 to the diameter
    if ALGORITHMS[name].returns == "by degree":
        rows = 4 if name == "degree_histogram" else 3  # from 0 to the largest; to what two exceed
    if name == "triad_census":
        rows = 16
    assert len(output.read_text().splitlines()) == rows + 1


def test_the_last_name_is_enough_where_it_is_the_only_one(edgewise, barbell):
    done = edgewise("run", "locally-dominant", barbell, "--json")
    assert json.loads(done.out)["algorithm"] == "matching.locally_dominant", done.err
    assert (
        json.loads(edgewise("run", "bfs", barbell, "--source", 0, "--json").out)["algorithm"]
        == "bfs"
    )


def test_seeds_in_order_with_what_they_prove(edgewise, tmp_path):
    path, output = tmp_path / "stars.csv", tmp_path / "seeds.csv"
    path.write_text("source,target\nann,bob\nann,cat\nann,dan\neve,fay\neve,gil\n")
    run = ("run", "influence.maximize", path, "--k", 2, "--probability", 0.5, "-o", output)
    done = edgewise(*run, "--epsilon", 0.3)
    assert done.code == 0, done.err
    assert "seeds" in done.out and "ann, eve" in done.out and "ratio" in done.out
    head, *rows = output.read_text().splitlines()
    assert head == "seed,gain" and [row.split(",")[0] for row in rows] == ["ann", "eve"]
    done = edgewise(*run, "--method", "celf", "--runs", 50, "--candidates", "eve,gil", "--json")
    found = json.loads(done.out)["result"]
    assert found["seeds"] == ["eve", "gil"] and found["ratio"] is None, done.err
    done = edgewise(*run, "--memory", "10 bytes")
    assert done.code == 1 and "--memory must" in done.err
    done = edgewise(*run, "--memory", 10)
    assert "--memory must hold" in done.err and "--method opim works with these" in done.err


def test_similarity_of_pairs_and_of_vertices(edgewise, friends, tmp_path):
    pairs, output = tmp_path / "pairs.csv", tmp_path / "scores.csv"
    pairs.write_text("source,target\nann,dan\nbob,cat\n")
    done = edgewise("run", "similarity.overlap", friends, "--pairs", pairs, "-o", output)
    assert done.code == 0, done.err
    lines = output.read_text().splitlines()
    assert lines[0] == "source,target,similarity.overlap" and lines[1].startswith("ann,dan,1")
    given = ("--vertices", "dan", "--k", 1, "--metric", "overlap")
    done = edgewise("run", "similarity.top_k", friends, *given, "-o", output)
    assert done.code == 0, done.err
    assert output.read_text().splitlines()[1].startswith("dan,ann,1")
    pairs.write_text("ann,dan\nbob\n")
    done = edgewise("run", "similarity.overlap", friends, "--pairs", pairs)
    assert done.code == 1 and "line 2" in done.err


def test_matches_by_label(edgewise, friends, tmp_path):
    output, labels = tmp_path / "matches.csv", tmp_path / "labels.csv"
    given = ("run", "subgraph_matches", friends, "--directed", "-o", output, "--pattern")
    done = edgewise(*given, "0-1,1-2,2-0")
    assert done.code == 0, done.err
    head, line = output.read_text().splitlines()
    assert head == "vertex 0,vertex 1,vertex 2" and sorted(line.split(",")) == ["ann", "bob", "cat"]
    labels.write_text("ann,1\nbob,2\ncat,1\ndan,2\n")
    done = edgewise(*given, "0-1", "--vertex-labels", labels, "--pattern-labels", "1,2")
    assert done.code == 0, done.err
    assert sorted(output.read_text().splitlines()[1:]) == ["ann,bob", "cat,dan"]
    assert edgewise(*given, "0-x").code == 1


def test_paths_by_label(edgewise, friends, tmp_path):
    output = tmp_path / "paths.csv"
    done = edgewise("run", "bfs", friends, "--directed", "--source", "bob", "-o", output)
    assert done.code == 0, done.err
    assert output.read_text().splitlines() == [
        "vertex,distance,parent",
        "ann,2,cat",
        "bob,0,bob",
        "cat,1,bob",
        "dan,2,cat",
    ]


def test_labels_are_quoted_where_they_must_be(edgewise, tmp_path):
    path, output = tmp_path / "odd.csv", tmp_path / "out.csv"
    path.write_text('source,target\n"a,b",c\n')
    done = edgewise("run", "pagerank", path, "-o", output)
    assert done.code == 0, done.err
    assert output.read_text().splitlines()[1].startswith('"a,b",')


def test_unreached_is_an_empty_cell(edgewise, friends, tmp_path):
    output = tmp_path / "paths.csv"
    edgewise("run", "bfs", friends, "--directed", "--source", "dan", "-o", output)
    assert "ann,," in output.read_text().splitlines()


def test_source_by_id_and_unknown_label(edgewise, friends):
    by_id = json.loads(edgewise("run", "bfs", friends, "--source", "id:1", "--json").out)
    by_label = json.loads(edgewise("run", "bfs", friends, "--source", "bob", "--json").out)
    assert by_id["result"] == by_label["result"]
    done = edgewise("run", "bfs", friends, "--source", "eve")
    assert done.code == 1
    assert "'eve'" in done.err
    assert edgewise("run", "bfs", friends, "--source", "id:77").code == 1
    assert edgewise("run", "bfs", friends).code == 2


def test_integer_labels(edgewise, tmp_path):
    path = tmp_path / "sparse.csv"
    path.write_text("source,target\n1000000,70\n70,5\n")
    done = edgewise("run", "bfs", path, "--source", 70, "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["result"]["distance"]["max"] == 1


def test_formats_agree(edgewise, barbell, tmp_path):
    expected = ew.pagerank(ew.read(barbell), alpha=0.9)
    for suffix in ("csv", "parquet", "json", "npz", "csv.gz"):
        output = tmp_path / f"ranks.{suffix}"
        done = edgewise("run", "pagerank", barbell, "--alpha", 0.9, "-o", output, "--quiet")
        assert (done.code, done.out, done.err) == (0, "", "")
    csv = np.loadtxt(tmp_path / "ranks.csv", delimiter=",", skiprows=1)
    assert np.allclose(csv[:, 1], expected)
    assert np.array_equal(np.loadtxt(tmp_path / "ranks.csv.gz", delimiter=",", skiprows=1), csv)
    table = pyarrow.parquet.read_table(tmp_path / "ranks.parquet")
    assert table.column_names == ["vertex", "pagerank"]
    assert np.array_equal(table["pagerank"].to_numpy(), expected)
    columns = json.loads((tmp_path / "ranks.json").read_text())
    assert columns["pagerank"] == expected.tolist()
    with np.load(tmp_path / "ranks.npz") as arrays:
        assert np.array_equal(arrays["pagerank"], expected)


def test_weights_none_or_from_a_file(edgewise, barbell, tmp_path):
    graph = ew.read(barbell)
    plain, unit, given = (
        json.loads(edgewise("run", "sssp", barbell, "--source", "0", "--json", *more).out)
        for more in (
            [],
            ["--weights", "none"],
            ["--weights", _save(tmp_path, graph.edges()[2] * 2)],
        )
    )
    farthest = [one["result"]["distance"]["max"] for one in (plain, unit, given)]
    assert farthest == [14, 3, 28]
    done = edgewise("run", "sssp", barbell, "--source", "0", "--weights", "weight", "--json")
    assert json.loads(done.out)["result"] == plain["result"]
    done = edgewise("run", "sssp", barbell, "--source", "0", "--weights", "cost")
    assert done.code == 1 and "the graph has the column 'weight'" in done.err


def test_personalization_by_label(edgewise, friends, tmp_path):
    wanted = tmp_path / "wanted.csv"
    wanted.write_text("ann,1\ndan,3\n")
    output = tmp_path / "ranks.npz"
    done = edgewise("run", "pagerank", friends, "--personalization", wanted, "-o", output)
    assert done.code == 0, done.err
    graph = ew.read(friends)
    expected = ew.pagerank(graph, personalization=np.array([1.0, 0, 0, 3]))
    with np.load(output) as arrays:
        assert np.allclose(arrays["pagerank"], expected)
    wanted.write_text("ann,1\neve,2\n")
    done = edgewise("run", "pagerank", friends, "--personalization", wanted)
    assert done.code == 1
    assert "line 2" in done.err


def test_components_are_summed_up_as_groups(edgewise, tmp_path):
    path = tmp_path / "two.txt"
    path.write_text("0 1\n1 2\n3 4\n")
    said = json.loads(edgewise("run", "connected-components", path, "--json").out)
    assert said["result"]["connected_components"] == {"groups": 2}
    assert said["result"]["largest"][0] == {"group": 0, "size": 3}


def test_summary_in_words(edgewise, tmp_path):
    path = tmp_path / "towns.csv"
    path.write_text("source,target\nrome,oslo\noslo,bonn\nlima,quito\n")
    said = " ".join(edgewise("run", "bfs", path, "--source", "rome").out.split())
    assert "(5 vertices, 3 edges)" in said
    assert "have a distance 3 of 5 vertices distance 0 to 2, mean 1 largest bonn: 2" in said
    said = " ".join(edgewise("run", "connected_components", path).out.split())
    assert "groups 2 largest 3 vertices, with bonn 2 vertices, with lima" in said
    said = edgewise("run", "edge_betweenness_centrality", path).out
    assert "bonn - oslo: " in said
    path.write_text("source,target\nrome,oslo\nlima,lima\n")
    assert " 1 vertex, with lima" in edgewise("run", "connected_components", path).out


def test_results_name_vertices_in_every_format(edgewise, tmp_path):
    path = tmp_path / "towns.csv"
    path.write_text("source,target\nrome,oslo\noslo,bonn\nlima,quito\n")
    expected = {"bonn": "oslo", "lima": None, "oslo": "rome", "quito": None, "rome": "rome"}
    for suffix in ("csv", "json", "parquet", "npz"):
        output = tmp_path / f"paths.{suffix}"
        assert edgewise("run", "bfs", path, "--source", "rome", "-o", output, "-q").code == 0
        if suffix == "csv":
            rows = [line.split(",") for line in output.read_text().splitlines()[1:]]
            found = {row[0]: row[2] or None for row in rows}
        elif suffix == "json":
            columns = json.loads(output.read_text())
            found = dict(zip(columns["vertex"], columns["parent"], strict=True))
        elif suffix == "parquet":
            columns = pyarrow.parquet.read_table(output).to_pydict()
            found = dict(zip(columns["vertex"], columns["parent"], strict=True))
        else:
            with np.load(output) as arrays:
                pairs = zip(arrays["vertex"].tolist(), arrays["parent"].tolist(), strict=True)
                found = {vertex: parent or None for vertex, parent in pairs}
        assert found == expected, suffix


def test_numbers_of_the_file_in_npz(edgewise, tmp_path):
    path, output = tmp_path / "g.gr", tmp_path / "paths.npz"
    path.write_text("p sp 3 2\na 1 2 5\na 3 1 4\n")
    done = edgewise("run", "sssp", path, "--source", 1, "-o", output)
    assert done.code == 0, done.err
    with np.load(output) as arrays:
        assert arrays["vertex"].tolist() == [1, 2, 3]
        assert arrays["parent"].tolist() == [1, 1, -1]
        assert arrays["distance"].tolist() == [0, 5, 2**63 - 1]
    assert (
        "there is no vertex '0'; ids go from 1 to 3"
        in edgewise("run", "sssp", path, "--source", 0).err
    )


def test_a_name_much_like_it_is_suggested(edgewise, friends):
    done = edgewise("run", "bfs", friends, "--source", "Bobb")
    assert "--source: there is no vertex 'Bobb'; did you mean 'bob'?" in done.err


def test_values_from_what_another_run_wrote(edgewise, friends, tmp_path):
    mates, forest = tmp_path / "mates.csv", tmp_path / "forest.csv"
    assert edgewise("run", "matching.greedy", friends, "-o", mates).code == 0
    done = edgewise("run", "matching.two_thirds", friends, "--start", mates, "--json")
    assert json.loads(done.out)["result"]["cardinality"] == 2, done.err
    forest.write_text("vertex,parent\nann,bob\nbob,bob\ncat,ann\ndan,dan\n")
    done = edgewise("run", "forest_roots", friends, "--parents", forest, "-o", "-")
    rows = [line.split(",") for line in done.out.splitlines()[1:]]
    assert dict(rows) == {"ann": "bob", "bob": "bob", "cat": "bob", "dan": "dan"}, done.err
    forest.write_text("vertex,parent\nann,eve\n")
    done = edgewise("run", "forest_roots", friends, "--parents", forest)
    assert "--parents: " in done.err and "line 2" in done.err and "'eve'" in done.err


def test_refused_before_the_work(edgewise, barbell, tmp_path):
    done = edgewise("run", "triangle_count", barbell, "-o", tmp_path / "out.txt")
    assert done.code == 1
    assert ".parquet" in done.err


def test_non_convergence_is_a_failure(edgewise, barbell):
    done = edgewise("run", "pagerank", barbell, "--max-iter", 1, "--tol", 1e-15)
    assert done.code == 1
    assert "did not converge" in done.err


def _save(folder, array):
    np.save(folder / "weights.npy", array)
    return folder / "weights.npy"


#: Those for which an edge is enough to make two vertices one group.
GROUPS = [name for name, row in ALGORITHMS.items() if row.returns == "members"]
GROUPS.remove("two_edge_connected_components")
GROUPS.remove("coloring.aggregates")  # named by their roots


@pytest.mark.parametrize("name", GROUPS)
def test_groups_are_named_by_label(edgewise, tmp_path, name):
    path, output = tmp_path / "towns.csv", tmp_path / "groups.csv"
    path.write_text("source,target\nrome,oslo\nlima,bonn\noslo,rome\nbonn,lima\n")
    more = ["--directed"] * ("directed" in ALGORITHMS[name].needs)
    done = edgewise("run", name, path, "--json", "-o", output, *more)
    assert done.code == 0, done.err
    lines = [line.split(",") for line in output.read_text().splitlines()[1:]]
    assert dict(lines) == {"bonn": "bonn", "lima": "bonn", "oslo": "oslo", "rome": "oslo"}
    largest = json.loads(done.out)["result"]["largest"]
    assert largest == [{"group": "bonn", "size": 2}, {"group": "oslo", "size": 2}]


def test_aggregates_are_named_by_their_roots(edgewise, tmp_path):
    path, output = tmp_path / "towns.csv", tmp_path / "groups.csv"
    path.write_text("source,target\nrome,oslo\nlima,bonn\n")
    assert edgewise("run", "coloring.aggregates", path, "-q", "-o", output).code == 0
    root = dict(line.split(",") for line in output.read_text().splitlines()[1:])
    assert root["rome"] == root["oslo"] in ("rome", "oslo")
    assert root["lima"] == root["bonn"] in ("lima", "bonn")


def test_communities_from_what_another_run_wrote(edgewise, barbell, tmp_path):
    found = tmp_path / "found.csv"
    given = ("run", "communities.label_propagation", barbell, "--weights", "weight")
    assert edgewise(*given, "-q", "-o", found).code == 0
    run = ("run", "communities.modularity", barbell, "--json", "--communities")
    done = edgewise(*run, found)
    assert round(json.loads(done.out)["result"]["communities.modularity"], 4) == 0.2653, done.err
    found.write_text("0,left\n1,left\n2,left\n3,right\n4,right\n5,right\n")
    assert edgewise(*run, found).out.split('"result"')[1] == done.out.split('"result"')[1]
    found.write_text("0,left\n1,left\n")
    assert "--communities: " in (said := edgewise(*run, found).err)
    assert "has no community for vertex 2" in said


def test_levels_of_a_hierarchy_are_columns(edgewise, tmp_path):
    ring, output = tmp_path / "ring.txt", tmp_path / "levels.csv"
    ring.write_text("".join(f"{i} {(i + 1) % 60}\n" for i in range(60)))
    done = edgewise("run", "communities.leiden_partitions", ring, "--json", "-o", output)
    assert done.code == 0, done.err
    head, *rows = output.read_text().splitlines()
    assert head.startswith("vertex,communities.leiden_partitions,level 0") and len(rows) == 60
    groups = json.loads(done.out)["result"]["communities.leiden_partitions"]["groups"]
    assert groups == len({row.split(",")[1] for row in rows}) < 20


@pytest.mark.parametrize("command", ["run", "simulate-grid"])
def test_every_algorithm_has_a_command(edgewise, command):
    """No parameter of an algorithm is also an option of the command."""
    assert edgewise(command, "--help").code == 0
    for name in ("matching.locally_dominant", "influence.simulate"):
        assert edgewise(command, name, "--help").code == 0
