"""What captures hold, built byte by byte: every format, link layer and header."""

from __future__ import annotations

import io
import struct
from ipaddress import ip_address

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.errors import FileFormatError
from edgewise.sensing import Tally, assign_ids, read_packets
from tests.sensing.build import (
    SECOND,
    block,
    cooked,
    cooked_2,
    ends,
    enhanced,
    ethernet,
    interface,
    ipv4,
    ipv6,
    loopback,
    obsolete,
    option,
    pcap,
    pcapng,
    section,
    simple,
)  # fmt: skip

A, B, C = "10.0.0.1", "192.168.7.255", "255.255.255.255"
A6, B6 = "2001:db8::1", "fe80::ffff:1:2"
FOUR, SIX = ipv4(A, B), ipv6(A6, B6)
ARP = ethernet(bytes(28), kind=0x0806)
ZONE = 1_600_000_000 * SECOND


def load(content, **options):
    return read_packets(io.BytesIO(content), **options)


def counted(content, **options):
    tally = Tally()
    packets = load(content, tally=tally, **options)
    assert tally.packets == tally.ipv4 + tally.ipv6 + tally.other + tally.cut
    return ends(packets), (tally.ipv4, tally.ipv6, tally.other, tally.cut)


@pytest.mark.parametrize("magic", [0xA1B2C3D4, 0xA1B23C4D, 0xA1B2CD34])
@pytest.mark.parametrize("order", ["<", ">"])
def test_pcap(order, magic):
    unit = 1 if magic == 0xA1B23C4D else 1000
    times = [0, ZONE + 123_456_789, (2**32 - 1) * SECOND + 999_999_999]
    frames = [(ethernet(ipv4(A, B)), times[0]), (ARP, 5), (ethernet(ipv4(B, C)), times[1]),
              (ethernet(ipv4(C, A)), times[2])]  # fmt: skip
    packets = load(pcap(frames, order=order, magic=magic))
    assert ends(packets) == [(A, B), (B, C), (C, A)]
    assert packets.source.dtype == packets.destination.dtype == np.uint32
    assert packets.wide is None and packets.protocol is None and packets.source_port is None
    assert packets.time.tolist() == [time // unit * unit for time in times]
    assert load(pcap(frames), times=False).time is None


LAYERS = {
    "ethernet": (1, ethernet),
    "vlan": (1, lambda packet: ethernet(packet, 0x8100)),
    "qinq": (1, lambda packet: ethernet(packet, 0x88A8, 0x8100)),
    "old qinq": (1, lambda packet: ethernet(packet, 0x9100, 0x8100, 0x8100)),
    "cooked": (113, cooked),
    "cooked vlan": (113, lambda packet: cooked(packet, 0x8100)),
    "cooked 2": (276, cooked_2),
    "null": (0, lambda packet: loopback(packet, "<")),
    "null of a big machine": (0, lambda packet: loopback(packet, ">", 24)),
    "null of FreeBSD": (0, lambda packet: loopback(packet, "<", 28)),
    "null of Linux": (0, lambda packet: loopback(packet, "<", 10)),
    "loop": (108, loopback),
    **{f"raw {link}": (link, bytes) for link in (12, 14, 101)},
}


@pytest.mark.parametrize("layer", LAYERS)
def test_link_layers(layer):
    link, framed = LAYERS[layer]
    content = pcap([framed(FOUR), framed(SIX), framed(ipv4(B, A))], link)
    assert counted(content) == ([(A, B), (A6, B6), (B, A)], (2, 1, 0, 0))
    # a frame of which less was captured is cut until the header is whole, and never wrong
    for packet, need in ((FOUR, 20), (SIX, 40)):
        frame = framed(packet)
        whole = len(frame) - len(packet) + need
        cut = [frame[:size] for size in range(len(frame) + 1)]
        found, counts = counted(pcap(cut, link))
        assert found == [(A, B) if need == 20 else (A6, B6)] * (len(cut) - whole)
        assert counts[3] == whole and sum(counts) == len(cut)


def test_raw_links_of_one_version():
    assert counted(pcap([FOUR, SIX], 228)) == ([(A, B)], (1, 0, 1, 0))
    assert counted(pcap([FOUR, SIX], 229)) == ([(A6, B6)], (0, 1, 1, 0))
    # bits above the link layer say how long checksums of frames are
    assert counted(pcap([ethernet(FOUR)], 1 | 0x14 << 24)) == ([(A, B)], (1, 0, 0, 0))


@pytest.mark.parametrize(
    "frame",
    [
        ARP,
        ethernet(FOUR, kind=0x86DD),
        ethernet(SIX, kind=0x0800),
        ethernet(b"\x44" + FOUR[1:]),  # a header of less than 20 bytes
        ethernet(b"\x75" + FOUR[1:], kind=0x0800),
        ethernet(FOUR, kind=46),  # a length, as IEEE 802.3 has it
    ],
)
def test_what_is_no_ip_packet(frame):
    assert counted(pcap([frame, ethernet(FOUR)])) == ([(A, B)], (1, 0, 1, 0))


def test_unknown_link_layers_are_counted_and_told():
    with pytest.warns(UserWarning, match=r"<stream>: packets of link layer 147 .* \(2 of 2 so far"):
        assert counted(pcap([FOUR, SIX], 147)) == ([], (0, 0, 2, 0))
    blocks = [interface(147), interface(101), enhanced(FOUR, 0, 0), enhanced(FOUR, 0, 1)]
    with pytest.warns(UserWarning, match="link layer 147"):
        assert counted(pcapng(*blocks)) == ([(A, B)], (1, 0, 1, 0))
    assert counted(pcap([], 147)) == ([], (0, 0, 0, 0))


def test_families():
    content = pcap([FOUR, SIX, ipv4(B, A), ipv6(B6, A6)], 101)
    counts = (2, 2, 0, 0)
    assert counted(content, family="ip")[0] == [(A, B), (A6, B6), (B, A), (B6, A6)]
    assert counted(content, family="ipv4") == ([(A, B), (B, A)], counts)
    assert counted(content, family="ipv6") == ([(A6, B6), (B6, A6)], counts)
    assert load(content, family="ipv4").source.dtype == np.uint32
    assert load(content, family="ipv6").source.dtype == np.uint64


def test_addresses_of_ipv6_are_kept_once():
    names = [str(ip_address(2**127 + 2**70 * i + i)) for i in range(50)]
    content = pcap([ipv6(u, v) for u in names for v in names], 101)
    packets = load(content)
    assert ends(packets) == [(u, v) for u in names for v in names]
    assert len(packets.wide) < 3 * 50  # but for chance meetings in the cache
    ids = assign_ids(packets)
    assert len(np.unique(ids.source)) == len(np.unique(ids.destination)) == 50
    assert ids.source[0] == ids.destination[0] and ids.wide is None


def test_ports():
    tail = b"\x00\x50\x1f\x90" + bytes(8)
    cases = [
        (ipv4(A, B, 6, tail), (6, 80, 8080)),
        (ipv4(A, B, 17, tail), (17, 80, 8080)),
        (ipv4(A, B, 132, tail, options=bytes(12)), (132, 80, 8080)),
        (ipv4(A, B, 1, tail), (1, 0, 0)),
        (ipv4(A, B, 17, tail, fragment=0x2000), (17, 80, 8080)),  # the first of several
        (ipv4(A, B, 17, tail, fragment=0x2001), (17, 0, 0)),
        (ipv4(A, B, 17, b"\x00\x50\x1f"), (17, 0, 0)),
        (ipv4(A, B, 17, b"") + tail, (17, 0, 0)),  # that is padding
        (ipv4(A, B, 17, tail)[:2] + b"\0\0" + ipv4(A, B, 17, tail)[4:], (17, 80, 8080)),
        (ipv4(A, B, 17, options=bytes(40))[:50], (17, 0, 0)),  # captured into the options
        (ipv6(A6, B6, 6, tail), (6, 80, 8080)),
        (ipv6(A6, B6, 58, tail), (58, 0, 0)),
    ]
    found = load(pcap([packet for packet, _ in cases], 101), ports=True)
    assert (found.protocol.dtype, found.source_port.dtype) == (np.uint8, np.uint16)
    assert list(zip(*found[4:], strict=True)) == [expected for _, expected in cases]


def test_ports_after_extension_headers():
    tail = b"\x00\x35\x30\x39" + bytes(8)
    plain, double = b"\x00" + bytes(6), b"\x01" + bytes(14)
    first, later = b"\x00\x00\x01" + bytes(4), b"\x00\x00\x09" + bytes(4)
    authentication = b"\x04" + bytes(22)  # 24 bytes: its unit is 4, less 2
    cases = [
        ([(0, plain)], (17, 53, 12345)),
        ([(0, plain), (60, double), (43, plain), (135, plain)], (17, 53, 12345)),
        ([(44, first)], (17, 53, 12345)),
        ([(44, later)], (17, 0, 0)),
        ([(51, authentication), (60, plain)], (17, 53, 12345)),
        ([(0, b"\xff" + bytes(6))], (17, 0, 0)),  # longer than the packet
        ([(60, plain)] * 60, (17, 53, 12345)),
    ]
    packets = [ipv6(A6, B6, 17, tail, extensions=extensions) for extensions, _ in cases]
    found = load(pcap(packets, 101), ports=True)
    assert list(zip(*found[4:], strict=True)) == [expected for _, expected in cases]
    # cut anywhere, what is left of the chain is believed
    for packet in packets[:5]:
        cut = [packet[:size] for size in range(40, len(packet))]
        ports = load(pcap(cut, 101), ports=True)
        right = (ports.source_port == 53) & (ports.destination_port == 12345)
        assert np.all(right | (ports.source_port == 0) & (ports.destination_port == 0))


@pytest.mark.parametrize("order", ["<", ">"])
def test_pcapng(order):
    framed = ethernet(FOUR)
    content = section(order, option(3, b"Linux", order) + option(0, b"", order)) + b"".join(
        [
            interface(1, order, option(2, b"eth0", order) + option(9, b"\x09", order)),
            interface(101, order),
            block(0x0BAD, bytes(20), order),
            enhanced(framed, ZONE + 7, 0, order, option(1, b"a comment", order)),
            block(5, bytes(12), order),  # statistics of an interface
            enhanced(ipv4(B, C), ZONE // 1000 + 9, 1, order),
            simple(ethernet(ipv4(C, A)), order),
            obsolete(ipv4(B, A), 11, 1, order),
            block(4, bytes(8), order),  # names
        ]
    )
    packets = load(content)
    assert ends(packets) == [(A, B), (B, C), (C, A), (B, A)]
    assert packets.time.tolist() == [ZONE + 7, ZONE + 9000, ZONE + 9000, 11000]


def test_pcapng_of_several_sections():
    little = pcapng(interface(101), enhanced(FOUR, 1))
    big = pcapng(interface(113, ">"), enhanced(cooked(SIX), 2, 0, ">"), order=">")
    packets = load(little + big + little)
    assert ends(packets) == [(A, B), (A6, B6), (A, B)]
    assert packets.time.tolist() == [1000, 2000, 1000]
    with pytest.raises(FileFormatError, match="an interface that was not described") as error:
        load(little + pcapng() + enhanced(FOUR))
    assert error.value.offset == len(little + pcapng())  # a section knows its own interfaces


def test_pcapng_of_many_interfaces():
    blocks = [interface(101 if i % 2 else 1) for i in range(300)]
    blocks += [enhanced(FOUR if i % 2 else ethernet(SIX), i, i) for i in range(300)]
    assert ends(load(pcapng(*blocks))) == [(A6, B6), (A, B)] * 150
    most = pcapng(*[interface()] * (1 << 16))
    assert load(most).num_packets == 0
    with pytest.raises(FileFormatError, match="a section of more than 65536 interfaces") as error:
        load(most + interface())
    assert error.value.offset == len(most)


@pytest.mark.parametrize(
    ("code", "ticks", "nanoseconds"),
    [
        (0, 17, 17 * SECOND),
        (3, 17_123, 17_123_000_000),
        (6, 1_600_000_000_123_456, ZONE + 123_456_000),
        (9, ZONE + 123_456_789, ZONE + 123_456_789),
        (12, 17_123_456_789_999, 17_123_456_789),
        (18, 17 * 10**18 + 5 * 10**17 + 10**9 - 1, 17_500_000_000),
        (0x80 | 10, 1025 << 10 | 512, 1025 * SECOND + SECOND // 2),
        (0x80 | 32, 1_600_000_000 << 32 | 1 << 31, ZONE + SECOND // 2),
        (0x80 | 50, 3 << 50 | 1 << 48, 3 * SECOND + SECOND // 4),
        (0x80 | 62, 3 << 62 | 1 << 60, 3 * SECOND + SECOND // 4),
        (0, 2**64 - 1, (2**64 - 1) * SECOND),  # beyond what 64 bits of nanoseconds can say
    ],
)
@pytest.mark.parametrize("offset", [0, 5, -3])
def test_clocks(code, ticks, nanoseconds, offset):
    options = option(9, bytes([code])) + option(14, struct.pack("<q", offset))
    packets = load(pcapng(interface(101, options=options), enhanced(FOUR, ticks)))
    expected = min(nanoseconds // SECOND + offset, 1 << 33) * SECOND + nanoseconds % SECOND
    assert packets.time.tolist() == [expected]


@pytest.mark.parametrize("offset", [2**62, -(2**62), 2**63 - 1, -(2**63)])
def test_clocks_that_are_far_off(offset):
    options = option(14, struct.pack("<q", offset))
    packets = load(pcapng(interface(101, options=options), enhanced(FOUR, 2**64 - 1)))
    limit = (1 << 33) * SECOND
    assert packets.time[0] // SECOND * SECOND == (limit if offset > 0 else -limit)


def test_simple_packets_are_as_long_as_the_interface_captures():
    long = ipv4(A, B, payload=bytes(100))
    for most, counts in ((0, (1, 0, 0, 0)), (50, (1, 0, 0, 0)), (19, (0, 0, 0, 1))):
        content = pcapng(interface(101, most=most), simple(long[: most or None], size=len(long)))
        assert counted(content)[1] == counts


ONE = interface(101)


@pytest.mark.parametrize(
    ("blocks", "at", "reason"),
    [
        (b"\x06\0\0\0\x08\0\0\0" + bytes(4), 0, "a block has a length that no block has"),
        (b"\x06\0\0\0\x0d\0\0\0" + bytes(5), 0, "a block has a length that no block has"),
        (b"\x06\0\0\0\xff\xff\xff\xff" + bytes(90), 0, "a block has a length that no block has"),
        (b"\x06\0\0\0\x10\0\0\0" + bytes(8), 0, "the two lengths of a block differ"),
        (b"\n\r\r\n" + bytes(24), 0, "a section has no mark for the order of bytes"),
        (section(version=(2, 0)), 0, "a section of a version that is not known"),
        (block(1, bytes(4)), 0, "a block is too short for what it is"),
        (block(6, bytes(16)), 0, "a block is too short for what it is"),
        (block(2, bytes(16)), 0, "a block is too short for what it is"),
        (block(3, b""), 0, "a block is too short for what it is"),
        (block(0x0A0D0D0A, b"\x4d\x3c\x2b\x1a\x01\0\0\0"), 0, "a block is too short for what it"),
        (block(1, bytes(8) + b"\x02\0\x09\0" + bytes(8)), 0, "an option is longer than its block"),
        (interface(options=option(9, b"\x13")), 0, "a clock finer than"),
        (interface(options=option(9, b"\xbf")), 0, "a clock finer than"),
        (enhanced(FOUR), 0, "a packet of an interface that was not described"),
        (simple(FOUR), 0, "a packet of an interface that was not described"),
        (obsolete(FOUR), 0, "a packet of an interface that was not described"),
        (ONE + enhanced(FOUR, which=1), 20, "a packet of an interface that was not described"),
        (ONE + block(6, struct.pack("<5I", 0, 0, 0, 5, 5) + b"abcd"), 20, "longer than its block"),
        (ONE + block(6, struct.pack("<5I", 0, 0, 0, 2**32 - 1, 0)), 20, "longer than its block"),
        (ONE + enhanced(FOUR)[:-1], 20, "the file ends inside of this record"),
        (ONE + b"\x06", 20, "the file ends inside of this record"),
    ],
)
def test_damaged_pcapng(blocks, at, reason):
    sound = pcapng(ONE, enhanced(FOUR), order="<") + section()
    with pytest.raises(FileFormatError, match=reason) as error:
        load(sound + blocks)
    assert error.value.offset == len(sound) + at
    assert str(error.value).startswith(f"<stream>, byte {len(sound) + at}: ")
    tally = Tally()
    packets = load(sound + blocks, on_bad_file="skip", tally=tally)
    assert ends(packets) == [(A, B)] and tally.damaged == len(blocks) - at
    assert [str(one) for one in tally.damage] == [str(error.value)]


@pytest.mark.parametrize(
    ("content", "at", "reason"),
    [
        (b"", 0, "an empty file"),
        (b"\xa1\xb2", 0, "cut short in its first bytes"),
        (pcap([])[:23], 0, "cut short in the header of the file"),
        (pcap([], version=(3, 0)), 4, r"version 3\.0 of pcap is not known"),
        (pcap([FOUR], 101)[:-1], 24, "the file ends inside of this record"),
        (pcap([FOUR], 101)[:39], 24, "the file ends inside of this record"),
        (pcap([FOUR, b""], 101) + b"\0", 80, "the file ends inside of this record"),
        (
            pcap([]) + struct.pack("<4I", 0, 0, 2**32 - 1, 9),
            24,
            "a frame of 4294967295 bytes",
        ),
        (pcap([]) + struct.pack("<4I", 0, 0, 2**18 + 1, 9), 24, "than the largest of 262144"),
        (pcap([], most=2**32 - 1) + struct.pack("<4I", 0, 0, 2**24 + 1, 9), 24, "of 16777216"),
        (pcap([], order=">") + struct.pack(">4I", 0, 0, 2**31, 9), 24, "a frame of 2147483648"),
    ],
)
def test_damaged_pcap(content, at, reason):
    with pytest.raises(FileFormatError, match=reason) as error:
        load(content)
    assert error.value.offset == at
    tally = Tally()
    kept = load(content, on_bad_file="skip", tally=tally)
    assert kept.num_packets == tally.packets - tally.cut and tally.damaged == len(content) - at


def test_large_frames():
    """The header may say that frames are larger than usual."""
    large = ipv4(A, B, payload=bytes(1 << 19))
    assert ends(load(pcap([large, FOUR], 101, most=1 << 20))) == [(A, B), (A, B)]
    assert ends(load(pcapng(ONE, enhanced(large), enhanced(FOUR)))) == [(A, B), (A, B)]


addresses = st.one_of(
    st.integers(0, 2**32 - 1).map(ip_address), st.integers(2**32, 2**128 - 1).map(ip_address)
)
flows = st.lists(
    st.tuples(addresses, addresses, st.integers(0, 2**62), st.sampled_from(["ether", "raw", "arp"]))
    .filter(lambda flow: flow[0].version == flow[1].version),
    max_size=30,
)  # fmt: skip


@settings(max_examples=30)
@given(flows, st.sampled_from("<>"), st.sampled_from([6, 9]), st.integers(1, 7))
def test_any_packets(flows, order, digits, batch):
    """Formats agree with what was written, in batches of any size."""
    expected, blocks, frames = [], [], []
    for source, destination, ticks, layer in flows:
        packet = (ipv4 if source.version == 4 else ipv6)(source, destination)
        ticks %= 2**31 * 10**digits
        if layer == "arp":
            frame = ARP
        else:
            frame = ethernet(packet)
            expected.append((str(source), str(destination), ticks * 10 ** (9 - digits)))
        frames.append((frame, ticks * 10 ** (9 - digits)))
        raw = layer == "raw"
        blocks.append(enhanced(packet if raw else frame, ticks, int(raw), order))
    clock = option(9, bytes([digits]), order)
    heads = [interface(1, order, clock), interface(101, order, clock)]
    magic = 0xA1B23C4D if digits == 9 else 0xA1B2C3D4
    for content in (pcap(frames, order=order, magic=magic), pcapng(*heads, *blocks, order=order)):
        packets = load(content, batch_size=batch)
        found = zip(ends(packets), packets.time.tolist(), strict=True)
        assert [(*pair, time) for pair, time in found] == expected
