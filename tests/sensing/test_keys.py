"""Keys come from safe places only, and nothing ever shows one."""

from __future__ import annotations

import copy
import os
import pickle
import secrets
import traceback

import pytest

from edgewise.sensing import Key, Packets, crypto_pan, make_key, permutation, read_key

SECRET = bytes(range(100, 132))
DIGITS = SECRET.hex().encode()


@pytest.fixture
def key_file(tmp_path):
    def write(content: bytes, mode: int = 0o600):
        path = tmp_path / "key.txt"
        path.write_bytes(content)
        path.chmod(mode)
        return path

    return write


@pytest.mark.parametrize(
    "content",
    [SECRET, DIGITS, DIGITS.upper() + b"\r\n", b" " + DIGITS],
    ids=["raw", "digits", "capitals", "space"],
)
def test_a_file_holds_bytes_or_digits(key_file, content):
    assert read_key(key_file(content)) == Key(SECRET)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o620, 0o601])
def test_a_file_that_others_can_read_is_refused(key_file, mode):
    path = key_file(SECRET, mode)
    with pytest.raises(
        PermissionError, match=rf"others can read.*mode {mode:04o}.*chmod 600"
    ) as info:
        read_key(path)
    assert info.value.filename == str(path)


@pytest.mark.parametrize(
    "content",
    [b"", b"swordfish", SECRET[:31], SECRET + b"\n", SECRET.hex()[:63].encode()],
    ids=["empty", "word", "31", "33", "digits"],
)
def test_a_short_key_is_refused(key_file, content):
    with pytest.raises(ValueError, match=f"too short: .*64 .*32 bytes, got {len(content)} bytes"):
        read_key(key_file(content))


@pytest.mark.parametrize("content", [SECRET.hex().encode() * 2, b"g" * 64, b"\0" * 100_000])
def test_other_content_is_refused(key_file, content):
    with pytest.raises(ValueError, match="this holds something else"):
        read_key(key_file(content))


@pytest.mark.parametrize("content", [bytes(32), b"0" * 64, b"0" * 64 + b"\n"])
def test_zeros_are_refused(key_file, content, monkeypatch):
    with pytest.raises(ValueError, match="all zeros, which is no secret"):
        read_key(key_file(content))
    monkeypatch.setenv("EDGEWISE_KEY", "0" * 64)
    with pytest.raises(ValueError, match="all zeros"):
        read_key()


def test_the_environment_has_digits(monkeypatch):
    monkeypatch.setenv("EDGEWISE_KEY", SECRET.hex())
    assert read_key() == Key(SECRET)
    monkeypatch.setenv("EDGEWISE_KEY", "a" * 32)
    with pytest.raises(ValueError, match="EDGEWISE_KEY: too short: .*64 hexadecimal digits, got"):
        read_key()
    monkeypatch.delenv("EDGEWISE_KEY")
    with pytest.raises(ValueError, match="there is no key: name a file, or set EDGEWISE_KEY"):
        read_key()


def test_what_is_no_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_key(tmp_path / "nothing")
    with pytest.raises(IsADirectoryError):
        read_key(tmp_path)
    with pytest.raises(ValueError, match="must be in a file"):
        read_key("/dev/null")


def test_a_pipe_will_do():
    reader, writer = os.pipe()
    os.write(writer, SECRET.hex().encode())
    os.close(writer)
    try:
        assert read_key(f"/dev/fd/{reader}") == Key(SECRET)
    finally:
        os.close(reader)


def test_made_keys(tmp_path):
    path = tmp_path / "key.txt"
    before = os.umask(0)
    try:
        made = make_key(path)
    finally:
        os.umask(before)
    content = path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(content) == 65 and read_key(path) == made
    with pytest.raises(FileExistsError, match="key.txt already: a key is never replaced"):
        make_key(path)
    assert path.read_bytes() == content
    assert make_key(tmp_path / "other") != made
    with pytest.raises(FileNotFoundError):
        make_key(tmp_path / "no" / "folder")


def test_nothing_is_left_of_a_key_that_could_not_be_written(tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        make_key(tmp_path / "key.txt")
    assert not [*tmp_path.iterdir()]


def test_a_key_is_no_other_thing():
    with pytest.raises(TypeError, match="secret must be bytes, got str"):
        Key("a" * 32)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="secret must have 32 bytes, got 33"):
        Key(b"a" * 33)
    assert Key(SECRET) != SECRET and Key(SECRET) != Key(bytes(32))
    assert len({Key(SECRET), Key(SECRET), Key(bytes(32))}) == 2
    for make in (crypto_pan, permutation):
        with pytest.raises(TypeError, match="key must be a Key, as read_key gives it, got bytes"):
            make(SECRET)


def test_no_text_shows_a_key(key_file, monkeypatch):
    """Reprs, errors, and tracebacks that print every variable of every function on the way."""
    secret = secrets.token_bytes(32)
    key, shown = Key(secret), []
    makers = (crypto_pan, permutation)

    def watch(call):
        try:
            call()
        except Exception as error:
            told = traceback.TracebackException.from_exception(error, capture_locals=True)
            frames = told.stack[1:]  # not this one, which knows the secret
            shown.append(
                "".join(
                    [str(error), repr(error), *traceback.StackSummary.from_list(frames).format()]
                )
            )
        else:
            raise AssertionError("there should be an error")

    for anonymize in [make(key) for make in makers]:
        shown += [repr(anonymize), str(anonymize), f"{vars(anonymize)}"]
        watch(lambda anonymize=anonymize: pickle.dumps(anonymize))
        watch(lambda anonymize=anonymize: copy.deepcopy(anonymize))
        watch(lambda anonymize=anonymize: anonymize.ipv4([1 << 32]))
        watch(lambda anonymize=anonymize: anonymize(Packets([1], [2])))
        monkeypatch.setattr("edgewise.sensing.anonymize.launch", _fail)
        watch(lambda anonymize=anonymize: anonymize.ipv4([1]))
        monkeypatch.undo()
    shown += [repr(key), str(key), f"{key!s}", repr([key])]
    watch(lambda: pickle.dumps(key))
    watch(lambda: copy.copy(key))
    for content in (secret[:31], secret + b"\n", secret.hex().encode()[:-1] + b"z"):
        path = key_file(content)
        watch(lambda path=path: read_key(path))
        monkeypatch.setenv("EDGEWISE_KEY", content.hex()[:-1])
        watch(read_key)
    path = key_file(secret, 0o644)
    watch(lambda: read_key(path))
    rounds = key.derived("edgewise permutation of 32 bits", 16)
    for text in shown:
        for part in _forms(secret) + _forms(rounds):
            assert part not in text
    assert sum("hidden" in text for text in shown) >= 6


def _fail(*args, **options):
    raise RuntimeError("a kernel that fails, with its arguments in sight")


def _forms(secret: bytes) -> list[str]:
    """Pieces of a secret as they would show up."""
    words = [
        int.from_bytes(secret[i : i + 8], order) for i in (0, 8) for order in ("big", "little")
    ]
    pieces = [secret.hex()[:8], repr(secret)[2:14], ", ".join(map(str, secret[:4]))]
    return [*pieces, *map(str, words), *(f"{word:x}" for word in words)]
