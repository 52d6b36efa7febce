"""UUIDs as labels: columns of Arrow's type ``arrow.uuid`` become text, as ``str(uuid)`` spells it.

Parquet files have this type, for example those that DuckDB writes. The text is made by NumPy, all
rows at once. A vertex is found by the text and by the `uuid.UUID`, whichever of them is its label.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

import numpy as np

__all__ = ["is_uuid", "other_form", "with_text"]

_LENGTH = 36
#: Where the 32 digits stand between the dashes.
_PLACES = [k for k in range(_LENGTH) if k not in (8, 13, 18, 23)]
_DIGITS = np.frombuffer(b"0123456789abcdef", np.uint8)


def is_uuid(kind: Any) -> bool:
    """Whether an Arrow type is that of UUIDs.

    >>> import pyarrow
    >>> is_uuid(pyarrow.uuid()), is_uuid(pyarrow.binary(16))
    (True, False)
    """
    return getattr(kind, "extension_name", "") == "arrow.uuid"


def with_text(values: Any) -> Any:
    """An Arrow column of UUIDs as one of strings; anything else as it is.

    >>> import pyarrow
    >>> one = UUID("12345678-9abc-def0-1234-56789abcdef0")
    >>> with_text(pyarrow.array([one.bytes, None], pyarrow.uuid())).to_pylist() == [str(one), None]
    True
    """
    if not is_uuid(getattr(values, "type", None)):
        return values
    import pyarrow

    if isinstance(values, pyarrow.ChunkedArray):
        chunks = [with_text(chunk) for chunk in values.chunks]
        return pyarrow.chunked_array(chunks, pyarrow.large_string())
    count, storage = len(values), values.storage
    first = 16 * storage.offset
    codes = np.frombuffer(storage.buffers()[1] or b"", np.uint8)[first : first + 16 * count]
    text = np.full((count, _LENGTH), ord("-"), np.uint8)
    digits = np.stack([codes >> 4, codes & 15], axis=-1).reshape(count, 32)
    text[:, _PLACES] = _DIGITS[digits]
    ends = np.arange(count + 1, dtype=np.int64) * _LENGTH
    buffers = [None, pyarrow.py_buffer(ends), pyarrow.py_buffer(text)]
    found = pyarrow.Array.from_buffers(pyarrow.large_string(), count, buffers)
    if not storage.null_count:
        return found
    return pyarrow.compute.if_else(storage.is_valid(), found, None)


def other_form(label: Any) -> Any:
    """The text of a UUID, or the UUID of a text; None if the label is neither.

    >>> one = UUID(int=7)
    >>> other_form(one) == str(one), other_form(str(one)) == one, other_form("7")
    (True, True, None)
    """
    if isinstance(label, UUID):
        return str(label)
    if not isinstance(label, str) or len(label) != _LENGTH:
        return None
    try:
        return UUID(label)
    except ValueError:
        return None
