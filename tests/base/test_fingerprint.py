"""The hash of what a function compiles from: what is part of it, and what is not.

Nothing is compiled here. A function is written as source text and made by `exec`, so that the
same one can be made again: at another line, in another file, with other comments.
"""

from __future__ import annotations

import ctypes
import enum
import importlib.util
import itertools
from collections import namedtuple

import numba
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numba.extending import intrinsic, overload, overload_method, register_jitable

from edgewise.base.fingerprint import Survey, UnknownError, fingerprint


def made(source: str, name: str = "f", lines: int = 0, **scope):
    """The function ``name`` of a piece of source, in a namespace of its own."""
    scope = {"np": np, "numba": numba, "__name__": "user", **scope}
    exec(compile("\n" * lines + source, f"file{lines}.py", "exec"), scope)
    return scope[name]


def same(*sources: str, **scope) -> bool:
    """Have all these functions the same hash? They must have one."""
    prints = {fingerprint(made(source, lines=3 * n, **scope)) for n, source in enumerate(sources)}
    assert None not in prints
    return len(prints) == 1


def test_what_people_read_is_no_part_of_it():
    plain = "def f(x):\n    if x < 2:\n        return None\n    return (lambda y: y + 1)(x)"
    assert same(
        plain,
        "def f(x):\n    if x < 2:  # small\n\n        return None\n    return (lambda y: y + 1)(x)",
        'def f(x):\n    """Says."""\n    if x < 2:\n        return None\n'
        "    return (lambda y: y + 1)(x)",
        'def f(x):\n    """Says more."""\n    if x < 2:\n        return None\n'
        "    return (lambda y: y + 1)(x)",
        "def f(x: int) -> float:\n    if x < 2:\n        return None\n"
        "    return (lambda y: y + 1)(x)",
    )
    assert same("OTHER = 1\ndef f(x):\n    return x", "def f(x):\n    return x\nOTHER = 2")


@pytest.mark.parametrize(
    "two",
    [
        ("def f(x): return x + 1", "def f(x): return x - 1"),
        ("def f(x): return x + 1", "def f(x): return x + 1.0"),
        ("def f(x): return x + 1", "def f(x): return x + True"),
        ("def f(x): return x + 0.0", "def f(x): return x + -0.0"),
        ("def f(x): return x in (1, 2)", "def f(x): return x in (1, 2.0)"),
        ("def f(x): return x in {1, 2}", "def f(x): return x in {1, 3}"),
        ("def f(v, a):\n    k = 1\n    return a", "def f(v, a, k):\n    k = 1\n    return a"),
        ("def f(x, k=1): return k", "def f(x, k=2): return k"),
        ("def f(x, *, k=1): return k", "def f(x, *, k=2): return k"),
        ("def f(x, *a): return x", "def f(x, a): return x"),
        ("def f(x): yield 1", "def f(x): return 1"),
        ("def f(x): return abs(x)", "def f(x): return len(x)"),
        ("def f(x): return x.real", "def f(x): return x.imag"),
        ("def f(x): return (lambda y: y + 1)(x)", "def f(x): return (lambda y: y + 2)(x)"),
        ("G = 1\ndef f(x): return x + G", "G = 2\ndef f(x): return x + G"),
        ("G = 1\ndef f(x): return x + G", "G = 1.0\ndef f(x): return x + G"),
        ("G = (1, 2)\ndef f(x): return G[x]", "G = (1, 3)\ndef f(x): return G[x]"),
        ("G = np.float32(1)\ndef f(x): return G", "G = np.float64(1)\ndef f(x): return G"),
        ("G = np.arange(4)\ndef f(x): return G[x]", "G = np.arange(5)\ndef f(x): return G[x]"),
        ("G = np.eye(2)\ndef f(x): return G", "G = np.eye(2)[::-1].copy()\ndef f(x): return G"),
        ("G = np.ones((2, 3))\ndef f(x): return G", "G = np.ones((3, 2)).T\ndef f(x): return G"),
        ("def m(k):\n    return lambda x: x * k\nf = m(2.0)",
         "def m(k):\n    return lambda x: x * k\nf = m(10.0)"),
        ("g = numba.njit(lambda x: x + 1)\ndef f(x): return g(x)",
         "g = numba.njit(lambda x: x + 2)\ndef f(x): return g(x)"),
        ("g = numba.njit(lambda x: x)\ndef f(x): return g(x)",
         "g = numba.njit(lambda x: x, fastmath=True)\ndef f(x): return g(x)"),
        ("g = numba.njit(lambda x: x)\ndef f(x): return g(x)",
         "g = numba.njit('f4(f4)')(lambda x: x)\ndef f(x): return g(x)"),
        ("def f(x): return x", "f = numba.njit(lambda x: x)"),
    ],
    ids=lambda two: two[1].splitlines()[0][:40],
)  # fmt: skip
def test_what_a_compiler_reads_is_part_of_it(two):
    assert not same(*two) and same(two[0], two[0]) and same(two[1], two[1])


def test_two_calls_away():
    chain = ("g = numba.njit(lambda x: x + {})\nh = numba.njit(lambda x: g(x))\n"
             "def f(x): return h(x)")  # fmt: skip
    assert same(chain.format(1), chain.format(1)) and not same(chain.format(1), chain.format(2))
    circle = ("def g(x): return x if x < {} else f(x - 1)\ng = numba.njit(g)\n"
              "def f(x): return g(x)\nf = numba.njit(f)")  # fmt: skip
    assert same(circle.format(1), circle.format(1)) and not same(circle.format(1), circle.format(2))


def test_enums_and_named_tuples():
    use = "def f(x): return x == {}"
    kinds = [enum.Enum("Kind", {"RED": 1, "BLUE": blue}) for blue in (2, 3)]
    assert not same(*[use.format("Kind.BLUE")], use.format("Kind.RED"), Kind=kinds[0])
    prints = {fingerprint(made(use.format("Kind.BLUE"), Kind=kind)) for kind in kinds}
    assert len(prints) == 2 and None not in prints
    prints = {fingerprint(made(use.format("kind"), kind=kind.BLUE)) for kind in kinds}
    assert len(prints) == 2 and None not in prints
    use = "def f(x): return x + p.a"
    pairs = [namedtuple("Pair", fields)(1, 2) for fields in ("a b", "b a")]
    assert len({fingerprint(made(use, p=pair)) for pair in pairs}) == 2
    classes = [type(pair) for pair in pairs]
    assert len({fingerprint(made("def f(x): return P(x, x).a", P=one)) for one in classes}) == 2
    types = [numba.typeof(pair) for pair in pairs]  # as arguments: their names are the same
    assert str(types[0]) == str(types[1])
    function = made("def f(p): return p.a")
    assert len({Survey(function).digest((one,)) for one in types}) == 2


def test_bodies_of_overloads_and_intrinsics():
    def using(body, decorate):
        def target(x):
            raise TypeError

        decorate(target)(made(f"def give(x):\n    return {body}", "give"))
        return fingerprint(made("def f(x): return target(x)", target=target))

    bodies = ("lambda x: x + 1", "lambda x: x + 2")
    assert len({using(body, overload) for body in bodies}) == 2
    assert using(bodies[0], overload) == using(bodies[0], overload) is not None
    loose = [
        using(bodies[0], lambda t, o=o: overload(t, jit_options=o)) for o in ({}, {"fastmath": 1})
    ]
    assert len(set(loose)) == 2
    source = "def helper(x): return x + {}"
    plain = [register_jitable(made(source.format(k), "helper")) for k in (1, 2)]
    assert len({fingerprint(made("def f(x): return h(x)", h=one)) for one in plain}) == 2

    def builder(operation):
        @intrinsic
        def made_by(typingctx, x):
            def codegen(context, builder, signature, args):
                return getattr(builder, operation)(args[0], args[0])

            return x(x), codegen

        return made_by

    two = [fingerprint(made("def f(x): return g(x)", g=builder(o))) for o in ("add", "mul")]
    assert None not in two and two[0] != two[1]


def test_methods_given_to_numbas_types():
    name = f"method_{id(object())}"
    use = made(f"def f(x): return x.{name}()")
    other = made("def f(x): return x.sum()")
    before, others = fingerprint(use), fingerprint(other)
    overload_method(numba.types.Array, name)(made("def give(x):\n    return lambda x: 1", "give"))
    assert fingerprint(use) != before and fingerprint(other) == others


def test_a_module_named_like_one_of_pythons(tmp_path):
    """It is the user's: what counts is where a module lies."""
    path = tmp_path / "profile.py"
    path.write_text("def scaled(k):\n    def by(x):\n        return x * k\n    return by\n")
    spec = importlib.util.spec_from_file_location("profile", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert fingerprint(module.scaled(2.0)) != fingerprint(module.scaled(10.0))
    module.K = 1
    uses = made("def f(x): return profile.K", profile=module)
    before = fingerprint(uses)
    module.K = 2
    assert fingerprint(uses) != before


def test_replaced_code_defaults_cells_and_globals_count_at_once():
    f = made("G = 1\ndef f(x): return x + G")
    seen = [fingerprint(f)]
    f.__globals__["G"] = 2
    seen.append(fingerprint(f))
    f.__code__ = made("def f(x): return x - G").__code__
    seen.append(fingerprint(f))
    f.__defaults__ = (5,)
    seen.append(fingerprint(f))
    g = made("def m(k):\n    return lambda x: x * k\nf = m(2.0)")
    seen.append(fingerprint(g))
    g.__closure__[0].cell_contents = 3.0
    seen.append(fingerprint(g))
    assert None not in seen and len(set(seen)) == len(seen)


@pytest.mark.parametrize(
    ("name", "value"),
    [("BOUNDSCHECK", 1), ("OPT", 0), ("FULL_TRACEBACKS", 1), ("DEBUGINFO_DEFAULT", 1),
     ("LOOP_VECTORIZE", 0), ("SLP_VECTORIZE", 1), ("ENABLE_AVX", 0)],
)  # fmt: skip
def test_settings_of_numba_that_change_code(name, value, monkeypatch):
    f = made("def f(x): return x")
    before = fingerprint(f)
    monkeypatch.setattr(numba.config, name, value)
    assert fingerprint(f) != before


@pytest.mark.parametrize("name", ["NUMBA_NUM_THREADS", "DUMP_IR", "CACHE_DIR", "COLOR_SCHEME"])
def test_settings_of_numba_that_do_not(name, monkeypatch):
    f = made("def f(x): return x")
    before = fingerprint(f)
    monkeypatch.setattr(numba.config, name, "other")
    assert fingerprint(f) == before


class Unknown:
    """Something of a user's; one that is not even willing to be looked at."""

    def __getattr__(self, name):
        raise RuntimeError


@pytest.mark.parametrize(
    "thing",
    [
        Unknown(),
        Unknown,
        np.ones(200_000),
        np.arange(20)[::2],
        np.array([None]),
        ctypes.CDLL(None).labs,
        numba.vectorize(lambda x: x + 1),
        itertools.count(),
        [Unknown()],
        {"key": Unknown()},
        [].append,
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_what_has_no_content_is_not_cached(thing):
    assert fingerprint(made("def f(x): return thing", thing=thing)) is None
    assert fingerprint(made("def f(x): return 1", thing=thing)) is not None
    holds_itself: list = []
    holds_itself.append(holds_itself)
    assert fingerprint(made("def f(x): return thing", thing=holds_itself)) is None


def test_types_that_numba_does_not_know_are_not_cached():
    class Own(numba.types.Type):
        pass

    with pytest.raises(UnknownError):
        Survey(made("def f(x): return x")).digest((Own("own"),))


PROGRAM = """{comment}
G = {glob}

@numba.njit{options}
def callee(x{default}):
    {doc}
    return x {operator} {constant}

def outer(cell):
    def f(x):
        y = callee(x) + G
        return y {comparison} cell
    return f

f = outer({cell})
"""
PARTS = {
    "glob": ["1", "2", "1.0", "(1, 2)[0]"],
    "options": ["", "(fastmath=True)", "(error_model='numpy')"],
    "default": ["", ", k=1", ", k=2", ", *, k=1"],
    "operator": ["+", "-", "*", "//"],
    "constant": ["1", "2", "1.0", "x", "abs(x)"],
    "comparison": ["<", ">", "+"],
    "cell": ["0", "1", "0.0", "False", "np.int32(0)"],
}
EQUAL = {"(1, 2)[0]": "1"}  # other source, the same content
TALK = {"comment": ["", "# a word", "\n\n"], "doc": ["", "'''Doc.'''", "# note\n"]}
programs = st.fixed_dictionaries({name: st.sampled_from(some) for name, some in PARTS.items()})
talk = st.fixed_dictionaries({name: st.sampled_from(some) for name, some in TALK.items()})


@settings(max_examples=150)
@given(programs, programs, talk, talk, st.sampled_from([*PARTS, None]))
def test_two_programs_have_one_hash_if_they_are_one(first, second, this, that, only):
    """Often they differ in one part alone, sometimes in none; what they say never counts."""
    second = first | ({} if only is None else {only: second[only]})
    one, other = (
        fingerprint(made(PROGRAM.format(**parts, **words)))
        for parts, words in ((first, this), (second, that))
    )
    alike = {k: EQUAL.get(v, v) for k, v in first.items()} == {
        k: EQUAL.get(v, v) for k, v in second.items()
    }
    assert None not in (one, other) and (one == other) == alike
