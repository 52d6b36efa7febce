"""edgewise generate traffic: the library's packets, in the file that the suffix asks for."""

from __future__ import annotations

import gzip
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from edgewise.cli.terminal import amount
from edgewise.sensing import Event, generate_traffic, iter_records


def test_generate_traffic_is_the_generator(edgewise, tmp_path):
    path = tmp_path / "a.packets"
    event = "scan:first=2^6,packets=200,fraction=0.25"
    done = edgewise("generate", "traffic", "--packets", "2^10", "--sources", 100, "--seed", 3,
                    "--event", event, "-o", path)  # fmt: skip
    assert (done.code, done.out) == (0, f"{path}: 1,024 packets\n"), done.err
    found = next(iter_records(path))
    expected = next(
        generate_traffic(1024, sources=100, seed=3, events=[Event("scan", 64, 200, 0.25)])
    )
    for name in ("source", "destination", "time"):
        assert np.array_equal(getattr(found, name), getattr(expected, name))


def test_captures_and_compressed_files(edgewise, tmp_path):
    path, packed = tmp_path / "a.pcap", tmp_path / "a.pcap.gz"
    for one in (path, packed):
        assert edgewise("generate", "traffic", "--packets", 50, "-q", "-o", one).code == 0
    content = path.read_bytes()
    assert gzip.decompress(packed.read_bytes()) == content and len(content) == 24 + 50 * 58
    assert edgewise(
        "generate", "traffic", "--packets", 9, "--no-times", "-o", tmp_path / "b.packets"
    )
    assert next(iter_records(tmp_path / "b.packets")).time is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "a.txt"], "a.txt: the suffix does not determine the format: .pcap or .packets"),
        (["-o", "-"], "standard output has no suffix: --output-format NAME, pcap or packets"),
        (["-o", "a.packets", "--nanoseconds"], "--nanoseconds applies to pcap files"),
        (["-o", "a.packets", "--event", "storm"], "--event takes scan|flood:first=N,packets=N["),
        (["-o", "a.packets", "--event", "scan:first=x"], "--event takes numbers, as first=2^17"),
        (["-o", "a.packets", "--rate", "0"], "--rate must be greater than 0"),
        (["-o", "a.packets", "--sources", "many"], "expected a whole number as 131072 or 2^17"),
    ],
)
def test_misuse(edgewise, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    done = edgewise("generate", "traffic", "--packets", 10, *options)
    assert done.code != 0 and message in done.err
    assert not list(tmp_path.iterdir())


def test_a_bar_is_drawn_on_a_terminal_alone(capsys, monkeypatch):
    with amount("making", 10, "packets", quiet=False) as tell:
        tell(5)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with amount("making", 10, "packets", quiet=False) as tell:
        tell(5)


@pytest.mark.slow
def test_an_interrupt_leaves_nothing(tmp_path):
    """The signal comes when some of the packets are written."""
    output = str(tmp_path / "a.packets")
    command = ["generate", "traffic", "--packets", "2^32", "-o", output]
    program = f"from edgewise.cli import main\nmain({command!r})"
    running = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
    limit = time.monotonic() + 60
    while time.monotonic() < limit and running.poll() is None:
        if any(path.stat().st_size > 1 << 25 for path in tmp_path.iterdir()):
            break
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert (running.returncode, list(tmp_path.iterdir())) == (130, []), err
    assert err == "edgewise: interrupted; nothing was left half-written\n"
