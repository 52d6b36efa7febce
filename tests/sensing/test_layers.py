"""IP packets are found in every link layer, and in tunnels if asked for; the rest is named."""

from __future__ import annotations

import io

import pytest

from edgewise.sensing import Tally, read_packets
from tests.sensing.build import ends, ethernet, ipv4, ipv6, pcap
from tests.sensing.wrapped import ENDS, ENDS_6, LAYERS, TUNNELS

A, B, A6, B6 = "10.0.0.1", "192.168.7.255", "2001:db8::1", "fe80::ffff:1:2"
FOUR, SIX = ipv4(A, B), ipv6(A6, B6)


def counted(content, **options):
    tally = Tally()
    packets = read_packets(io.BytesIO(content), tally=tally, **options)
    assert sum(tally.unread.values()) == tally.other
    return ends(packets), (tally.ipv4, tally.ipv6, tally.other, tally.cut)


@pytest.mark.parametrize("layer", LAYERS)
def test_link_layers(layer):
    link, framed = LAYERS[layer]
    content = pcap([framed(FOUR), framed(SIX), framed(ipv4(B, A))], link)
    assert counted(content) == ([(A, B), (A6, B6), (B, A)], (2, 1, 0, 0))
    for packet, need in ((FOUR, 20), (SIX, 40)):
        frame = framed(packet)
        whole = len(frame) - len(packet) + need
        cut = [frame[:size] for size in range(len(frame) + 1)]
        found, counts = counted(pcap(cut, link))
        assert found == [(A, B) if need == 20 else (A6, B6)] * (len(cut) - whole)
        assert counts[3] == whole and sum(counts) == len(cut)


@pytest.mark.parametrize("tunnel", TUNNELS)
def test_tunnels(tunnel):
    wrapped = [TUNNELS[tunnel](FOUR), TUNNELS[tunnel](SIX)]
    outer = ENDS_6 if wrapped[0][0] >> 4 == 6 else ENDS
    content = pcap([ethernet(packet) for packet in wrapped])
    assert counted(content)[0] == [outer, outer]
    assert counted(content, addresses="inner") == ([(A, B), (A6, B6)], (1, 1, 0, 0))
    # a tunnel of which too little was captured has the addresses of its own ends
    frame = ethernet(wrapped[0])
    short = [frame[:size] for size in range(14 + (40 if outer == ENDS_6 else 20), len(frame) + 1)]
    found, counts = counted(pcap(short), addresses="inner")
    assert set(found) <= {outer, ENDS, (A, B)} and found[0] == outer and found[-1] == (A, B)
    assert counts[2:] == (0, 0)


def test_ports_are_those_of_the_inner_packet():
    content = pcap([TUNNELS["vxlan"](FOUR)], 101)
    for addresses, wanted in (("outer", (40000, 4789)), ("inner", (0x1234, 53))):
        packets = read_packets(io.BytesIO(content), ports=True, addresses=addresses)
        assert (packets.source_port[0], packets.destination_port[0]) == wanted


def test_later_fragments_and_other_packets_keep_the_outer_addresses():
    others = [
        ipv4(*ENDS, 4, FOUR, fragment=5),
        ipv4(*ENDS, 6, FOUR),
        ipv4(*ENDS, 47, b"\x40\0\x08\0" + FOUR),  # GRE with a route
        ipv4(*ENDS, 47, b"\0\0\x08\x06" + FOUR),  # ARP in GRE
        ipv4(*ENDS, 17, bytes(20) + FOUR),
    ]
    assert counted(pcap(others, 101), addresses="inner")[0] == [ENDS] * len(others)


NAMES = {
    "ARP": ethernet(bytes(28), kind=0x0806),
    "ether type 0x1234": ethernet(bytes(28), kind=0x1234),
    "MACsec, encrypted": ethernet(b"\x2c" + bytes(40), kind=0x88E5),
    "MPLS that carries neither IP nor Ethernet": ethernet(
        b"\0\1\0\x40\0\1\1\x40\xff" + bytes(30), kind=0x8848
    ),
    "NSH that carries no IP": ethernet(b"\x0f\xc6\1\x99" + bytes(40), kind=0x894F),
    "spanning tree": ethernet(b"\x42\x42\x03" + bytes(30), kind=38),
    "SNAP of another organization": ethernet(b"\xaa\xaa\x03\0\0\x0c\x20\0" + bytes(9), kind=38),
    "PPP LCP": ethernet(b"\x11\0\0\1\0\0\xc0\x21" + bytes(30), kind=0x8864),
    "IPv4 by its type, without such a header": ethernet(SIX, kind=0x0800),
}


def test_what_is_not_read_is_named():
    tally = Tally()
    frames = [*NAMES.values(), NAMES["ARP"], ethernet(FOUR)]
    assert read_packets(io.BytesIO(pcap(frames)), tally=tally).num_packets == 1
    assert tally.unread == dict.fromkeys(NAMES, 1) | {"ARP": 2}
    management, encrypted = bytes(30), b"\x08\x41" + bytes(60)
    read_packets(io.BytesIO(pcap([management, encrypted], 105)), tally=tally)
    assert tally.unread["802.11 management and control"] == 1
    assert tally.unread["802.11 data, encrypted"] == 1
