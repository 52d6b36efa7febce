"""The errors that Edgewise raises beyond ValueError and TypeError."""

from __future__ import annotations

from typing import Any

__all__ = ["CompileError", "ConvergenceError", "DeviceError", "FileFormatError"]


class ConvergenceError(RuntimeError):
    """An iteration reached its limit before it converged; ``best`` is the last result."""

    def __init__(
        self, algorithm: str, iterations: int, error: float, best: Any = None, hint: str = ""
    ):
        super().__init__(
            f"{algorithm} did not converge in {iterations} iterations (error {error:.3g}); "
            + (hint or "raise max_iter or tol, or use the unfinished result in .best")
        )
        self.algorithm, self.iterations, self.error, self.best = algorithm, iterations, error, best
        self.hint = hint

    def __reduce__(self):
        return type(self), (self.algorithm, self.iterations, self.error, self.best, self.hint)


class FileFormatError(ValueError):
    """A file does not follow its format; names the file, the line or byte, and the reason."""

    def __init__(self, path: Any, reason: str, line: int | None = None, offset: int | None = None):
        where = f"{path}" if line is None else f"{path}, line {line}"
        where = where if offset is None else f"{where}, byte {offset}"
        super().__init__(f"{where}: {reason}")
        self.path, self.reason, self.line, self.offset = str(path), reason, line, offset

    def __reduce__(self):
        return type(self), (self.path, self.reason, self.line, self.offset)


class CompileError(TypeError):
    """A function given to an operator cannot be compiled; names the function, its file and line."""


class DeviceError(RuntimeError):
    """A GPU is missing or cannot be used; names what is missing and how to install it."""
