"""Anonymizers: published pairs, prefixes, bijections, one answer per address, any threads."""

from __future__ import annotations

import ipaddress
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import edgewise
from edgewise.sensing import (
    Key,
    Packets,
    TrafficMatrix,
    assign_ids,
    build_windows,
    crypto_pan,
    permutation,
    read_packets,
)
from edgewise.sensing.anonymize import _permuted, _round_keys
from edgewise.sensing.packets import WIDE, hashed

KEY = Key(bytes(range(32)))
CAPTURES = Path(__file__).resolve().parents[3] / "shared" / "data" / "captures"
METHODS = {"crypto_pan": crypto_pan, "permutation": permutation}
EVERY = pytest.mark.parametrize("make", METHODS.values(), ids=METHODS)


def published() -> list[tuple[str, list[tuple[int, int]], list[tuple[int, int]]]]:
    """For each key the pairs of IPv4 and of IPv6 addresses."""
    sets: list = []
    for line in (Path(__file__).with_name("vectors.txt")).read_text().splitlines():
        words = line.split()
        if line.startswith("key"):
            sets.append((words[1], [], []))
        elif words and not line.startswith("#"):
            before, after = map(ipaddress.ip_address, words)
            sets[-1][1 if before.version == 4 else 2].append((int(before), int(after)))
    return sets


def pairs(numbers: list[int]) -> np.ndarray:
    """IPv6 addresses as two words each."""
    return np.array([(n >> 64, n & (2**64 - 1)) for n in numbers], np.uint64).reshape(-1, 2)


def numbers(pairs: np.ndarray) -> list[int]:
    return [high << 64 | low for high, low in pairs.tolist()]


@pytest.mark.parametrize(("key", "narrow", "wide"), published(), ids=lambda value: str(value)[:8])
def test_published_pairs(key, narrow, wide):
    anonymize = crypto_pan(Key(bytes.fromhex(key)))
    before, after = zip(*narrow, strict=True)
    assert anonymize.ipv4(before).tolist() == [*after]
    assert [int(anonymize.ipv4([one])[0]) for one in before[:5]] == [*after[:5]]
    before, after = zip(*wide, strict=True)
    assert numbers(anonymize.ipv6(pairs(before))) == [*after]


def test_the_first_bits_of_both_families_agree():
    """What others call the usual extension: an IPv4 address is the start of an IPv6 address."""
    anonymize, addresses = crypto_pan(KEY), np.arange(0, 2**32, 12345678, np.uint32)
    wide = np.stack((addresses.astype(np.uint64) << np.uint64(32), np.zeros_like(addresses)), 1)
    there = anonymize.ipv6(wide.astype(np.uint64))[:, 0] >> np.uint64(32)
    assert np.array_equal(there, anonymize.ipv4(addresses))


def common(a: int, b: int, bits: int) -> int:
    """How many first bits agree."""
    return bits - (a ^ b).bit_length()


@settings(max_examples=30)
@given(st.data(), st.sampled_from([32, 128]))
def test_prefixes_are_kept(data, bits):
    start = data.draw(st.integers(0, 2**bits - 1))
    flips = data.draw(st.lists(st.integers(0, 2**bits - 1), max_size=8))
    tails = data.draw(st.lists(st.integers(0, bits), min_size=len(flips), max_size=len(flips)))
    some = [start, *(start ^ (f >> t) for f, t in zip(flips, tails, strict=True))]
    anonymize = crypto_pan(Key(data.draw(st.binary(min_size=32, max_size=32))))
    if bits == 32:
        other = anonymize.ipv4(some).tolist()
    else:
        other = numbers(anonymize.ipv6(pairs(some)))
    for a, x in zip(some, other, strict=True):
        for b, y in zip(some, other, strict=True):
            assert common(a, b, bits) == common(x, y, bits)


@pytest.mark.parametrize("count", [0, 1, 2047, 2048, 2049, 6000])
def test_blocks_of_the_cipher_in_parts(count):
    """The same as bit by bit, over the ends of parts, with addresses that come more than once."""
    random = np.random.default_rng(count)
    addresses = random.integers(0, 2**32, count, np.uint32) >> random.integers(
        0, 30, count, np.uint32
    )
    anonymize = crypto_pan(KEY)
    known = dict(zip(addresses.tolist(), anonymize.ipv4(addresses).tolist(), strict=True))
    for one in addresses[:: max(count // 20, 1)].tolist():
        assert known[one] == plainly(one, KEY)
    assert np.array_equal(anonymize.ipv4(addresses), [known[one] for one in addresses.tolist()])


def plainly(address: int, key: Key) -> int:
    """Crypto-PAn of one IPv4 address, by the book."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    encrypt = Cipher(algorithms.AES(key.part(0, 16)), modes.ECB()).encryptor().update
    pad = int.from_bytes(encrypt(key.part(16, 32)), "big")
    flips = 0
    for length in range(32):
        rest = (1 << 128 - length) - 1
        block = (address << 96 & ~rest) | (pad & rest)
        flips = flips << 1 | encrypt(block.to_bytes(16, "big"))[0] >> 7
    return address ^ flips


@pytest.mark.parametrize("bits", [2, 8, 16])
@pytest.mark.parametrize("seed", range(3))
def test_narrow_twins_of_the_permutation_are_bijections(bits, seed):
    keys = _round_keys(Key(bytes([seed]) * 32), bits)
    words = np.zeros((2, 1 << bits), np.uint64)
    words[0] = np.arange(1 << bits, dtype=np.uint64) << np.uint64(64 - bits)
    high, low = _permuted(words, bits, keys)
    assert not low.any()
    assert np.array_equal(np.sort(high), words[0])
    assert bits == 2 or (high == words[0]).sum() <= 10  # a random one leaves one in its place


@pytest.mark.parametrize("bits", [32, 128])
def test_the_permutation_is_a_feistel_network_of_siphash(bits):
    random = np.random.default_rng(bits)
    some = [int.from_bytes(random.bytes(bits // 8), "big") for _ in range(5)]
    half, keys = bits // 2, _round_keys(KEY, bits).tolist()
    expected = []
    for one in some:
        left, right = one >> half, one & ((1 << half) - 1)
        for turn in range(0, len(keys), 2):
            secret = b"".join(word.to_bytes(8, "little") for word in keys[turn : turn + 2])
            image = siphash(secret, right.to_bytes(8, "little")) & ((1 << half) - 1)
            left, right = right, left ^ image
        expected.append(left << half | right)
    anonymize = permutation(KEY)
    if bits == 32:
        assert anonymize.ipv4(some).tolist() == expected
    else:
        assert numbers(anonymize.ipv6(pairs(some))) == expected


def siphash(key: bytes, message: bytes) -> int:
    """SipHash-2-4, as its paper has it."""
    whole = 2**64 - 1

    def turned(word, by):
        return (word << by | word >> 64 - by) & whole

    def rounds(count):
        nonlocal a, b, c, d
        for _ in range(count):
            a, c = (a + b) & whole, (c + d) & whole
            b, d = turned(b, 13) ^ a, turned(d, 16) ^ c
            a = turned(a, 32)
            c, a = (c + b) & whole, (a + d) & whole
            b, d = turned(b, 17) ^ c, turned(d, 21) ^ a
            c = turned(c, 32)

    first, second = (int.from_bytes(key[i : i + 8], "little") for i in (0, 8))
    a, b = first ^ 0x736F6D6570736575, second ^ 0x646F72616E646F6D
    c, d = first ^ 0x6C7967656E657261, second ^ 0x7465646279746573
    padded = message + bytes(7 - len(message) % 8) + bytes([len(message) & 255])
    for i in range(0, len(padded), 8):
        word = int.from_bytes(padded[i : i + 8], "little")
        d ^= word
        rounds(2)
        a ^= word
    c ^= 0xFF
    rounds(4)
    return a ^ b ^ c ^ d


def test_the_oracle_of_siphash():
    """The example of the paper, its appendix A."""
    assert siphash(bytes(range(16)), bytes(range(15))) == 0xA129CA6149BE45E5


@EVERY
def test_different_addresses_stay_different(make):
    random = np.random.default_rng(5)
    anonymize = make(KEY)
    some = np.unique(random.integers(0, 2**32, 200_000, np.uint32))
    assert len(np.unique(anonymize.ipv4(some))) == len(some)
    wide = np.unique(random.integers(0, 2**64, (20_000, 2), np.uint64), axis=0)
    assert len(np.unique(anonymize.ipv6(wide), axis=0)) == len(wide)


def test_the_permutation_looks_random():
    """One bit changed changes each bit half of the time; neighbors are far from one another."""
    anonymize, count = permutation(KEY), 4096
    some = np.random.default_rng(1).integers(0, 2**32, count, np.uint32)
    image = anonymize.ipv4(some)
    places = np.arange(32, dtype=np.uint32)
    for place in (0, 1, 15, 16, 31):
        other = anonymize.ipv4(some ^ np.uint32(1 << place))
        rates = ((image ^ other)[:, None] >> places & 1).mean(axis=0)
        assert np.abs(rates - 0.5).max() < 5 / (2 * np.sqrt(count))
    row = anonymize.ipv4(np.arange(1 << 16, dtype=np.uint32) + np.uint32(10 << 24))
    counts = np.bincount(row >> 24, minlength=256)  # 256 in each, give or take 16
    assert counts.min() > 256 - 90 and counts.max() < 256 + 90


@EVERY
def test_the_key_decides(make):
    some = np.arange(1000, dtype=np.uint32)
    wide = pairs([*range(100)])
    one, same, other = make(KEY), make(Key(bytes(range(32)))), make(Key(bytes(32)))
    assert np.array_equal(one.ipv4(some), same.ipv4(some))
    assert np.array_equal(one.ipv6(wide), same.ipv6(wide))
    assert (one.ipv4(some) != other.ipv4(some)).mean() > 0.9


@pytest.mark.slow
def test_other_processes_agree():
    code = (
        "from edgewise.sensing import *; import numpy as np; "
        "key = Key(bytes(range(32))); some = np.arange(9, dtype=np.uint32); "
        "methods = crypto_pan(key), permutation(key); "
        "print([method(Packets(some, some)).source.tolist() for method in methods])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    some = np.arange(9, dtype=np.uint32)
    here = [make(KEY)(Packets(some, some)).source.tolist() for make in (crypto_pan, permutation)]
    assert done.stdout.strip() == str(here)


def mixed(count: int, seed: int, distinct: int = 500) -> Packets:
    """Packets of both families, with rows that come more than once and address 0."""
    random = np.random.default_rng(seed)
    wide = random.integers(0, 50, (60, 2), np.uint64)
    ids = random.integers(0, distinct, (2, count)).astype(np.uint64) * np.uint64(2**32 // distinct)
    far = random.random((2, count)) < 0.3
    ids[far] = random.integers(0, len(wide), far.sum()).astype(np.uint64) | np.uint64(WIDE)
    return Packets(ids[0], ids[1], time=np.arange(count), wide=wide)


def expected(packets: Packets, anonymize) -> list[np.ndarray]:
    known = None if packets.wide is None else hashed(anonymize.ipv6(packets.wide))
    out = []
    for ids in (packets.source, packets.destination):
        result, far = ids.copy(), ids >= WIDE
        result[~far] = anonymize.ipv4(ids[~far])
        if far.any():
            result[far] = known[(ids[far] ^ np.uint64(WIDE)).astype(np.int64)]
        out.append(result)
    return out


@EVERY
def test_packets(make):
    anonymize, oracle = make(KEY), make(KEY)
    for count, seed in ((10_000, 1), (0, 2), (9_000, 3), (1, 4)):
        packets = mixed(count, seed)
        kept = [array.copy() for array in packets[:2]]
        result = anonymize(packets)
        assert result.wide is None and result.time is packets.time
        for there, wanted in zip(result[:2], expected(packets, oracle), strict=True):
            assert there.dtype == np.uint64 and np.array_equal(there, wanted)
        assert all(map(np.array_equal, packets[:2], kept))  # inputs are never changed
    narrow = np.arange(5000, dtype=np.uint32) % 700
    result = anonymize(Packets(narrow, narrow[::-1]))
    assert result.source.dtype == np.uint32
    assert np.array_equal(result.source, oracle.ipv4(narrow))
    assert np.array_equal(result.destination, oracle.ipv4(narrow[::-1]))


def test_read_only_batches():
    """As a memory map gives them."""
    packets = mixed(5000, 9)
    for array in packets[:2] + (packets.wide,):
        array.flags.writeable = False
    source, destination = expected(packets, permutation(KEY))
    result = permutation(KEY)(packets)
    assert np.array_equal(result.source, source) and np.array_equal(result.destination, destination)


def test_an_address_is_anonymized_once(monkeypatch):
    """And the tables grow: from 2**16 slots to what 100,000 addresses take."""
    anonymize, seen, seen_wide = permutation(KEY), Counter(), Counter()
    narrow, wide = anonymize.ipv4, anonymize.ipv6
    monkeypatch.setattr(
        anonymize, "ipv4", lambda some: (seen.update(some.tolist()), narrow(some))[1]
    )
    monkeypatch.setattr(
        anonymize, "ipv6", lambda some: (seen_wide.update(numbers(some)), wide(some))[1]
    )
    random = np.random.default_rng(7)
    far = random.integers(0, 2**64, (50_000, 2), np.uint64)
    met = set()
    for _ in range(3):
        source, destination = random.integers(0, 100_000, (2, 150_000)).astype(np.uint64)
        destination[::2] = random.integers(0, len(far), 75_000).astype(np.uint64) | np.uint64(WIDE)
        result = anonymize(Packets(source, destination, wide=far))
        met |= {*source.tolist(), *destination[1::2].tolist()}
        assert np.array_equal(result.source, narrow(source))
        rows = (destination[::2] ^ np.uint64(WIDE)).astype(np.int64)
        assert np.array_equal(result.destination[::2], hashed(wide(far))[rows])
        assert np.array_equal(result.destination[1::2], narrow(destination[1::2]))
    assert set(seen) == met and max(seen.values()) == 1
    assert set(seen_wide) == set(numbers(far)) and max(seen_wide.values()) == 1
    assert anonymize.num_addresses == len(met - {0}) + len(far)


@EVERY
def test_quantities_are_those_of_the_packets_as_they_came(make):
    packets = mixed(20_000, 17, distinct=3000)
    before, after = assign_ids(packets), make(KEY)(packets)
    windows, others = build_windows(before, 1 << 12), build_windows(after, 1 << 12)
    for one, other in zip(windows.quantities, others.quantities, strict=True):
        assert np.array_equal(one, other)
    for one, other in zip(windows.distributions, others.distributions, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.data
@pytest.mark.parametrize("name", ["ndpi-1kxun.pcap", "ndpi-gnutella.pcap"])
@EVERY
def test_real_captures(make, name):
    path = CAPTURES / name
    if not path.is_file():
        pytest.skip(f"there is no file {path}")
    packets = read_packets(path)
    before, after = assign_ids(packets), make(KEY)(packets)
    assert packets.wide is not None  # both families
    for one, other in zip(before[:2], after[:2], strict=True):
        assert np.array_equal(one >= WIDE, other >= WIDE)
    first, second = (TrafficMatrix.from_packets(some) for some in (before, after))
    assert first.quantities() == second.quantities() and first != second


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_do_not_matter(threads):
    packets = mixed(40_000, 11, distinct=20_000)
    with edgewise.threads(threads):
        result = permutation(KEY)(packets)
    for there, wanted in zip(result[:2], expected(packets, permutation(KEY)), strict=True):
        assert np.array_equal(there, wanted)


def test_calls_of_several_threads():
    anonymize, oracle, wrong = permutation(KEY), permutation(KEY), []

    def work(seed):
        packets = mixed(20_000, seed, distinct=5000)
        result = anonymize(packets)
        for there, wanted in zip(result[:2], expected(packets, oracle), strict=True):
            if not np.array_equal(there, wanted):
                wrong.append(seed)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def test_an_interrupt_leaves_no_address_without_an_answer(monkeypatch):
    anonymize, packets = permutation(KEY), mixed(5000, 13)
    sound = anonymize.ipv4

    def interrupted(some):
        if len(some) > 1:
            raise KeyboardInterrupt
        return sound(some)

    monkeypatch.setattr(anonymize, "ipv4", interrupted)
    with pytest.raises(KeyboardInterrupt):
        anonymize(packets)
    monkeypatch.undo()
    for there, wanted in zip(anonymize(packets)[:2], expected(packets, anonymize), strict=True):
        assert np.array_equal(there, wanted)


@pytest.mark.parametrize("id", [2**32, WIDE + 60, WIDE - 1, 2**64 - 1])
def test_ids_that_are_no_addresses(id):
    packets = mixed(100, 1)
    packets.source[50] = id
    with pytest.raises(ValueError, match="IPv4 addresses or rows of their table"):
        permutation(KEY)(packets)
    with pytest.raises(ValueError, match="already have been given ids or anonymized"):
        permutation(KEY)(permutation(KEY)(mixed(100, 1)))


def test_wrong_arguments():
    anonymize = permutation(KEY)
    with pytest.raises(TypeError, match="ids of uint32 or uint64 in host memory, got int64"):
        anonymize(Packets(np.arange(3), np.arange(3)))
    with pytest.raises(TypeError, match="whole numbers in a row, got float64"):
        anonymize.ipv4([0.5])
    with pytest.raises(ValueError, match="addresses must lie in 0 to"):
        anonymize.ipv4([-1])
    with pytest.raises(TypeError, match=r"uint64 of shape \(k, 2\), got int64 of shape \(2,\)"):
        anonymize.ipv6([1, 2])


def test_what_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers", None)
    with pytest.raises(ImportError, match=r"pip install 'edgewise\[sensing\]'"):
        crypto_pan(KEY)
    assert permutation(KEY).ipv4([1]).dtype == np.uint32
