"""Anonymizers: they give addresses other ones under a key, the same key always the same.

`crypto_pan` [1] keeps prefixes: addresses that agree in their first k bits and no more become such
addresses again, so that networks stay networks. Bit i of an address is flipped or not by the cipher
AES-128 of the i bits before it: 32 blocks for an IPv4 address, 128 for an IPv6 address [2], fewer
where sorted addresses share prefixes. `permutation` keeps nothing: it is a Feistel network with a
keyed hash, as good as any permutation to whoever has no key. Both are bijections, so every count of
addresses or links is that of the packets as they came.

An anonymizer remembers what it has met: over its life an address is anonymized once, and looked up
in a hash table after that. It may be a stage of a pipeline; one batch at a time goes through.

[1] J. Fan, J. Xu, M. Ammar, S. Moon. Prefix-preserving IP address anonymization: measurement-based
    security evaluation and a new cryptography-based scheme. Computer Networks 46(2), 2004.
[2] As in the implementations of others: the same construction, over 128 bits.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from edgewise.base.parallel import launch, sort
from edgewise.sensing.keys import Key
from edgewise.sensing.known import KnownIPv4, KnownIPv6
from edgewise.sensing.packets import Packets

__all__ = ["Anonymizer", "crypto_pan", "permutation"]

_ROUNDS = 10
_BLOCKS = 1 << 16  # of the cipher at a time, 1 MiB: they stay in the cache

#: What gives the first bits of some addresses, two words each, other ones: ``(words, bits)``.
Mapping = Callable[[np.ndarray, int], np.ndarray]


def crypto_pan(key: Key) -> Anonymizer:
    """Return an anonymizer that preserves prefixes: Crypto-PAn, for IPv4 and IPv6.

    Parameters
    ----------
    key : Key
        The secret key. Its first half is the AES key, its second half gives the padding.

    Returns
    -------
    Anonymizer
        Two addresses that share a prefix of n bits share one of n bits afterward.

    Raises
    ------
    ImportError
        If the package ``cryptography``, which implements the cipher, is not installed.

    Examples
    --------
    >>> anonymize = crypto_pan(Key(bytes(range(32))))
    >>> [hex(one) for one in anonymize.ipv4([0x94588499, 0x94588440])]
    ['0x6a268299', '0x6a268240']
    """
    try:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    except ImportError:
        raise ImportError(
            "Crypto-PAn needs the cipher of cryptography: pip install 'edgewise[sensing]'"
        ) from None
    cipher = Cipher(algorithms.AES(_checked(key).part(0, 16)), modes.ECB())
    pad = cipher.encryptor().update(key.part(16, 32))
    hidden = np.frombuffer(pad, ">u8").astype(np.uint64).view(_Hidden)
    return Anonymizer("crypto_pan", lambda words, bits: _flipped(words, bits, cipher, hidden))


def permutation(key: Key) -> Anonymizer:
    """Return an anonymizer that preserves no structure: a keyed permutation of all addresses.

    Equal addresses stay equal, and nothing else about them is revealed. It needs no other package
    and is several times as fast as `crypto_pan`.

    Parameters
    ----------
    key : Key
        The secret key.

    Returns
    -------
    Anonymizer

    Examples
    --------
    >>> anonymize = permutation(Key(bytes(range(32))))
    >>> first, second = anonymize.ipv4([0x94588499, 0x94588440])
    >>> hex(first), hex(second)
    ('0xa669b7ca', '0xe48bb17f')
    """
    keys = {bits: _round_keys(_checked(key), bits) for bits in (32, 128)}
    return Anonymizer("permutation", lambda words, bits: _permuted(words, bits, keys[bits]))


class Anonymizer:
    """An address anonymizer, made by `crypto_pan` or `permutation`.

    Called with `Packets`, it returns the same packets with the ids of anonymized addresses. The id
    of an IPv4 address is its bits, and that of an IPv6 address a hash of its 128 bits (see
    `edgewise.sensing.packets`). Its cache takes 16 to 64 bytes per IPv4 address, and three times as
    much per IPv6 address.

    Examples
    --------
    >>> from edgewise.sensing import Packets
    >>> anonymize = permutation(Key(bytes(range(32))))
    >>> seen = anonymize(Packets(np.uint32([1, 2, 1]), np.uint32([2, 1, 3])))
    >>> bool(seen.source[0] == seen.source[2] == seen.destination[1]), anonymize
    (True, Anonymizer(permutation, 3 addresses))
    """

    def __init__(self, method: str, mapping: Mapping):
        self.method = method
        self._mapping = mapping
        self._lock = threading.Lock()
        self._known: tuple[KnownIPv4, KnownIPv6] | None = None

    def ipv4(self, addresses: Any) -> np.ndarray:
        """Return anonymized IPv4 addresses as an array of uint32.

        The results are not cached: pass distinct addresses if addresses repeat often.
        """
        numbers = np.asarray(addresses)
        if numbers.ndim != 1 or (numbers.dtype.kind not in "iu" and numbers.size):
            raise TypeError(f"addresses must be whole numbers in a row, got {_kind(numbers)}")
        if numbers.size and not (numbers.min() >= 0 and numbers.max() < 1 << 32):
            raise ValueError("addresses must lie in 0 to 2**32 - 1, and some do not")
        words = np.zeros((2, len(numbers)), np.uint64)
        words[0] = numbers.astype(np.uint64) << np.uint64(32)
        return (self._mapping(words, 32)[0] >> np.uint64(32)).astype(np.uint32)

    def ipv6(self, addresses: Any) -> np.ndarray:
        """Return anonymized IPv6 addresses, as an array of two uint64 words per address."""
        pairs = np.asarray(addresses)
        if pairs.dtype != np.uint64 or pairs.ndim != 2 or pairs.shape[1] != 2:
            kind = f"{_kind(pairs)} of shape {pairs.shape}"
            raise TypeError(f"addresses must be uint64 of shape (k, 2), got {kind}")
        return np.ascontiguousarray(self._mapping(np.ascontiguousarray(pairs.T), 128).T)

    def __call__(self, packets: Packets) -> Packets:
        """The same packets with anonymized ids, and no table of addresses."""
        for ids in (packets.source, packets.destination):
            if not isinstance(ids, np.ndarray) or ids.dtype not in (np.uint32, np.uint64):
                raise TypeError(
                    f"packets must have ids of uint32 or uint64 in host memory, got {_kind(ids)}"
                )
        with self._lock:
            try:
                return self._anonymized(packets)
            except BaseException:  # an interrupt, say: some addresses have no answer yet
                self._known = None
                raise

    def _anonymized(self, packets: Packets) -> Packets:
        if self._known is None:
            self._known = KnownIPv4(self.ipv4), KnownIPv6(self.ipv6)
        narrow, far = self._known
        wide = np.empty((0, 2), np.uint64) if packets.wide is None else packets.wide
        named = far.look_up(np.asarray(wide, np.uint64))
        source, destination = (
            narrow.look_up(ids, named) for ids in (packets.source, packets.destination)
        )
        return packets._replace(source=source, destination=destination, wide=None)

    @property
    def num_addresses(self) -> int:
        """The number of addresses in the cache."""
        return 0 if self._known is None else sum(one.count for one in self._known)

    def __repr__(self) -> str:
        return f"Anonymizer({self.method}, {self.num_addresses} addresses)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("an anonymizer holds a key and is not pickled or copied: make another")


class _Hidden(np.ndarray):
    """An array that is a secret: what prints the variables of functions does not print it."""

    def __repr__(self) -> str:
        return "<hidden>"

    __str__ = __repr__


def _flipped(words: np.ndarray, bits: int, cipher: Any, pad: np.ndarray) -> np.ndarray:
    """Crypto-PAn of addresses in any order, some at a time."""
    from edgewise.sensing.cpu.crypto_pan import blocks, flip

    order = _sorted(words)
    out, done = np.empty_like(words), np.empty_like(words)
    step = _BLOCKS // bits
    plain, count = np.empty((_BLOCKS, 2), np.uint64), np.empty(1, np.int64)
    sealed, encryptor = np.empty((_BLOCKS + 1, 2), np.uint64), cipher.encryptor()
    for start in range(0, words.shape[1], step):
        high, low = words.take(order[start : start + step], axis=1)
        launch(blocks, high, low, bits, pad, plain, count, work=0)
        encryptor.update_into(plain[: count[0]].view(np.uint8).data, sealed.view(np.uint8).data)
        launch(flip, high, low, bits, sealed, done[:, start : start + step], work=0)
    out[:, order] = done
    return out


def _sorted(words: np.ndarray) -> np.ndarray:
    """The order of addresses by their bits."""
    order = np.arange(words.shape[1])
    for column in words[::-1]:
        keys = column[order]
        sort(keys, order)
    return order


def _permuted(words: np.ndarray, bits: int, keys: np.ndarray) -> np.ndarray:
    """A Feistel network over the first bits, half of them at each side."""
    from edgewise.sensing.cpu.permute import permute

    left, right = words.copy()
    if bits < 128:
        half = np.uint64(bits // 2)
        left, right = left >> (np.uint64(64) - half), (left << half) >> (np.uint64(64) - half)
    mask = np.uint64((1 << bits // 2) - 1)
    launch(permute, left, right, keys, mask, work=8 * _ROUNDS * len(left))
    if bits < 128:
        left = (left << (np.uint64(64) - half)) | (right << np.uint64(64 - bits))
        right = np.zeros_like(left)
    return np.stack((left, right))


def _round_keys(key: Key, bits: int) -> np.ndarray:
    """Two words for each round, others for each width."""
    secret = key.derived(f"edgewise permutation of {bits} bits", 16 * _ROUNDS)
    return np.frombuffer(secret, "<u8").astype(np.uint64).view(_Hidden)


def _checked(key: Any) -> Key:
    if not isinstance(key, Key):  # and of what it is, nothing is said: it may be a secret
        raise TypeError(f"key must be a Key, as read_key gives it, got {type(key).__name__}")
    return key


def _kind(array: Any) -> str:
    return str(getattr(array, "dtype", type(array).__name__))
