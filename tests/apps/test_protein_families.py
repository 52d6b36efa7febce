"""Protein families: seeds by brute force, filters, odd inputs, threads, and the command."""

from __future__ import annotations

import collections
import gzip
import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from edgewise import threads
from edgewise.apps import align_proteins, protein_families, protein_network
from edgewise.apps.proteins.alphabets import ALPHABETS, BLOSUM62, LETTERS, NONE
from edgewise.apps.proteins.composition import Statistics
from edgewise.apps.proteins.seeds import seed_pairs
from edgewise.apps.proteins.sequences import encoded
from edgewise.apps.proteins.spaced_kmers import seed_shapes, similar_kmers
from edgewise.cli.app import app

AMINO = list(LETTERS[:20])
DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "proteins"


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


def kmers_of(text, shape, classes):
    """The classes of the letters of every spaced seed of amino acids, with its first place."""
    found = {}
    for i in range(len(text) - shape[-1]):
        word = tuple(int(classes[LETTERS.index(text[i + offset])]) for offset in shape)
        if NONE not in word:
            found.setdefault(word, i)
    return found


@pytest.mark.parametrize(
    ("k", "alphabet", "shapes"), [(2, "full", 2), (3, "murphy10", 4), (4, "dayhoff6", 1)]
)
@pytest.mark.parametrize("limit", [None, 4])
def test_seeds_as_by_brute_force(k, alphabet, shapes, limit):
    draw = np.random.default_rng(1)
    texts = ["".join(draw.choice(list(LETTERS), size)) for size in (1, 2, 3, 30, 60, 90, 90)]
    texts += [texts[5][10:40] + texts[6][:12], texts[4][::-1] + texts[3], texts[3][::3] * 3]
    sequences = encoded({str(i): text for i, text in enumerate(texts)})
    classes, known, number = ALPHABETS[alphabet], {}, 0
    for shape in seed_shapes(k, shapes):
        words = [kmers_of(text, shape, classes) for text in texts]
        held = collections.Counter(word for one in words for word in one)
        few = {word for word, count in held.items() if limit is None or count <= limit}
        number += len(few)
        for i, j in itertools.combinations(range(len(texts)), 2):
            for word in few & words[i].keys() & words[j].keys():
                x, y = words[i][word], words[j][word]
                if window(texts, i, x, j, y) >= 16:
                    seed = around(texts[i], texts[j], x, y), x, y
                    known[i, j] = max(known.get((i, j), (0,)), seed)
    options = {"k": k, "alphabet": alphabet, "num_shapes": shapes, "max_sequences": limit}
    for memory in (64, 640, 1 << 20):
        count, found = seed_pairs(sequences, **options, memory=memory)
        assert count == number
        pairs = zip(found.left.tolist(), found.right.tolist(), strict=True)
        seeds = np.column_stack([found.score, found.places]).tolist()
        assert dict(zip(pairs, map(tuple, seeds), strict=True)) == known
    sizes = sequences.lengths
    chance = {
        pair: 0.134 * sizes[pair[0]] * sizes[pair[1]] * np.exp(-0.3176 * seed[0])
        for pair, seed in known.items()
    }
    limit = float(np.sqrt(np.prod(sorted(chance.values())[1:3])))  # between the second and third
    few = seed_pairs(sequences, **options, max_chance=limit)[1]
    rare = {pair for pair in chance if chance[pair] < limit}
    assert set(zip(few.left.tolist(), few.right.tolist(), strict=True)) == rare
    assert len(rare) == 2 < len(known)


def window(texts, i, x, j, y):
    """The score of 23 letters around a seed; the ends of sequences score 0."""
    joined = " " * 6 + " ".join(texts) + " " * 30
    starts = np.cumsum([6, *(len(text) + 1 for text in texts)])
    pairs = zip(joined[starts[i] + x - 6 :][:23], joined[starts[j] + y - 6 :][:23], strict=True)
    return sum(
        int(BLOSUM62[LETTERS.index(a), LETTERS.index(b)]) for a, b in pairs if " " not in (a, b)
    )


@pytest.mark.parametrize(("k", "count"), [(1, 3), (2, 9), (4, 5), (6, 12), (12, 3)])
def test_shapes(k, count):
    shapes = seed_shapes(k, count)
    assert len(set(shapes)) == len(shapes) == min(count, {1: 1, 2: 2}.get(k, count))
    for shape in shapes:
        assert len(shape) == k
        assert list(shape) == sorted(set(shape))
        assert shape[0] == 0
        assert shape[-1] < max(2 * k - 1, 1)


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
    texts = {"a": "LK" * 6, "b": "IK" * 6}
    plain = {"alphabet": "full", "k": 4, "num_shapes": 1, "max_chance": 1e9, "max_evalue": 1e9}
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
    kept = protein_network(made, support=1.0, **{name: abs(limit)}).pairs
    same = column >= limit
    assert 0 < same.sum() < len(same)
    assert kept["left"].tolist() == whole["left"][same].tolist()
    assert kept["right"].tolist() == whole["right"][same].tolist()


def test_weak_pairs_need_a_common_neighbor():
    made = relatives(1, 4, length=40) | {
        name.replace("f0", "g0"): text for name, text in relatives(1, 2, length=40, seed=9).items()
    }
    every = protein_network(made, max_evalue=1e3, max_chance=1e9).pairs
    assert every["left"].tolist() == [0, 0, 0, 1, 1, 2, 4]
    largest = float(np.sort(every["evalue"])[0])  # all others are weak
    kept = protein_network(made, max_evalue=largest, max_chance=1e9, support=1e300).pairs
    assert kept["left"].tolist() == [0, 0, 0, 1, 1, 2]
    alone = protein_network(made, max_evalue=largest, max_chance=1e9, support=1.0).pairs
    assert alone["left"].tolist() == [int(every["left"][every["evalue"].argmin()])]


def test_seeds_of_pairs_start_alignments():
    draw, made = np.random.default_rng(9), relatives(3, 3)
    before = ["".join(draw.choice(AMINO, size)) for size in draw.integers(0, 60, len(made))]
    sequences = encoded(dict(zip(made, map(str.__add__, before, made.values()), strict=True)))
    pairs = protein_network(sequences).pairs
    ends = pairs["left"], pairs["right"]
    seeds = np.stack([pairs["left_seed"], pairs["right_seed"]], axis=1)
    found = align_proteins(sequences, *ends, method="xdrop", seeds=seeds, drop=200)
    assert len(seeds) == 9
    assert found.score.tolist() == pairs["score"].tolist()
    away = align_proteins(sequences, *ends, method="xdrop", seeds=seeds[:, ::-1] // 2, drop=20)
    assert (away.score < found.score).sum() > 6


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
    found = protein_network(made, max_chance=1.0)
    assert found.counts["aligned"] == 6
    assert found.counts["edges"] == 0


def test_statistics():
    assert Statistics.bits(np.array([100]))[0] == pytest.approx(43.13, abs=0.01)
    assert Statistics.evalues(np.array([10.0]), np.array([8]), np.array([4]), 32).tolist() == [1.0]
    base, more = Statistics.least_ungapped(0.01)
    score = base + more * np.log(300) + more * np.log(200)
    assert 0.134 * 300 * 200 * np.exp(-0.3176 * score) == pytest.approx(0.01)


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
        {"min_coverage": -0.1}, {"max_evalue": 0}, {"max_chance": 0}, {"inflation": 1.0},
        {"support": 0.5}, {"gap_open": 0}, {"max_sequences": 1}, {"num_shapes": 0},
        {"memory": "much"},
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
    outputs += ["--gap-open", "10", "--gap-extend", "2", "--max-sequences", "50"]
    done = CliRunner().invoke(app, [*words, str(fasta), *outputs, "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["families"] == 2
    assert families.read_text().splitlines() == [
        "sequence\tfamily\tsize", "f0m0\t0\t2", "f0m1\t0\t2", "f1m0\t1\t2", "f1m1\t1\t2",
    ]  # fmt: skip
    assert edges.read_text().startswith("source,target,ungapped,score,bits")
    assert "Largest families" in report.read_text()
    again = CliRunner().invoke(app, [*words, str(fasta), "-o", str(fasta)])
    assert again.exit_code != 0, "it would replace what it reads"


def test_command_names_the_line(tmp_path):
    fasta = tmp_path / "bad.fasta"
    fasta.write_text(">a\nMK1\n")
    done = CliRunner().invoke(app, ["protein-families", str(fasta)])
    assert done.exit_code != 0
    assert "line 2" in done.output + str(done.exception)


@pytest.mark.data
@pytest.mark.slow
def test_families_of_scop():
    """Half of a minute; other programs reach an F1 of 0.15 to 0.34 on these sequences."""
    path = DATA / "scop_annotated_6370.fasta.gz"
    if not path.exists():
        pytest.skip(f"{path} is missing")
    pytest.importorskip("parasail")
    heads = [
        line for line in gzip.decompress(path.read_bytes()).decode().split("\n") if ">" in line
    ]
    known = np.unique([head.split()[1] for head in heads], return_inverse=True)[1]
    found = protein_families(path, num_shapes=4)
    i, j = np.triu_indices(len(known), 1)
    true, together = known[i] == known[j], found.families[i] == found.families[j]
    both = int((true & together).sum())
    assert 2 * both / (true.sum() + together.sum()) > 0.31
    assert both / together.sum() > 0.5
