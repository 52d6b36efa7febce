"""IP packets in frames of many link layers, and in tunnels, made byte by byte."""

from __future__ import annotations

import struct

from tests.sensing.build import ethernet, ipv4, ipv6, kind_of


def _ppp(packet):
    return struct.pack(">H", 0x0021 if packet[0] >> 4 == 4 else 0x0057) + packet


def _snap(packet, organization=b"\0\0\0", kind=None):
    kind = kind_of(packet) if kind is None else kind
    return b"\xaa\xaa\x03" + organization + struct.pack(">H", kind) + packet


def _nlpid(packet):
    return (b"\xcc" if packet[0] >> 4 == 4 else b"\x8e") + packet


def _typed(packet):
    return struct.pack(">H", kind_of(packet)) + packet


def _labels(packet, *labels):
    stack = [label << 12 | 64 for label in labels]
    stack[-1] |= 1 << 8
    return struct.pack(f">{len(stack)}I", *stack) + packet


def _nsh(packet, after, words=6):
    return struct.pack(">BBBB", 0x0F, 0xC0 | words, 1, after) + bytes(4 * words - 4) + packet


def _wifi(body, control=0x08, flags=1, more=b""):
    return bytes([control, flags]) + bytes(28 if flags & 3 == 3 else 22) + more + body


def _radiotap(frame, present=0, fields=b""):
    return struct.pack("<BBHI", 0, 0, 8 + len(fields), present) + fields + frame


def _erf(kind, body, extensions=b""):
    kind |= 0x80 if extensions else 0
    return bytes(8) + struct.pack(">BBHHH", kind, 0, 0, 0, 0) + extensions + body


def _field(kind, value, order):
    return struct.pack(f"{order}HH", 4 + len(value), kind) + value + bytes(-len(value) % 4)


def _nflog(packet, order="<"):
    return (
        bytes(4) + _field(1, bytes(4), order) + _field(10, b"out", order) + _field(9, packet, order)
    )


#: Names of link layers, with their numbers and what puts a packet into a frame.
LAYERS = {
    "mpls": (1, lambda p: ethernet(_labels(p, 16, 17), kind=0x8847)),
    "mpls multicast": (1, lambda p: ethernet(_labels(p, 0), 0x8100, kind=0x8848)),
    "pppoe": (1, lambda p: ethernet(b"\x11\0\0\1\0\0" + _ppp(p), 0x8100, kind=0x8864)),
    "llc/snap": (1, lambda p: ethernet(_snap(p), kind=46)),
    "llc/snap vlan": (1, lambda p: ethernet(_snap(p), 0x8100, kind=46)),
    "llc": (1, lambda p: ethernet(b"\x06\x06\x03" + p, kind=46)),
    "bridged": (100, lambda p: _snap(ethernet(p), b"\x00\x80\xc2", 7)),
    "nsh": (1, lambda p: ethernet(_nsh(p, 1 if p[0] >> 4 == 4 else 2), kind=0x894F)),
    "nsh ethernet": (1, lambda p: ethernet(_nsh(ethernet(p), 3, 2), kind=0x894F)),
    "macsec": (1, lambda p: ethernet(b"\0\0" + bytes(4) + _typed(p), kind=0x88E5)),
    "macsec sci": (1, lambda p: ethernet(b"\x20\0" + bytes(12) + _typed(p), kind=0x88E5)),
    "backbone": (1, lambda p: ethernet(bytes(4) + ethernet(p), kind=0x88E7)),
    "port extender": (1, lambda p: ethernet(bytes(6) + _typed(p), kind=0x893F)),
    "cooked llc": (113, lambda p: struct.pack(">HHH8sH", 0, 1, 6, bytes(8), 4) + _snap(p)),
    "ppp": (9, lambda p: b"\xff\x03" + _ppp(p)),
    "ppp alone": (9, _ppp),
    "ppp short": (9, lambda p: b"\xff\x03" + _ppp(p)[1:]),
    "ppp mpls": (50, lambda p: b"\xff\x03\x02\x81" + _labels(p, 99)),
    "ppp with direction": (204, lambda p: b"\x01\xff\x03" + _ppp(p)),
    "pppd": (166, lambda p: b"\x00\x03" + _ppp(p)),
    "ppp ether": (51, lambda p: b"\x11\0\0\1\0\0" + _ppp(p)),
    "cisco hdlc": (104, lambda p: b"\x0f\0" + _typed(p)),
    "hdlc": (50, lambda p: b"\x8f\0" + _typed(p)),
    "frame relay": (107, lambda p: b"\x18\x41\x03" + _nlpid(p)),
    "frame relay snap": (107, lambda p: b"\x18\x40\x41\x03\x00\x80" + _snap(p)[3:]),
    "frame relay cisco": (107, lambda p: b"\x18\x41" + _typed(p)),
    "802.11": (105, lambda p: _wifi(_snap(p))),
    "802.11 bridge": (105, lambda p: _wifi(_snap(p), flags=3)),
    "802.11 qos": (105, lambda p: _wifi(_snap(p), 0x88, more=bytes(2))),
    "802.11 several": (105, lambda p: _wifi(bytes(14) + _snap(p), 0x88, more=b"\x80\0")),
    "radiotap": (127, lambda p: _radiotap(_wifi(_snap(p)))),
    "radiotap padded": (
        127,
        lambda p: _radiotap(
            _wifi(_snap(p), 0x88, more=bytes(4)), 0x80000003, bytes(4 + 4 + 8) + b"\x20"
        ),
    ),
    "ppi": (192, lambda p: struct.pack("<BBHI", 0, 0, 8, 105) + _wifi(_snap(p))),
    "erf ethernet": (197, lambda p: _erf(2, bytes(2) + ethernet(p))),
    "erf extended": (197, lambda p: _erf(11, bytes(2) + ethernet(p), b"\x80" + bytes(15))),
    "erf hdlc": (197, lambda p: _erf(1, b"\xff\x03" + _ppp(p))),
    "erf ip": (197, lambda p: _erf(22 if p[0] >> 4 == 4 else 23, p)),
    "pktap": (258, lambda p: struct.pack("<III", 108, 1, 1) + bytes(96) + ethernet(p)),
    "pktap raw": (258, lambda p: struct.pack("<III", 108, 1, 12) + bytes(96) + p),
    "nflog": (239, _nflog),
    "nflog of a big machine": (239, lambda p: _nflog(p, ">")),
    "ipoib": (242, lambda p: bytes(40) + struct.pack(">HH", kind_of(p), 0) + p),
}

ENDS = ("172.16.0.1", "172.16.0.2")
ENDS_6 = ("2001:db8:ffff::1", "2001:db8:ffff::2")


def _udp(port, body):
    return struct.pack(">HHHH", 40000, port, 8 + len(body), 0) + body


def _gre(flags, kind, body):
    return struct.pack(">HH", flags, kind) + body


#: Tunnels: what puts a packet into one between `ENDS`, or `ENDS_6`.
TUNNELS = {
    "ip in ip": lambda p: ipv4(*ENDS, 4 if p[0] >> 4 == 4 else 41, p),
    "ip in ipv6": lambda p: ipv6(*ENDS_6, 4 if p[0] >> 4 == 4 else 41, p),
    "ip in ipv6 with options": lambda p: ipv6(
        *ENDS_6, 4 if p[0] >> 4 == 4 else 41, p, extensions=[(60, bytes(7))]
    ),
    "gre": lambda p: ipv4(*ENDS, 47, _gre(0, kind_of(p), p)),
    "gre with all": lambda p: ipv4(*ENDS, 47, _gre(0xB000, kind_of(p), bytes(12) + p)),
    "gre ethernet": lambda p: ipv4(*ENDS, 47, _gre(0x2000, 0x6558, bytes(4) + ethernet(p))),
    "gre mpls": lambda p: ipv4(*ENDS, 47, _gre(0, 0x8847, _labels(p, 5))),
    "erspan": lambda p: ipv4(*ENDS, 47, _gre(0x1000, 0x88BE, bytes(12) + ethernet(p))),
    "pptp": lambda p: ipv4(*ENDS, 47, _gre(0x3081, 0x880B, bytes(12) + _ppp(p))),
    "vxlan": lambda p: ipv4(*ENDS, 17, _udp(4789, b"\x08" + bytes(7) + ethernet(p))),
    "vxlan in ipv6": lambda p: ipv6(*ENDS_6, 17, _udp(4789, b"\x08" + bytes(7) + ethernet(p))),
    "geneve": lambda p: ipv4(*ENDS, 17, _udp(6081, b"\x02\0\x65\x58" + bytes(12) + ethernet(p))),
    "geneve ip": lambda p: ipv4(*ENDS, 17, _udp(6081, struct.pack(">HHI", 0, kind_of(p), 0) + p)),
    "gtp-u": lambda p: ipv4(*ENDS, 17, _udp(2152, b"\x30\xff" + bytes(6) + p)),
    "gtp-u extended": lambda p: ipv4(
        *ENDS, 17, _udp(2152, b"\x34\xff" + bytes(9) + b"\x85\x01\0\0\x40\x01\0\0\0" + p)
    ),
    "twice": lambda p: ipv4(*ENDS, 4, ipv4(*ENDS, 47, _gre(0, kind_of(p), p))),
}
