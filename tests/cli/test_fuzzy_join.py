"""``edgewise fuzzy-join``: pairs and groups; errors leave nothing behind."""

from __future__ import annotations

import csv
import io
import json
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import numpy as np
import pytest

from edgewise.cli.join_report import _fit, _line, _where_they_differ
from edgewise.join import fuzzy_join

WHO = [
    ("p1", "Dr. J. Smith; MIT"),
    ("p2", "J. Smith; M.I.T."),
    ("p3", "Smith, J.; MIT"),
    ("p4", "Ana García; ETH Zürich"),
    ("p5", "Ana Garcia; ETH Zurich"),
    ("p6", "ETH Zürich; Ana García"),
    ("p7", ""),
]
SETS = [[part.strip() for part in text.split(";") if part] for _, text in WHO]


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([("id", "who"), *WHO])
    return path


@pytest.fixture(autouse=True)
def width(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


def columns_of(text):
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}


def test_preview(edgewise, people):
    done = edgewise("fuzzy-join", people, "--column", "who",
                    "--separator", ";", "--threshold", "0.3",
                    "--id", "id")  # fmt: skip
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    found = fuzzy_join(SETS, threshold=0.3)
    assert lines[0] == f"people.csv: {len(found)} pairs of 7 records"
    assert lines[1] == "Scores of at least 0.3; 1 pair with the score 1"
    assert lines[3] == "Best below 1"
    best = max(score for score in found.score if score < 1)
    assert lines[4].split()[0] == f"{int(best * 1000) / 1000:.3f}"
    assert "p4  Ana García; ETH Zürich" in done.out
    assert lines[-2].startswith("After filters: prefix ")
    assert all(len(line) <= 80 for line in lines)


def test_long_texts_stand_below_each_other(edgewise, tmp_path, monkeypatch):
    path = tmp_path / "titles.txt"
    same = "on the many ways in which two long titles can begin with the very same words "
    path.write_text(f"{same}part one\n{same}part two\nshort\n")
    for width in ("80", "120"):
        monkeypatch.setenv("COLUMNS", width)
        out = edgewise("fuzzy-join", path, "--threshold", "0.8").out.splitlines()
        assert out[4].endswith("part one") and out[5].endswith("part two")
        assert out[4].split()[1] == "0" and out[5].split()[0] == "1"
        assert max(map(len, out)) <= int(width)


def test_borderline_pairs(edgewise, tmp_path):
    path = tmp_path / "words.txt"
    words = ["alpha beta gamma delta", "alpha beta gamma", "alpha beta", "alpha", "alpha beta g"]
    path.write_text("\n".join(words * 2))
    out = edgewise("fuzzy-join", path, "--threshold", "0.2").out
    assert "\nBest below 1\n" in out and "\nBorderline\n" in out
    border = out.partition("Borderline\n")[2].splitlines()[:5]
    scores = fuzzy_join([line.split() for line in words * 2], threshold=0.2).score
    assert [float(line.split()[0]) for line in border] == pytest.approx(
        np.sort(scores)[:5], abs=1e-3
    )


@pytest.mark.parametrize("suffix", ["csv", "parquet", "json"])
def test_pairs_in_files(edgewise, people, tmp_path, suffix):
    path = tmp_path / f"pairs.{suffix}"
    done = edgewise("fuzzy-join", people, "--column", "who",
                    "--separator", ";", "--threshold", "0.3",
                    "--id", "id", "-o", path)  # fmt: skip
    assert done.out.splitlines()[-1] == f"All pairs are in {path}"
    if suffix == "parquet":
        from pyarrow import parquet

        found = parquet.read_table(path).to_pydict()
    else:
        found = json.loads(path.read_text()) if suffix == "json" else columns_of(path.read_text())
    expected = fuzzy_join(SETS, threshold=0.3)
    assert list(found) == ["left", "right", "score"]
    assert found["left"] == [WHO[i][0] for i in expected.left]
    assert found["right"] == [WHO[i][0] for i in expected.right]
    assert list(map(float, found["score"])) == expected.score.tolist()


def test_pairs_on_standard_output(edgewise, people):
    done = edgewise("fuzzy-join", people, "--column", "who", "--separator", ";", "-o", "-")
    assert columns_of(done.out) == {"left": ["3"], "right": ["5"], "score": ["1"]}


def test_two_files(edgewise, people, tmp_path):
    other = tmp_path / "others.tsv"
    other.write_text("name\tkey\nETH Zurich; Ana Garcia\tb1\nnobody\tb2\n")
    out = tmp_path / "pairs.csv"
    done = edgewise("fuzzy-join", people, other, "--column", "who",
                    "--right-column", "name", "--id",
                    "id", "--right-id", "key", "--separator", ";", "-o", out)  # fmt: skip
    assert "people.csv and others.tsv: 1 pair of 7 and 2 records" in done.out
    assert columns_of(out.read_text()) == {"left": ["p5"], "right": ["b1"], "score": ["1"]}
    edgewise("fuzzy-join", people, other, "--column", "who",
             "--right-column", "name", "--separator",
             ";", "--threshold", "0.3", "--cluster", "-o", out)  # fmt: skip
    groups = columns_of(out.read_text())
    assert groups["file"] == ["A"] * 7 + ["B"] * 2
    assert groups["group"][4] == groups["group"][7] and groups["first"][7] == "false"


def test_clusters(edgewise, people, tmp_path):
    path = tmp_path / "groups.csv"
    done = edgewise("fuzzy-join", people, "--column", "who",
                    "--separator", ";", "--threshold", "0.3",
                    "--cluster", "--id", "id", "-o", path)  # fmt: skip
    found = columns_of(path.read_text())
    expected = fuzzy_join(SETS, threshold=0.3).clusters()
    assert found["record"] == [name for name, _ in WHO]
    assert found["group"] == list(map(str, expected.left))
    kept = [name for name, first in zip(found["record"], found["first"], strict=True)
            if first == "true"]  # fmt: skip
    assert len(kept) == len(expected.sizes) and kept[0] == "p1"
    says = f"{expected.duplicates} of 7 records are duplicates"
    assert says in done.out and f"{len(kept)} are left if one of each group is kept" in done.out
    assert done.out.splitlines()[-1] == f"The groups are in {path}"


def test_json(edgewise, people):
    done = edgewise("fuzzy-join", people, "--column", "who",
                    "--separator", ";", "--threshold", "0.3",
                    "--cluster", "--json", "--id", "id")  # fmt: skip
    said, expected = json.loads(done.out), fuzzy_join(SETS, threshold=0.3)
    assert (said["records"], said["pairs"], said["equal"]) == ([7], len(expected), 1)
    assert said["tally"] == expected.tally
    assert said["best"][0].keys() == {"score", "left", "left_text", "right", "right_text"}
    assert said["groups"]["duplicates"] == expected.clusters().duplicates


def test_options_reach_the_join(edgewise, people):
    base = ["fuzzy-join", people, "--column", "who", "--separator", ";", "--json"]
    base += ["--threshold", "0.2"]
    cases = {
        ("--top", "2"): {"top": 2},
        ("--k", "1"): {"k": 1},
        ("--metric", "edit", "--q", "2"): {"metric": "edit", "q": 2},
        ("--method", "greedy", "--bound", "upper"): {"method": "greedy", "bound": "upper"},
        ("--tokens", "words", "--casefold", "--normalize-unicode"): {
            "tokens": "words", "casefold": True, "normalize_unicode": True},
        ("--memory", "1MiB"): {},
    }  # fmt: skip
    for options, keywords in cases.items():
        said = json.loads(edgewise(*base, *options).out)
        expected = fuzzy_join(SETS, threshold=0.2, **keywords)
        assert said["pairs"] == len(expected), options
        assert said["tally"] == expected.tally


def test_a_pair_is_shown_once(edgewise, people):
    done = edgewise("fuzzy-join", people, "--column", "who", "--separator", ";", "--k", "2",
                    "--threshold", "0.2", "--json")  # fmt: skip
    said = json.loads(done.out)
    shown = [{row["left"], row["right"]} for row in said["best"] + said["borderline"]]
    assert said["pairs"] > len(shown) and all(shown.count(pair) == 1 for pair in shown)


@pytest.mark.slow
def test_ctrl_c_in_a_process(tmp_path):
    """A long join ends soon, says how far it got, and leaves nothing behind."""
    path = tmp_path / "many.txt"
    rng = np.random.default_rng(1)
    letters = rng.integers(97, 101, (30_000, 4, 8)).astype(np.uint8)
    lines = (b" ".join(word.tobytes() for word in row) for row in letters)
    path.write_bytes(b"\n".join(lines))
    command = [sys.executable, "-m", "edgewise", "fuzzy-join", str(path), "--metric", "edit"]
    command += ["--threshold", "0.2", "-o", str(tmp_path / "pairs.csv")]
    for wait in (6, 12, 24, 48):  # a busy machine starts late, and may compile first
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            time.sleep(wait)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=60)
        assert process.returncode == 130, said
        assert "nothing was left half-written" in said
        if "of 30,000 left sets at 0.2" in said:
            break
    else:
        pytest.fail(said)
    assert [one.name for one in tmp_path.iterdir()] == ["many.txt"]


def test_standard_input_and_lists(edgewise, tmp_path, monkeypatch):
    import pyarrow as pa
    from pyarrow import parquet

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a b\nb a\n")))
    assert "standard input: 1 pair of 2 records" in edgewise("fuzzy-join", "-").out
    path = tmp_path / "lists.parquet"
    parquet.write_table(pa.table({"sets": [["a", "b c"], ["b c", "a"], None]}), path)
    assert (
        "lists.parquet: 1 pair of 3 records" in edgewise("fuzzy-join", path, "--column", "sets").out
    )


@pytest.mark.parametrize("text", ["", "\n", "a\nb\n"])
def test_nothing_found(edgewise, tmp_path, text):
    path = tmp_path / "few.txt"
    path.write_text(text)
    done = edgewise("fuzzy-join", path, "--cluster")
    assert done.code == 0 and f"few.txt: 0 pairs of {text.count(chr(10))} records" in done.out
    assert ("A lower --threshold" in done.out) == (text == "a\nb\n")
    assert json.loads(edgewise("fuzzy-join", path, "--json").out)["pairs"] == 0


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--column", "whom"], "people.csv: no column 'whom' among 'id', 'who'"),
        (["--threshold", "0"], "--threshold must be a number in (0, 1], got 0.0"),
        (["--threshold", "1.5"], "--threshold must be a number in (0, 1], got 1.5"),
        (["--top", "3", "--k", "2"], "--top and --k must not both be given"),
        (["--q", "0"], "--q must be at least 1, got 0"),
        (["--metric", "edit", "--tokens", "words"], "--tokens must be 'qgrams' for edit"),
        (["--memory", "much"], "--memory must be a number of bytes"),
        (["--device", "gpu"], "--device must be 'cpu', 'cuda' or 'cuda:<number>', got 'gpu'"),
        (["--separator", ""], "--separator must not be empty"),
        (["-o", "pairs.xlsx"], "results go to .csv, .tsv, .parquet, .json, .npz files"),
        (["--right-id", "id"], "--right-column and --right-id require a second file"),
        (["--json", "-o", "-"], "--json and --output - both write to standard output"),
        (["--method", "best"], "'best' is not one of exact, bounded"),
        (["--encoding", "klingon"], "--encoding must be one that Python knows"),
    ],
)
def test_what_is_refused(edgewise, people, tmp_path, monkeypatch, options, text):
    monkeypatch.chdir(tmp_path)
    done = edgewise("fuzzy-join", people, "--column", "who", *options)
    assert done.code in (1, 2) and done.out == ""
    assert text in done.err, done.err
    assert done.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_bytes_that_are_no_letters(edgewise, tmp_path):
    path = tmp_path / "old.csv"
    path.write_bytes("who\nAna\nJosé\nJose\n".encode("latin-1"))
    done = edgewise("fuzzy-join", path, "--column", "who")
    assert done.code == 1 and "old.csv, line 3: byte 0xe9 is no utf-8" in done.err
    assert "--encoding-errors replace" in done.err
    assert edgewise("fuzzy-join", path, "--column", "who", "--encoding-errors", "replace").code == 0
    assert edgewise("fuzzy-join", path, "--column", "who", "--encoding", "latin-1").code == 0
    assert "there is no file" in edgewise("fuzzy-join", tmp_path / "none.csv", "--column", "a").err


def test_ctrl_c_says_how_far_it_got(edgewise, people, tmp_path, monkeypatch):
    @contextmanager
    def interrupted(*_, **__):
        def tell(done):
            raise KeyboardInterrupt

        yield tell

    monkeypatch.setattr(edgewise_join(), "amount", interrupted)
    done = edgewise("fuzzy-join", people, "--column", "who", "-o", tmp_path / "pairs.csv")
    assert done.code == 130
    first, last = done.err.splitlines()
    assert first.startswith("edgewise: fuzzy_join had joined ") and "of 7 left sets" in first
    assert last == "edgewise: interrupted; nothing was left half-written"
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def edgewise_join():
    return sys.modules["edgewise.cli.fuzzy_join"]


def test_texts_are_made_safe_and_fit():
    assert _line(["a\x1b[31m", "b\nc"], "; ") == "a [31m; b c"
    assert len(_line(["x" * 10_000_000], " ")) == 1000 and _line(None, " ") == ""
    assert _fit("abc", 5) == "abc  " and _fit("abcdef", 4) == "abc…"
    assert _fit("日本語日本語", 7) == "日本語…"
    left, right = _where_they_differ([("1", "a" * 50 + "b"), ("2", "A" * 50 + "c")], 20)
    assert left[1].endswith("ab") and right[1].endswith("Ac") and len(left[1]) <= 20
