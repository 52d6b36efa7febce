"""``edgewise sense``: tables, JSON, folders and reports; what goes wrong leaves nothing behind."""

from __future__ import annotations

import csv
import gzip
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from edgewise.sensing import Packets, TrafficMatrix, read_matrix, sense, write_records
from tests.sensing import build
from tests.sensing.test_pipeline import FIELDS, pcap, traffic

COMMAND = [sys.executable, "-m", "edgewise"]


@pytest.fixture
def packets():
    return traffic(5000)


@pytest.fixture
def records(packets, tmp_path):
    path = tmp_path / "a.packets"
    write_records(packets, path)
    return path


@pytest.fixture
def key(tmp_path):
    path = tmp_path / "key.txt"
    path.write_text("ab" * 32)
    path.chmod(0o600)
    return path


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def rows_of(path):
    return list(csv.DictReader(path.read_text().splitlines()))


def test_tables(edgewise, records):
    done = edgewise("sense", records, "--window", "2^8")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "a.packets: 20 windows of 2^8 packets"
    assert lines[1].split() == [*("begins", "packets", "links", "max", "sources", "max", "fan-out"),
                                *("dests", "max", "fan-in")]  # fmt: skip
    assert "… 10 more" in done.out
    assert "5,000 frames (5,000 IPv4)" in done.out
    assert "Addresses are not anonymized" in done.out
    quiet = edgewise("sense", records, "--window", "2^8", "--quiet")
    assert quiet.out.splitlines()[:-1] == lines[:-1]  # all but how long it took
    few = edgewise("sense", records, "--window", "1000", "--levels").out
    assert "more" not in few
    assert "Sums of windows" in few


def test_json_agrees_with_the_library(edgewise, records, packets):
    done = edgewise("sense", records, "--window", "300", "--json", "--levels")
    found, said = sense(packets, window=300, levels=True), json.loads(done.out)
    assert said["window"] == {"packets": 300}
    assert said["files"] == [str(records)]
    assert said["anonymized"] is None
    for name in FIELDS:
        assert said["windows"][name] == getattr(found.windows.quantities, name).tolist()
        assert said["total"][name] == getattr(found.quantities, name)
    assert said["windows"]["start"] == found.windows.start.tolist()
    assert said["tally"]["packets"] == 5000
    counts = said["distributions"]["link_packets"]
    assert sum(counts["count"]) == found.quantities.unique_links
    assert counts["up_to"][:3] == [1, 2, 4]
    assert [level["windows"] for level in said["levels"]] == [16, 8, 4, 2, 1]
    assert said["seconds"]["in all"] > 0


def test_output_folder(edgewise, records, packets, tmp_path):
    made = tmp_path / "results"
    done = edgewise("sense", records, "--window", "1000", "-o", made, "--save-windows", "--levels")
    assert done.code == 0
    assert f"in {made}" in done.out
    assert names(made) == ["distributions.csv", "distributions.npz", "levels.csv", "sense.json",
                           "total.ewt", "windows", "windows.csv"]  # fmt: skip
    rows = rows_of(made / "windows.csv")
    assert list(rows[0]) == ["window", "start", "stop", *FIELDS]
    assert [int(row["valid_packets"]) for row in rows] == [1000] * 5
    whole = TrafficMatrix.from_packets(packets)
    assert read_matrix(made / "total.ewt") == whole
    assert names(made / "windows") == [f"{i:08}.ewt" for i in range(5)]
    assert read_matrix(made / "windows" / "00000002.ewt") == TrafficMatrix.from_packets(
        packets.cut(2000, 3000)
    )
    table = rows_of(made / "distributions.csv")
    assert sum(int(row["link_packets"]) for row in table) == whole.num_links
    assert np.load(made / "distributions.npz")["link_packets"].shape == (5, 64)
    assert json.loads((made / "sense.json").read_text())["total"]["valid_packets"] == 5000


def test_a_folder_that_is_there_is_left_alone(edgewise, records, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    done = edgewise("sense", records, "-o", tmp_path / "full")
    assert done.code == 1
    assert "it is there already" in done.err
    assert names(tmp_path / "full") == ["mine.txt"]
    (tmp_path / "empty").mkdir()
    assert edgewise("sense", records, "-o", tmp_path / "empty", "--table", "parquet").code == 0
    assert "windows.parquet" in names(tmp_path / "empty")


def test_report(edgewise, records, tmp_path):
    done = edgewise("sense", records, "--window", "2^8", "--report", tmp_path / "r.html")
    assert f"The report is in {tmp_path / 'r.html'}" in done.out
    page = (tmp_path / "r.html").read_text()
    assert "a.packets" in page
    assert "2^8 packets" in page
    shown = edgewise("sense", records, "--window", "1ms", "--report", "-")
    assert shown.out.startswith("<!")
    assert "1ms" in shown.out


def test_anonymizing_keeps_the_quantities_and_no_names(edgewise, records, key, tmp_path, packets):
    plain = json.loads(edgewise("sense", records, "--window", "500", "--json").out)
    for method in ("permutation", "crypto_pan"):
        if method == "crypto_pan":
            pytest.importorskip("cryptography")
        made = tmp_path / method
        options = ["--key", key, "--anonymize", method, "-o", made]
        done = edgewise(
            "sense",
            records,
            "--window",
            "500",
            "--json",
            *options,
            "--report",
            made.with_suffix(".h"),
        )
        assert done.code == 0, done.err
        said = json.loads(done.out)
        assert said["anonymized"] == method
        assert said["files"] is None
        assert said["windows"] == plain["windows"]
        assert said["total"] == plain["total"]
        assert read_matrix(made / "total.ewt") != TrafficMatrix.from_packets(packets)
        written = b"".join(path.read_bytes() for path in made.iterdir() if path.is_file())
        written += made.with_suffix(".h").read_bytes() + done.out.encode() + done.err.encode()
        assert b"a.packets" not in written
        assert b"abababab" not in written


def test_key_of_the_environment(edgewise, records, monkeypatch):
    monkeypatch.setenv("EDGEWISE_KEY", "cd" * 32)
    done = edgewise("sense", records)
    assert "Addresses are anonymized: permutation" in done.out
    monkeypatch.delenv("EDGEWISE_KEY")
    done = edgewise("sense", records, "--anonymize", "permutation")
    assert done.code == 1
    assert "EDGEWISE_KEY" in done.err


def test_a_key_that_others_can_read_is_refused(edgewise, records, key):
    key.chmod(0o644)
    done = edgewise("sense", records, "--key", key)
    assert done.code == 1
    assert "abab" not in done.err
    assert str(key) in done.err


def test_several_files_and_damage(edgewise, tmp_path):
    data = pcap([(1, 2)] * 6)
    (tmp_path / "a.pcap.gz").write_bytes(gzip.compress(data))
    (tmp_path / "b.pcap").write_bytes(data[:-5])
    files = [tmp_path / "a.pcap.gz", tmp_path / "b.pcap"]
    done = edgewise("sense", *files, "--window", "1h")
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert "b.pcap" in done.err
    assert "byte" in done.err
    kept = edgewise("sense", *files, "--window", "1h", "--on-bad-file", "skip")
    assert kept.code == 0
    assert "a.pcap.gz and 1 more" in kept.out
    assert "Damaged: " in kept.out
    assert "11 frames" in kept.out


def test_what_is_not_read_is_named_with_its_share(edgewise, tmp_path):
    inner = build.ipv4("10.0.0.1", "10.0.0.2")
    arp, tunnel = build.ethernet(bytes(28), kind=0x0806), build.ipv4("1.1.1.1", "2.2.2.2", 4, inner)
    path, page = tmp_path / "a.pcap", tmp_path / "a.html"
    path.write_bytes(build.pcap([arp, *[build.ethernet(tunnel)] * 3]))
    done = edgewise("sense", path, "--report", page)
    assert "Without an IP header: ARP 1 (25.0%)" in done.out, done.err
    assert "– ARP" in page.read_text()
    for option, source in ((), "1.1.1.1"), (("--addresses", "inner"), "10.0.0.1"):
        found = json.loads(edgewise("sense", path, "--json", *option).out)
        assert found["tally"]["unread"] == {"ARP": 1}
        assert found["addresses"] == ("inner" if option else "outer")
        assert edgewise("sense", path, "--report", page, *option).code == 0
        assert source in page.read_text()


def test_a_time_far_ahead_is_told(edgewise, tmp_path):
    times = np.array([5, 7, 2**31, 11, 12, 13]) * 10**9
    write_records(Packets(*np.ones((2, 6), np.uint32), times), tmp_path / "a.packets")
    done = edgewise("sense", tmp_path / "a.packets", "--window", "10s")
    assert "3 packets came after a later window had begun" in done.out
    assert "is the latest time, 2038-01-19 03:14:08, right" in done.out.replace("\n", " ")
    assert "too few" in done.out  # to tell an exponent
    found = json.loads(edgewise("sense", tmp_path / "a.packets", "--json").out)
    assert found["distributions"]["link_packets"]["power_law"]["exponent"] is None


def test_late_packets_and_empty_windows_are_told(edgewise, tmp_path):
    ids = np.arange(4, dtype=np.uint32)
    write_records(Packets(ids, ids, np.array([5, 95, 4, 99]) * 10**9), tmp_path / "a.packets")
    done = edgewise("sense", tmp_path / "a.packets", "--window", "10s")
    assert "1 packet came after a later window had begun" in done.out
    assert "8 windows without packets left out" in done.out
    assert "2 windows of 10s\n" in done.out
    done = edgewise("sense", tmp_path / "a.packets", "--window", "2", "--no-partial")
    assert "are older than those before them: are the files in the order of time?" in done.out
    assert "left out" not in done.out
    done = edgewise("sense", tmp_path / "a.packets", "--window", "3", "--no-partial")
    assert "From 1970-01-01 00:00:04 to 00:01:35 (UTC)" in done.out
    assert "1 packet of windows that are not whole left out" in done.out
    whole = edgewise("sense", tmp_path / "a.packets", "--window", "10s", "--no-partial", "--json")
    assert json.loads(whole.out)["windows"]["count"] == 0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--window", "often"], "--window must be a number of packets, as 2^17, or a time, as 60s"),
        (["--save-windows"], "--save-windows requires --output"),
        (["--table", "parquet"], "--table requires --output"),
        (["--json", "--report", "-"], "both write to standard output"),
        (["-o", "-"], "--output takes a folder"),
        (["--window", "1s", "--levels"], "--levels must be of windows of packets"),
        (["--batch-size", "2^10", "--num-batches", "3"], "--num-batches must not be given with"),
        (["--device", "tpu"], "--device must be 'cpu', 'cuda'"),
        (["--report", "nowhere/at/all.html"], "there is no folder"),
    ],
)
def test_misuse_is_one_line(edgewise, records, options, says):
    done = edgewise("sense", records, *options)
    assert done.code == 1
    assert says in done.err
    assert done.err.count("\n") == 1
    assert done.out == ""


def test_what_is_no_file(edgewise, tmp_path):
    done = edgewise("sense", tmp_path)
    assert done.code == 1
    assert "folder" in done.err
    done = edgewise("sense", tmp_path / "none.pcap")
    assert "there is no file" in done.err
    assert edgewise("sense").code == 2
    assert "Usage: edgewise sense [OPTIONS] FILES...\n" in edgewise("sense", "--help").out
    done = edgewise("sense", "-", "-")
    assert "standard input can be read once" in done.err


def test_batches_change_nothing(edgewise, records):
    one = json.loads(edgewise("sense", records, "--window", "300", "--json").out)
    for options in (["--num-batches", "5"], ["--batch-size", "2^8"], ["--threads", "1"]):
        many = json.loads(edgewise("sense", records, "--window", "300", "--json", *options).out)
        times = {"seconds": 0, "compiled_seconds": 0}
        assert {**one, **times} == {**many, **times}


@pytest.fixture
def standard_input(tmp_path):
    """Sets what a command reads from standard input."""
    kept = os.dup(0)

    def put(data):
        (tmp_path / "in").write_bytes(data)
        with open(tmp_path / "in", "rb") as file:
            os.dup2(file.fileno(), 0)

    yield put
    os.dup2(kept, 0)
    os.close(kept)


def test_standard_input(edgewise, standard_input):
    data = pcap([(1, 2), (3, 4)])
    standard_input(data)
    done = edgewise("sense", "-", "--json")
    assert json.loads(done.out)["total"]["unique_links"] == 2
    standard_input(data[:-3])
    broken = edgewise("sense", "-")
    assert broken.code == 1
    assert "standard input, byte 60" in broken.err


def test_interrupt_leaves_nothing_half_written(tmp_path):
    """Standard input gives some packets, and then nothing more comes."""
    command = [*COMMAND, "sense", "-", "--window", "30000", "--batch-size", "30000",
               "--save-windows", "-o", str(tmp_path / "out"),
               "--report", str(tmp_path / "r.html")]  # fmt: skip
    running = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    data = pcap([(1, 2)]) + 200_000 * pcap([(1, 2)])[24:]
    os.write(running.stdin.fileno(), data)
    limit = time.monotonic() + 60
    while not list(tmp_path.glob(".out.*/.windows.*/*.ewt")):
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < limit, names(tmp_path)
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    running.wait(60)
    out, err = running.stdout.read(), running.stderr.read().decode()
    for stream in (running.stdin, running.stdout, running.stderr):
        stream.close()
    assert running.returncode == 130, err
    assert "nothing was left half-written" in err
    assert "Traceback" not in err
    assert out == b""
    assert names(tmp_path) == []


def test_drafts_of_a_killed_run_are_removed_by_the_next(edgewise, records, tmp_path):
    left = tmp_path / ".out.4711-0123abcd.tmp"
    left.mkdir()
    (left / "windows.csv").touch()
    assert edgewise("sense", records, "-o", tmp_path / "out").code == 0
    assert names(tmp_path) == ["a.packets", "out"]
