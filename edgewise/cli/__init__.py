"""The command line: ``edgewise COMMAND``.

`main` runs one command and ends the process: 0 if all went well, 1 after a failure, 2 after a
wrong command line, 130 after Ctrl-C. An error is one line on standard error; ``--traceback``, or
EDGEWISE_TRACEBACK in the environment, shows where it came from. Files are written whole or not at
all, so an interrupt leaves nothing half-written.
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

from edgewise.cli.usage_errors import said, speak, usage_text, visible

__all__ = ["main"]

OK, FAILURE, USAGE, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command line (by default that of the process) and exit with its code."""
    warnings.showwarning = _show_warning
    if sys.platform == "win32":  # whose pipes and files have another encoding
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(encoding="utf-8")
    speak({}, {})
    signal.signal(signal.SIGTERM, _terminate)
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = FAILURE
    sys.exit(code)


def _run(arguments: Sequence[str]) -> int:
    try:
        from typer.main import get_command

        from edgewise.cli.app import app

        command = get_command(app)
        code = command.main(args=list(arguments), prog_name="edgewise", standalone_mode=False)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        raise
    except Exception as error:
        if _wants_traceback(arguments):
            raise
        return _report(error)
    if code == INTERRUPTED:
        print("edgewise: interrupted; nothing was left half-written", file=sys.stderr)
    return code if isinstance(code, int) else OK


def _report(error: Exception) -> int:
    """Say on one line what went wrong; return the exit code."""
    if hasattr(error, "format_message"):  # the command line itself was wrong
        context = getattr(error, "ctx", None)
        path = "edgewise" if context is None else context.command_path
        _complain(f"{usage_text(error)} (see {path} --help)")
        return getattr(error, "exit_code", USAGE)
    text = str(error)
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        text = f"{error.filename}: {error.strerror}"
    elif isinstance(error, MemoryError):
        text = f"out of memory{': ' if text else ''}{text}"
    elif not isinstance(error, (ValueError, TypeError, OSError, RuntimeError)):
        text = f"{type(error).__name__}: {text} (--traceback shows where)"
    text = text or f"{type(error).__name__} (--traceback shows where)"
    _complain("; ".join([text, *getattr(error, "__notes__", ())]))
    return FAILURE


def _complain(text: str, kind: str = "error") -> None:
    print(f"edgewise: {kind}: {visible(' '.join(said(text).split()))}", file=sys.stderr)


def _show_warning(message: Any, *_: Any, **__: Any) -> None:
    _complain(str(message), "warning")


def _terminate(*_: Any) -> NoReturn:
    raise SystemExit(TERMINATED)


def _wants_traceback(arguments: Sequence[str]) -> bool:
    return "--traceback" in arguments or bool(os.environ.get("EDGEWISE_TRACEBACK"))
