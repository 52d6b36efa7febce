"""Exit codes, one-line errors, interrupts and closed pipes, mostly in processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

COMMAND = [sys.executable, "-m", "edgewise"]


def test_failure_is_one_line(edgewise, tmp_path):
    done = edgewise("info", tmp_path / "none.ew")
    assert done.code == 1
    assert done.out == ""
    assert done.err.count("\n") == 1
    assert done.err.startswith("edgewise: error: ")
    assert "none.ew" in done.err


def test_malformed_file_is_named_with_its_line(edgewise, tmp_path):
    path = tmp_path / "bad.txt"
    path.write_text("0 1\n1\n")
    done = edgewise("info", path)
    assert done.code == 1
    assert "bad.txt, line 2" in done.err


@pytest.mark.parametrize(
    "arguments",
    [["frobnicate"], ["info"], ["info", "a", "--nonsense"], ["generate", "rmat"], ["run", "bsf"]],
)
def test_wrong_command_line_is_one_line_and_code_2(edgewise, arguments):
    done = edgewise(*arguments)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "--help" in done.err


def test_unexpected_errors_say_their_type(edgewise, barbell, monkeypatch):
    from edgewise.cli import info

    def fail(graph):
        raise LookupError("lost\nfor good")

    monkeypatch.setattr(info, "_facts", fail)
    done = edgewise("info", barbell)
    assert done.code == 1
    assert done.err == "edgewise: error: LookupError: lost for good (--traceback shows where)\n"


def test_notes_of_an_error_are_said(edgewise, barbell, monkeypatch):
    from edgewise.cli import info

    def fail(graph):
        error = ValueError("lost")
        error.add_note("in stage look, batch 3")
        raise error

    monkeypatch.setattr(info, "_facts", fail)
    done = edgewise("info", barbell)
    assert done.err == "edgewise: error: lost; in stage look, batch 3\n"


def test_traceback_on_request(tmp_path):
    missing = str(tmp_path / "none.ew")
    done = subprocess.run(
        [*COMMAND, "info", missing, "--traceback"], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "Traceback" in done.stderr


def test_warnings_are_one_line(edgewise, barbell, monkeypatch):
    import warnings

    from edgewise.cli import info

    kept = info._facts

    def warn(graph):
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            warnings.showwarning("two lines\nleft out", UserWarning, "f.py", 1)
        return kept(graph)

    monkeypatch.setattr(info, "_facts", warn)
    done = edgewise("info", barbell)
    assert done.err == "edgewise: warning: two lines left out\n"


def test_closed_pipe_is_no_traceback():
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*COMMAND, "--help"], stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupt_leaves_nothing_half_written(tmp_path, number, code):
    """The signal comes while the output file is being written."""
    output = tmp_path / "big.csv"
    started = tmp_path / "started"
    program = (
        "import pathlib, time\n"
        "import edgewise.io as io\n"
        "from edgewise.io.files import atomic_write\n"
        "from edgewise.cli import main\n"
        "def slow(graph, path, **options):\n"
        "    with atomic_write(path) as file:\n"
        "        file.write(b'half')\n"
        f"        pathlib.Path({str(started)!r}).touch()\n"
        "        while True:\n"
        "            time.sleep(0.01)\n"
        "io.write = slow\n"
        f"main(['generate', 'path', '--n', '5', '-o', {str(output)!r}])\n"
    )
    running = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
    limit = time.monotonic() + 60
    while not started.exists() and running.poll() is None and time.monotonic() < limit:
        time.sleep(0.02)
    running.send_signal(number)
    _, err = running.communicate(timeout=60)
    assert running.returncode == code, err
    assert "Traceback" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["started"]
    if number == signal.SIGINT:
        assert err == "edgewise: interrupted; nothing was left half-written\n"


def test_control_characters_of_a_file_are_shown_escaped(edgewise, tmp_path):
    path = tmp_path / "g.csv"
    path.write_text("source,target\na\x1b[2J,b\x9b\n")
    for command in (("run", "pagerank"), ("profile",)):
        done = edgewise(*command, path)
        assert "a\\x1b[2J" in done.out and "b\\x9b" in done.out, done
        assert "\x1b" not in done.out and "\x9b" not in done.out
    done = edgewise("run", "bfs", path, "--source", "c\x1b[2J")
    assert done.code == 1 and "\x1b" not in done.err
    assert "a\x1b[2J" in edgewise("run", "pagerank", path, "-o", "-").out  # a file as it is
