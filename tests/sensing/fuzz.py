"""Mangled captures: sound ones to start from, and ways to damage them."""

from __future__ import annotations

import contextlib
import io
import mmap
import random
import struct
import warnings

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.sensing import Tally, assign_ids, iter_packets, read_packets
from edgewise.sensing.packets import WIDE
from tests.sensing.build import (
    cooked,
    cooked_2,
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
    simple,
)  # fmt: skip
from tests.sensing.wrapped import LAYERS, TUNNELS

FOUR = ipv4("10.1.2.3", "10.3.2.1", 6, bytes(range(20)), options=bytes(8))
SIX = ipv6(
    "2001:db8::7", "fe80::1", 17, bytes(range(12)),
    extensions=[(0, bytes(7)), (44, bytes(7)), (51, b"\1" + bytes(10)), (60, b"\1" + bytes(14))],
)  # fmt: skip
WORDS = [0, 1, 2, 11, 12, 16, 0x7F, 0xFF, 0xFFFF, 0x10000, 1 << 18, 1 << 24, 2**31 - 1, 2**31,
         2**32 - 12, 2**32 - 4, 2**32 - 1]  # fmt: skip


def sound():
    """Captures of every format and link layer."""
    yield pcap([ethernet(FOUR), ethernet(SIX, 0x88A8, 0x8100), ethernet(b"", kind=0x0806)])
    yield pcap([ethernet(SIX), ethernet(FOUR, 0x8100)], order=">", magic=0xA1B23C4D)
    yield pcap([cooked(FOUR), cooked(SIX)], 113, magic=0xA1B2CD34)
    yield pcap([cooked_2(FOUR), cooked_2(SIX)], 276)
    yield pcap([loopback(FOUR, "<"), loopback(SIX, "<")], 0)
    yield pcap([loopback(FOUR), loopback(SIX)], 108)
    for link in (12, 228, 229):
        yield pcap([FOUR, SIX], link)
    for link, framed in LAYERS.values():
        yield pcap([framed(FOUR), framed(SIX)], link)
    for tunnel in TUNNELS.values():
        yield pcap([ethernet(tunnel(FOUR)), tunnel(SIX)], 1)
    for order in "<>":
        clock = option(9, b"\x89", order) + option(14, bytes(8), order) + option(0, b"", order)
        blocks = [interface(1, order, clock), interface(101, order, option(2, b"lo", order))]
        packets = [enhanced(ethernet(FOUR), 5, 0, order), enhanced(SIX, 2**40, 1, order, clock)]
        packets += [simple(ethernet(SIX), order), obsolete(FOUR, 7, 1, order)]
        one = pcapng(*blocks, *packets, order=order)
        yield one
        yield one + pcapng(interface(113), enhanced(cooked(FOUR)))


SOUND = list(sound())


def mangle(content, rng):
    """Bytes with a few faults: lengths above all."""
    junk = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        place = rng.randrange(len(junk) + 1)
        match rng.randrange(7):
            case 0:
                del junk[place:]
            case 1 if place < len(junk):
                junk[place] ^= 1 << rng.randrange(8)
            case 2:  # a number, mostly where one may stand
                place &= ~3 if rng.random() < 0.8 else ~0
                size = rng.choice(WORDS) + rng.randrange(-2, 3) & 0xFFFFFFFF
                junk[place : place + 4] = struct.pack(rng.choice("<>") + "I", size)
            case 3:
                junk[place : place + rng.randrange(1, 30)] = b""
            case 4:
                junk[place:place] = rng.randbytes(rng.randrange(1, 30))
            case 5:
                junk[place:place] = rng.choice(SOUND)[: rng.randrange(200)]
            case 6:
                junk[place : place + 2] = struct.pack(">H", rng.choice((0x800, 0x86DD, 0x8100, 44)))
    return bytes(junk)


def attempt(content, rng):
    """Read a capture, however damaged: sound packets, or an error with a place in it."""
    stream, tally = io.BytesIO(content), Tally()
    options = {
        "family": rng.choice(("ip", "ip", "ipv4", "ipv6")),
        "batch_size": rng.choice((1, 2, 3, 1000)),
        "ports": rng.random() < 0.7,
        "times": rng.random() < 0.7,
        "addresses": rng.choice(("outer", "inner")),
        "on_bad_file": rng.choice(("raise", "skip")),
    }
    count = 0
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".* link layer")
            for packets in iter_packets(stream, tally=tally, **options):
                count += packets.num_packets
                assert packets.num_packets <= options["batch_size"]
                if packets.wide is not None:
                    far = packets.source >= WIDE
                    assert np.array_equal(far, packets.destination >= WIDE)
                    assign_ids(packets)
        assert options["on_bad_file"] == "skip" or not tally.damage
    except FileFormatError as error:
        assert options["on_bad_file"] == "raise" or "no capture" in error.reason, error
        assert 0 <= error.offset <= len(content), error
        return
    assert tally.packets == tally.ipv4 + tally.ipv6 + tally.other + tally.cut
    wanted = {"ip": tally.ipv4 + tally.ipv6, "ipv4": tally.ipv4, "ipv6": tally.ipv6}
    assert count == wanted[options["family"]]
    assert 0 <= tally.damaged <= len(content) and len(tally.damage) <= 1


def attempts(seed, count):
    """Read that many mangled captures."""
    rng = random.Random(seed)
    for i in range(count):
        content = mangle(SOUND[i % len(SOUND)], rng)
        try:
            attempt(content, rng)
        except BaseException as error:
            error.add_note(f"seed {seed}, capture {i}: {content.hex()}")
            raise


def at_page_end(path, seed, count):
    """Read mangled captures from files that end where a page of memory does."""
    rng = random.Random(seed)
    for i in range(count):
        whole = SOUND[i % len(SOUND)]
        again = whole[24:] if whole[:4] != b"\n\r\r\n" else whole
        content = bytearray((whole + again * (mmap.PAGESIZE // len(again)))[: mmap.PAGESIZE])
        junk, place = mangle(whole, rng), rng.randrange(len(content))
        content[place : place + len(junk)] = junk
        with open(path, "wb") as file:
            file.write(content[: mmap.PAGESIZE].ljust(mmap.PAGESIZE, b"\xff"))
        with warnings.catch_warnings(), contextlib.suppress(FileFormatError):
            warnings.filterwarnings("ignore", ".* link layer")
            read_packets(path, ports=True, on_bad_file="skip", addresses="inner")
