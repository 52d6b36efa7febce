"""FASTA files: what is read, and errors that name the file and the line."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from edgewise.apps import read_fasta
from edgewise.apps.proteins.alphabets import ALPHABETS, BLOSUM62, LETTERS, NONE
from edgewise.apps.proteins.sequences import encoded
from edgewise.base.errors import FileFormatError


@pytest.fixture
def fasta(tmp_path):
    def write(content):
        path = tmp_path / "some.fasta"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def texts(sequences):
    return {name: sequences.text(i) for i, name in enumerate(sequences.names)}


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_names_lines_cases_and_rare_letters(fasta, ending):
    lines = [">P1 first protein", "mkv", "LAW", "", ">P2|x", " A R N ", ">P3", "XBZ*UOJ"]
    known = {"P1": "MKVLAW", "P2|x": "ARN", "P3": "XBZ*CKX"}
    for text in (ending.join(lines), ending.join(lines) + ending):
        assert texts(read_fasta(fasta(text))) == known


def test_compressed(tmp_path):
    path = tmp_path / "some.fa.gz"
    path.write_bytes(gzip.compress(b">a\nMK\n>b\nW\n"))
    assert texts(read_fasta(path)) == {"a": "MK", "b": "W"}
    path.write_bytes(gzip.compress(b">a\nMK\n>b\nW\n" * 50)[:-12])
    with pytest.raises(FileFormatError, match="some.fa.gz"):
        read_fasta(path)


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("", None, "no sequences"),
        ("\n \n", None, "no sequences"),
        ("MKV\n", 1, "begins with a line '>name'"),
        ("\n\nMKV\n>a\nM\n", 3, "begins with a line '>name'"),
        (">a\nMKV\nM1V\n", 3, "'1' is no amino acid"),
        (">a\nMK-V\n", 2, "gaps of an alignment"),
        (">a\nMK\n>\nMV\n", 3, "no name"),
        (">a\nMK\n>b\nMV\n>a\nMK\n", 5, "occurs twice, also in line 1"),
        (">a\nMK\n>b\n>c\nMV\n", 3, "'b' has an empty sequence"),
        (">a\nMK\n>b", 3, "'b' has an empty sequence"),
        (b">a\nMK\x00V\n", 2, "is no amino acid"),
        (b">\xff\nMKV\n", 1, "not UTF-8"),
    ],
)
def test_mangled_files(fasta, content, line, reason):
    with pytest.raises(FileFormatError, match=reason) as caught:
        read_fasta(fasta(content))
    assert caught.value.line == line
    assert "some.fasta" in str(caught.value)


def test_random_bytes_are_read_or_refused(fasta):
    draw = np.random.default_rng(0)
    alphabet = np.frombuffer(b">>\n\n\r AMKWacd-*9\x00\xff", np.uint8)
    for _ in range(300):
        content = draw.choice(alphabet, draw.integers(0, 40)).tobytes()
        try:
            found = read_fasta(fasta(content))
        except FileFormatError:
            continue
        assert content.lstrip().startswith(b">")
        assert (found.lengths > 0).all()
        assert len(set(found.names)) == len(found.names)


def test_mappings_are_checked():
    for wrong in ({"a": "M1"}, {"a": ""}, [("a", "M"), ("a", "K")], {"a": "M\u1234"}):
        with pytest.raises(ValueError, match="sequence|twice"):
            encoded(wrong)
    assert texts(encoded({"a": "mk v"})) == {"a": "MKV"}


def test_matrix_and_alphabets():
    size = len(LETTERS)
    assert (BLOSUM62 == BLOSUM62.T).all()
    assert BLOSUM62[LETTERS.index("W"), LETTERS.index("W")] == 11
    assert (BLOSUM62[size:] == -100).all()
    for name, classes in ALPHABETS.items():
        used = classes[:20]
        assert (used != NONE).all(), name
        assert set(used.tolist()) == set(range(used.max() + 1)), name
        assert (classes[20:] == NONE).all()
