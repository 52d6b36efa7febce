"""The package's errors: what they say, what they keep, and that they travel between processes."""

from __future__ import annotations

import pickle

import numpy as np

from edgewise.base.errors import CompileError, ConvergenceError, FileFormatError


def test_convergence_error_keeps_the_work():
    error = ConvergenceError("pagerank", 7, 0.125, best=np.arange(3))
    assert str(error).startswith("pagerank did not converge in 7 iterations (error 0.125)")
    again = pickle.loads(pickle.dumps(error))
    assert (again.algorithm, again.iterations, again.error) == ("pagerank", 7, 0.125)
    assert again.best.tolist() == [0, 1, 2] and str(again) == str(error)
    assert isinstance(error, RuntimeError)


def test_file_format_error_names_file_line_and_reason():
    error = FileFormatError("a.txt", "two columns expected, got 1", 3)
    assert str(error) == "a.txt, line 3: two columns expected, got 1"
    assert (error.path, error.reason, error.line) == ("a.txt", "two columns expected, got 1", 3)
    assert str(FileFormatError("a.ew", "no header")) == "a.ew: no header"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert isinstance(error, ValueError)


def test_compile_error_is_a_type_error():
    assert issubclass(CompileError, TypeError)
