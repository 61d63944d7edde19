"""What both clients do with files and answers before and after input and output."""

from __future__ import annotations

import io
import os
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, Iterator, List, Optional, Tuple, Union

import httpx

from . import frames
from .errors import FjordError
from .plans.effects import Send
from .plans.write import Target, Writing, drive_path, statement_of, table_name

CONNECT_SECONDS = 10.0
# More than any document of the API; results stream, and are not among them.
DOCUMENT_BYTES_MAX = 64 * 1024 * 1024
MEMORY_BYTES_MAX = 32 * 1024 * 1024


def request_of(http: Union[httpx.Client, httpx.AsyncClient], effect: Send) -> httpx.Request:
    timeout = httpx.Timeout(effect.answer_seconds, connect=CONNECT_SECONDS)
    return http.build_request(
        effect.method, effect.url, headers=dict(effect.headers), content=effect.content, timeout=timeout
    )


class BoundedBody:
    """A body that is read as a whole; one that does not end is not a document of the platform."""

    def __init__(self) -> None:
        self._parts: List[bytes] = []
        self._size = 0

    def add(self, chunk: bytes) -> None:
        self._size += len(chunk)
        if self._size > DOCUMENT_BYTES_MAX:
            raise FjordError(f"The answer has more than {DOCUMENT_BYTES_MAX} bytes.")
        self._parts.append(chunk)

    def whole(self) -> bytes:
        return b"".join(self._parts)


@dataclass(frozen=True)
class PreparedTable:
    """A table as a Parquet file, and where it goes: a path of the drive, or a table of the lake."""

    file: IO[bytes]
    size: int
    rows: int
    drive_path: Optional[str]
    table: str
    mode: str

    def writing(self, request_id: str, deadline: Optional[float]) -> Writing:
        return Writing(self.table, self.mode, self.file, self.size, request_id, deadline)


@contextmanager
def parquet(data: Any, to: Target, mode: str) -> Iterator[PreparedTable]:
    """The file is gone afterwards. What is wrong with the target or the mode is known before anything is sent."""
    path = drive_path(to)
    name = "" if path is not None else table_name(to)
    statement_of(mode, name, "")
    table = frames.to_table(data)
    with tempfile.SpooledTemporaryFile(max_size=MEMORY_BYTES_MAX) as file:
        frames.write_parquet(table, file)
        size = file.tell()
        file.seek(0)
        yield PreparedTable(file, size, table.num_rows, path, name, mode)


@contextmanager
def opened(file: Union[str, bytes, IO[bytes]]) -> Iterator[Tuple[IO[bytes], int]]:
    """A file that can seek, and its size. One that the caller has opened stays open."""
    if isinstance(file, bytes):
        yield io.BytesIO(file), len(file)
        return
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as source:
            yield source, os.fstat(source.fileno()).st_size
        return
    size = file.seek(0, os.SEEK_END)
    yield file, size
