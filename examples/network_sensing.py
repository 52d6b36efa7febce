"""Network sensing: what captures say about traffic, without saying who talks to whom.

Goes through the captures beside the checkout, whose packets, links, sources and destinations others
have counted, too; without them, through generated traffic. Addresses are anonymized in both ways,
which must not change one quantity. Then it looks for windows that stand out: a scan of a host's
ports after the steady talk of an industrial network, a scan of addresses and a flood in generated
traffic. And a matrix is a graph like any other.

Run it: python examples/network_sensing.py
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import edgewise as ew
from edgewise.sensing import (
    Event,
    Key,
    anomalies,
    crypto_pan,
    describe_anomalies,
    generate_traffic,
    heavy_hitters,
    permutation,
    sense,
)

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
KEY = Key(bytes(range(32)))  # for an example; `make_key` writes a secret one
WINDOW = 256


def known():
    """The captures, and what others counted in each: packets with IPv4, links, and so on."""
    with open(DATA / "MANIFEST.tsv") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["kind"] == "packet capture" and (DATA / row["file"]).exists():
                facts = re.findall(r"(\w+)=(\d+)", row["measured"])
                yield DATA / row["file"], {name: int(value) for name, value in facts}


def count(capture, facts):
    """What is in one capture, beside what others counted."""
    found = sense(capture, window=WINDOW, family="ipv4")
    one = found.quantities
    seen = (one.valid_packets, one.unique_links, one.unique_sources, one.unique_destinations)
    assert seen == tuple(facts[name] for name in ("ipv4", "links", "sources", "dests"))
    assert (found.tally.packets, one.max_link_packets) == (facts["packets"], facts["maxlink"])
    print(f"{capture.name:24} {one.valid_packets:6,} packets, {one.unique_links:3} links, fan-out "
          f"{one.max_source_fan_out:3}, busiest link {one.max_link_packets:5,}")  # fmt: skip


def compare(packets):
    """The same traffic under other addresses has the same quantities and distributions."""
    plain = sense(packets(), window=WINDOW)
    for anonymize in (permutation(KEY), crypto_pan(KEY)):
        hidden = sense(packets(), window=WINDOW, anonymize=anonymize)
        assert hidden.quantities == plain.quantities
        for ours, theirs in zip(hidden.windows.quantities, plain.windows.quantities, strict=True):
            assert (ours == theirs).all()
        assert hidden.total != plain.total
    print(f"{plain.quantities.valid_packets:,} packets in {len(plain.windows)} windows: "
          "every quantity is the same under a permutation and under Crypto-PAn")  # fmt: skip


def watch(name, packets):
    """What stands out in anonymized traffic."""
    found = sense(packets, window=WINDOW, anonymize=permutation(KEY))
    flags = anomalies(found.windows)
    windows = describe_anomalies(flags)
    print(f"{name}: {len(windows)} of {len(found.windows)} windows stand out")
    for window in [window for window, look in windows.items() if look != "unusual"][:3]:
        print(f"  {window}: {next(flag.text for flag in flags if flag.window == window)}")
    return found, windows


def rank(found):
    """Any algorithm runs on the graph of the matrix."""
    graph = found.total.to_graph()
    ranks = ew.pagerank(graph)
    top = heavy_hitters(found.total, 1).sources
    share = top.packets[0] / found.quantities.valid_packets
    print(f"  as a graph: {graph.num_vertices:,} hosts, the highest PageRank {ranks.max():.2f}; "
          f"the busiest sent {share:.0%} of the packets, to {top.links[0]} hosts")  # fmt: skip


def generated():
    """Steady traffic, with a scan and a flood in it."""
    events = [Event("scan", 20 * WINDOW, WINDOW, 0.5), Event("flood", 40 * WINDOW, WINDOW, 0.5)]
    return generate_traffic(64 * WINDOW, sources=900, destinations=700, events=events, seed=4)


def main():
    captures = dict(known()) if (DATA / "MANIFEST.tsv").exists() else {}
    for capture, facts in captures.items():
        count(capture, facts)
    if captures:
        compare(lambda: list(captures))
        names = "zeek-modbusBig.pcap", "ndpi-synscan.pcap"
        steady, scan = (DATA / "captures" / name for name in names)
        found, windows = watch("Modbus, then a SYN scan", [steady, scan])
        assert windows and min(windows) == captures[steady]["ipv4"] // WINDOW
        rank(found)
    else:
        print(f"no captures in {DATA / 'captures'}")
        compare(generated)
    found, windows = watch("generated traffic", generated())
    assert windows == {20: "scan", 40: "flood from many"}
    rank(found)


if __name__ == "__main__":
    main()
