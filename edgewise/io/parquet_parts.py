"""Folders of Parquet files as one table: on this machine, or on any filesystem of pyarrow.

The parts are all files of a folder and its subfolders that end in ``.parquet``, in the order of
their paths; names that begin with a dot or an underscore are left out. Subfolders such as
``year=2024`` become columns. The note of Edgewise is that of the first part.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from edgewise.base.errors import FileFormatError
from edgewise.io.files import byte_limit

__all__ = ["Parts", "is_parts", "place_of"]

_SUFFIX = ".parquet"
_BLOCK = 1 << 22


def is_parts(path: Any, filesystem: Any = None) -> bool:
    """Is it a folder, or a place on another filesystem?"""
    return filesystem is not None or "://" in str(path) or Path(path).is_dir()


def place_of(path: Any, filesystem: Any = None) -> tuple[Any, str]:
    """The filesystem and the path on it, from a path, or a URI such as ``s3://bucket/folder``.

    >>> place_of("file:///data/roads")[1]
    '/data/roads'
    """
    from pyarrow import fs

    text = os.fspath(path)
    if filesystem is not None:
        if not isinstance(filesystem, fs.FileSystem):  # one of fsspec
            filesystem = fs.PyFileSystem(fs.FSSpecHandler(filesystem))
        return filesystem, text
    if "://" in text:
        return fs.FileSystem.from_uri(text)
    return fs.LocalFileSystem(), str(Path(text).absolute())


class Parts:
    """The files of a folder, or one file, and their row groups.

    Parameters
    ----------
    path : path or str
        The folder or file, or its URI.
    filesystem : pyarrow.fs.FileSystem or fsspec filesystem, optional
        Where the path is.
    """

    def __init__(self, path: Any, filesystem: Any = None):
        from pyarrow import fs

        self.path = path
        self.filesystem, self.base = place_of(path, filesystem)
        found = self.filesystem.get_file_info(self.base)
        if found.type == fs.FileType.NotFound:
            raise FileNotFoundError(f"there is no file or folder {path}")
        files = [found]
        if found.type == fs.FileType.Directory:
            inside = self.filesystem.get_file_info(fs.FileSelector(self.base, recursive=True))
            files = sorted(filter(self._is_part, inside), key=lambda one: one.path)
        if not files:
            raise FileFormatError(path, f"the folder has no file that ends in {_SUFFIX}")
        self.files = [one.path for one in files]
        self.sizes = [int(one.size) for one in files]

    def _is_part(self, info: Any) -> bool:
        inner = info.path[len(self.base) :].strip("/").split("/")
        return info.path.endswith(_SUFFIX) and not any(one[:1] in "._" for one in inner)

    @cached_property
    def _dataset(self) -> Any:
        from pyarrow import dataset

        scan = dataset.ParquetFragmentScanOptions(page_checksum_verification=True)
        return dataset.dataset(
            self.files, filesystem=self.filesystem, partitioning="hive",
            partition_base_dir=self.base if self.files != [self.base] else None,
            format=dataset.ParquetFileFormat(default_fragment_scan_options=scan),
        )  # fmt: skip

    def fingerprint(self, compare: str = "samples") -> tuple[Any, ...]:
        """The files, their sizes, and with "all" a checksum of all bytes."""
        found = hashlib.blake2b(digest_size=16)
        for file in self.files if compare == "all" else ():
            with self.filesystem.open_input_stream(file) as stream:
                while data := stream.read(_BLOCK):
                    found.update(data)
        return self.files, self.sizes, found.hexdigest()

    @property
    def schema(self) -> Any:
        """The columns, with the metadata of the first part."""
        return self._dataset.schema

    @property
    def in_files(self) -> Any:
        """The columns of the first file, without those that subfolders stand for."""
        return next(self._dataset.get_fragments()).physical_schema

    def rows(self, places: Sequence[int]) -> list[list[int]]:
        """The numbers of rows in the row groups of some of the files."""
        fragments = list(self._dataset.get_fragments())
        found = []
        for place in places:
            data = fragments[place].metadata
            groups = [data.row_group(k) for k in range(data.num_row_groups)]
            need = max(16 * data.num_rows, sum(one.total_byte_size for one in groups))
            if need > (most := byte_limit(self.sizes[place])) or data.num_rows < 0:
                reason = f"{data.num_rows} rows take {need} bytes, more than {most}"
                raise FileFormatError(self.files[place], f"{reason}; pass max_bytes= to allow more")
            found.append([one.num_rows for one in groups])
        return found

    def table(self, names: list[str], groups: dict[int, list[int]] | None = None) -> Any:
        """Some columns of all row groups, or of those that are named for each file, in order."""
        import pyarrow

        if groups is None:
            self.rows(range(len(self.files)))
            return self._dataset.to_table(columns=names)
        fragments, schema = list(self._dataset.get_fragments()), self.schema
        tables = [
            fragments[place].subset(row_group_ids=chosen).to_table(schema=schema, columns=names)
            for place, chosen in groups.items() if chosen
        ]  # fmt: skip
        wanted = pyarrow.schema([schema.field(name) for name in names])
        return pyarrow.concat_tables(tables) if tables else wanted.empty_table()
