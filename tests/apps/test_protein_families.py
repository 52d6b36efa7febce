"""Protein families: seeds by brute force, filters, odd inputs, threads, and the command."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from typer.testing import CliRunner

from edgewise import threads
from edgewise.apps import protein_families, protein_network
from edgewise.apps.proteins.alphabets import ALPHABETS, BLOSUM62, LETTERS, NONE
from edgewise.apps.proteins.composition import Statistics
from edgewise.apps.proteins.seeds import best_diagonals, kmer_matrix, shared_seeds, similar_kmers
from edgewise.apps.proteins.sequences import encoded
from edgewise.cli.app import app

AMINO = list(LETTERS[:20])


def relatives(families=4, members=3, length=90, seed=0):
    """Random ancestors, each with copies in which some letters are replaced."""
    draw = np.random.default_rng(seed)
    made = {}
    for family in range(families):
        ancestor = draw.choice(AMINO, length)
        for member in range(members):
            copy = ancestor.copy()
            where = draw.random(length) < 0.15
            copy[where] = draw.choice(AMINO, int(where.sum()))
            made[f"f{family}m{member}"] = "".join(copy)
    return made


def kmers_of(text, k, classes):
    """The classes of every k letters in a row that are amino acids, with their first places."""
    found = {}
    for i in range(len(text) - k + 1):
        word = tuple(int(classes[LETTERS.index(letter)]) for letter in text[i : i + k])
        if NONE not in word:
            found.setdefault(word, i)
    return found


@pytest.mark.parametrize(("k", "alphabet"), [(2, "full"), (3, "murphy10"), (4, "dayhoff6")])
def test_seeds_as_by_brute_force(k, alphabet):
    draw = np.random.default_rng(1)
    texts = ["".join(draw.choice(list(LETTERS), size)) for size in (1, 2, 3, 30, 60, 90, 90)]
    sequences = encoded({str(i): text for i, text in enumerate(texts)})
    classes = ALPHABETS[alphabet]
    known = {}
    for i, j in itertools.combinations(range(len(texts)), 2):
        one, other = (kmers_of(texts[v], k, classes) for v in (i, j))
        both = sorted((one[word], other[word]) for word in one.keys() & other.keys())
        if both:
            known[i, j] = len(both), both[0], both[-1]
    kmers = kmer_matrix(sequences, k=k, alphabet=alphabet)
    found = {}
    for batch in shared_seeds(kmers, memory="64MiB"):
        for i, j, count, first, last in zip(*batch, strict=True):
            found[int(i), int(j)] = int(count), tuple(first.tolist()), tuple(last.tolist())
        scores, _ = best_diagonals(sequences, batch)
        for i, j, first, last, got in zip(*batch[:2], *batch[3:], scores, strict=True):
            assert got == max(around(texts[i], texts[j], *place) for place in (first, last))
    assert found == known


def around(left, right, i, j):
    """The best sums of scores before and behind a seed, each up to a drop of more than 20."""
    total = 0
    for one, other in ((left[i:], right[j:]), (left[:i][::-1], right[:j][::-1])):
        sums = [0]
        for a, b in zip(one, other, strict=False):
            sums.append(sums[-1] + int(BLOSUM62[LETTERS.index(a), LETTERS.index(b)]))
            if sums[-1] < max(sums) - 20:
                break
        total += max(sums)
    return total


def test_substitutes_are_the_most_similar():
    kinds = np.arange(20**2)
    scores = BLOSUM62[:20, :20].astype(int)
    found = similar_kmers(kinds, k=2, alphabet="full", substitutes=5).to_scipy()
    near = np.zeros((400, 400), bool)
    for word in range(400):
        a, b = divmod(word, 20)
        cost = (scores[a, a] - scores[a])[:, None] + (scores[b, b] - scores[b])[None, :]
        order = np.lexsort((np.arange(400), cost.ravel()))
        assert order[0] == word
        near[word, order[:6]] = True
    np.testing.assert_array_equal(found.toarray() != 0, near | near.T)


def test_substitutes_find_more():
    texts = {"a": "MKVLAWHEA", "b": "MKVIAWHEA"}
    plain = {"alphabet": "full", "k": 6, "min_diagonal": 1, "max_evalue": 10.0}
    assert protein_network(texts, **plain).counts["candidates"] == 0
    assert protein_network(texts, **plain, substitutes=40).counts["candidates"] == 1


def test_families_of_relatives():
    made = relatives()
    found = protein_families(made)
    families = [int(name[1]) for name in found.names]
    assert found.sizes.tolist() == [3, 3, 3, 3]
    assert (np.array(families)[:, None] == families).tolist() == (
        found.families[:, None] == found.families
    ).tolist()
    graph, pairs = found.network.graph, found.network.pairs
    assert graph.num_edges == len(pairs["left"]) == found.network.counts["edges"]
    assert graph.label(0) == "f0m0"
    for i, j, bits in zip(pairs["left"], pairs["right"], pairs["bits"], strict=True):
        assert graph.weights[graph.indptr[i] + graph.neighbors(i).tolist().index(j)] == bits
    assert (pairs["identity"] > 0.5).all()


@pytest.mark.parametrize("name", ["min_identity", "min_coverage", "min_bits", "max_evalue"])
def test_filters(name):
    made = relatives(2, 4)
    made["f0part"] = made["f0m0"][:45]
    whole = protein_network(made).pairs
    column = {
        "min_identity": whole["identity"],
        "min_coverage": np.minimum(whole["left_coverage"], whole["right_coverage"]),
        "min_bits": whole["bits"],
        "max_evalue": -whole["evalue"],
    }[name]
    limit = float(np.median(column))
    kept = protein_network(made, **{name: abs(limit)}).pairs
    same = column >= limit
    assert 0 < same.sum() < len(same)
    assert kept["left"].tolist() == whole["left"][same].tolist()
    assert kept["right"].tolist() == whole["right"][same].tolist()


def test_odd_sequences():
    one = protein_families({"a": "MKV"})
    assert (one.families.tolist(), one.sizes.tolist()) == ([0], [1])
    text = relatives(1, 1)["f0m0"]
    same = protein_families({"a": text, "b": text, "c": text.lower()})
    assert same.sizes.tolist() == [3]
    assert same.network.pairs["identity"].tolist() == [1, 1, 1]
    unknown = protein_families({"a": "X" * 50, "b": "X" * 50, "c": "B*ZXU"})
    assert unknown.sizes.tolist() == [1, 1, 1]
    assert protein_families({"a": "MK", "b": "MK"}).sizes.tolist() == [1, 1]
    assert len(protein_families({}).families) == 0


def test_biased_composition_is_corrected():
    """Random texts of two letters score high, but have no common ancestor."""
    draw = np.random.default_rng(3)
    made = {str(i): "".join(draw.choice(list("QE"), 150)) for i in range(4)}
    found = protein_network(made, min_diagonal=1)
    assert found.counts["aligned"] == 6
    assert found.counts["edges"] == 0


def test_statistics():
    assert Statistics.bits(np.array([100]))[0] == pytest.approx(43.13, abs=0.01)
    assert Statistics.evalues(np.array([10.0]), np.array([8]), 128).tolist() == [1.0]


def test_threads_and_memory_do_not_matter():
    made = relatives(5, 4, seed=4)
    with threads(1):
        one = protein_families(made)
    with threads(3):
        many = protein_families(made, memory="1MiB")
    assert one.families.tolist() == many.families.tolist()
    for name, column in one.network.pairs.items():
        assert column.tolist() == many.network.pairs[name].tolist(), name


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 0}, {"alphabet": "greek"}, {"substitutes": -1}, {"min_identity": 1.5},
        {"min_coverage": -0.1}, {"max_evalue": 0}, {"inflation": 1.0}, {"gap_open": 0},
        {"max_sequences": 1}, {"min_seeds": 0}, {"memory": "much"},
    ],
)  # fmt: skip
def test_wrong_arguments(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        protein_families({"a": "MKVLAWHEAG", "b": "MKVLAWHEAG"}, **wrong)


@pytest.mark.parametrize("words", [["protein-families"], ["run", "protein_families"]])
def test_command(tmp_path, words):
    made = relatives(2, 2)
    fasta = tmp_path / "some.fasta"
    fasta.write_text("".join(f">{name} text\n{text}\n" for name, text in made.items()))
    families, edges, report = (tmp_path / name for name in ("f.tsv", "e.csv", "r.html"))
    outputs = ["-o", str(families), "--edges", str(edges), "--report", str(report)]
    done = CliRunner().invoke(app, [*words, str(fasta), *outputs, "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["families"] == 2
    assert families.read_text().splitlines() == [
        "sequence\tfamily\tsize", "f0m0\t0\t2", "f0m1\t0\t2", "f1m0\t1\t2", "f1m1\t1\t2",
    ]  # fmt: skip
    assert edges.read_text().startswith("source,target,seeds,score,bits")
    assert "Largest families" in report.read_text()
    again = CliRunner().invoke(app, [*words, str(fasta), "-o", str(fasta)])
    assert again.exit_code != 0, "it would replace what it reads"


def test_command_names_the_line(tmp_path):
    fasta = tmp_path / "bad.fasta"
    fasta.write_text(">a\nMK1\n")
    done = CliRunner().invoke(app, ["protein-families", str(fasta)])
    assert done.exit_code != 0
    assert "line 2" in done.output + str(done.exception)
