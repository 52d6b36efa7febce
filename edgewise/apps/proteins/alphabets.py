"""Amino acids as small numbers, the BLOSUM62 matrix [1], and reduced alphabets.

A letter is its position in `LETTERS`. The first 20 are amino acids; B, Z and X are ambiguous, and
``*`` is a stop. U (selenocysteine) counts as C, O (pyrrolysine) as K, and J (I or L) as X.

[1] S. Henikoff, J. Henikoff. Amino acid substitution matrices from protein blocks. PNAS 1992.
"""

from __future__ import annotations

import numpy as np

__all__ = ["ALPHABETS", "BLOSUM62", "CODES", "LETTERS", "NONE", "PADDING", "SPACE", "WIDTH"]

LETTERS = "ARNDCQEGHILKMFPSTWYVBZX*"

_ROWS = """
 4 -1 -2 -2  0 -1 -1  0 -2 -1 -1 -1 -1 -2 -1  1  0 -3 -2  0 -2 -1  0 -4
-1  5  0 -2 -3  1  0 -2  0 -3 -2  2 -1 -3 -2 -1 -1 -3 -2 -3 -1  0 -1 -4
-2  0  6  1 -3  0  0  0  1 -3 -3  0 -2 -3 -2  1  0 -4 -2 -3  3  0 -1 -4
-2 -2  1  6 -3  0  2 -1 -1 -3 -4 -1 -3 -3 -1  0 -1 -4 -3 -3  4  1 -1 -4
 0 -3 -3 -3  9 -3 -4 -3 -3 -1 -1 -3 -1 -2 -3 -1 -1 -2 -2 -1 -3 -3 -2 -4
-1  1  0  0 -3  5  2 -2  0 -3 -2  1  0 -3 -1  0 -1 -2 -1 -2  0  3 -1 -4
-1  0  0  2 -4  2  5 -2  0 -3 -3  1 -2 -3 -1  0 -1 -3 -2 -2  1  4 -1 -4
 0 -2  0 -1 -3 -2 -2  6 -2 -4 -4 -2 -3 -3 -2  0 -2 -2 -3 -3 -1 -2 -1 -4
-2  0  1 -1 -3  0  0 -2  8 -3 -3 -1 -2 -1 -2 -1 -2 -2  2 -3  0  0 -1 -4
-1 -3 -3 -3 -1 -3 -3 -4 -3  4  2 -3  1  0 -3 -2 -1 -3 -1  3 -3 -3 -1 -4
-1 -2 -3 -4 -1 -2 -3 -4 -3  2  4 -2  2  0 -3 -2 -1 -2 -1  1 -4 -3 -1 -4
-1  2  0 -1 -3  1  1 -2 -1 -3 -2  5 -1 -3 -1  0 -1 -3 -2 -2  0  1 -1 -4
-1 -1 -2 -3 -1  0 -2 -3 -2  1  2 -1  5  0 -2 -1 -1 -1 -1  1 -3 -1 -1 -4
-2 -3 -3 -3 -2 -3 -3 -3 -1  0  0 -3  0  6 -4 -2 -2  1  3 -1 -3 -3 -1 -4
-1 -2 -2 -1 -3 -1 -1 -2 -2 -3 -3 -1 -2 -4  7 -1 -1 -4 -3 -2 -2 -1 -2 -4
 1 -1  1  0 -1  0  0  0 -1 -2 -2  0 -1 -2 -1  4  1 -3 -2 -2  0  0  0 -4
 0 -1  0 -1 -1 -1 -1 -2 -2 -1 -1 -1 -1 -2 -1  1  5 -2 -2  0 -1 -1  0 -4
-3 -3 -4 -4 -2 -2 -3 -2 -2 -3 -2 -3 -1  1 -4 -3 -2 11  2 -3 -4 -3 -2 -4
-2 -2 -2 -3 -2 -1 -2 -3  2 -1 -1 -2 -1  3 -3 -2 -2  2  7 -1 -3 -2 -1 -4
 0 -3 -3 -3 -1 -2 -2 -3 -3  3  1 -2  1 -1 -2 -2  0 -3 -1  4 -3 -2 -1 -4
-2 -1  3  4 -3  0  1 -1  0 -3 -4  0 -3 -3 -2  0 -1 -4 -3 -3  4  1 -1 -4
-1  0  0  1 -3  3  4 -2  0 -3 -3  1 -1 -3 -1  0 -1 -3 -2 -2  1  4 -1 -4
 0 -1 -1 -1 -2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -2  0  0 -2 -1 -1 -1 -1 -1 -4
-4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4  1
"""

#: The rows of score matrices have this many columns, so that a row begins at a multiple of it.
WIDTH = 32
#: The letter behind the end of a sequence, and what it scores with every letter.
PADDING, _NEVER = WIDTH - 1, -100


def _padded() -> np.ndarray:
    scores = np.full((WIDTH, WIDTH), _NEVER, np.int8)
    scores[: len(LETTERS), : len(LETTERS)] = np.array(_ROWS.split(), np.int8).reshape(24, 24)
    scores.flags.writeable = False
    return scores


#: int8, WIDTH x WIDTH; padding scores -100.
BLOSUM62 = _padded()

#: What bytes stand for that are no letters: white space, and all others.
SPACE, NONE = 254, 255


def _codes() -> np.ndarray:
    codes = np.full(256, NONE, np.uint8)
    codes[list(b" \t\r\n\v\f")] = SPACE
    same = {letter: letter for letter in LETTERS} | {"U": "C", "O": "K", "J": "X"}
    for letter, stands_for in same.items():
        codes[[ord(letter), ord(letter.lower())]] = LETTERS.index(stands_for)
    codes.flags.writeable = False
    return codes


#: The letter of every byte, upper or lower case.
CODES = _codes()

#: The classes of reduced alphabets: letters of a class are equal when k-mers are compared.
_CLASSES = {
    "full": " ".join(LETTERS[:20]),
    "murphy15": "LVIM C A G S T P FY W E D N Q KR H",  # Murphy, Wallqvist, Levy 2000
    "murphy10": "LVIM C A G ST P FYW EDNQ KR H",
    "mmseqs13": "AST C DN EQ FY G H IV KR LM P W",  # as in Linclust
    "dayhoff6": "AGPST DENQ HKR ILMV FWY C",
}


def _reduced(classes: str) -> np.ndarray:
    table = np.full(256, NONE, np.uint8)
    for number, letters in enumerate(classes.split()):
        table[[LETTERS.index(letter) for letter in letters]] = number
    table.flags.writeable = False
    return table


#: Alphabet -> the class of each letter, `NONE` for those that are no amino acids.
ALPHABETS = {name: _reduced(classes) for name, classes in _CLASSES.items()}
