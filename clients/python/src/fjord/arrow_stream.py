"""Arrow's stream format, read as its bytes come: each record batch once it is whole, and the end that must come."""

from __future__ import annotations

import struct
from typing import Any, Iterator, List, Optional

import pyarrow as pa

from .errors import IncompleteResult

CONTINUATION = 0xFFFFFFFF
# More than any batch of the platform has, so that a length that is wrong can't fill the memory.
MESSAGE_BYTES_MAX = 2**31
METADATA_BYTES_MAX = 2**26
_RECORD_BATCH = 3


class _Feed:
    """A file that has what was put into it; pyarrow reads no further than a message's end."""

    closed = False

    def __init__(self) -> None:
        self._parts: List[bytes] = []

    def put(self, part: bytes) -> None:
        self._parts.append(part)

    def read(self, count: int = -1) -> bytes:
        whole = b"".join(self._parts) if len(self._parts) != 1 else self._parts[0]
        taken = whole if count < 0 else whole[:count]
        rest = whole[len(taken) :]
        self._parts = [rest] if rest else []
        return taken

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return False

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        self._parts = []

    def flush(self) -> None:
        return None


class ArrowDecoder:
    """Is fed the bytes of one stream; `schema` is known once its message is whole, before any batch."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._feed = _Feed()
        self._reader: Any = None
        self._is_ended = False
        self.schema: Optional[Any] = None

    def feed(self, chunk: bytes) -> Iterator[Any]:
        """The batches that are whole by now. Raises IncompleteResult where the bytes are no such stream."""
        if self._is_ended and chunk:
            raise IncompleteResult("Bytes came after the end of the result.")
        self._bytes += chunk
        while True:
            message = self._take_message()
            if message is None:
                return
            self._feed.put(message)
            try:
                if self._reader is None:
                    self._reader = pa.ipc.open_stream(pa.PythonFile(self._feed, mode="r"))
                    self.schema = self._reader.schema
                elif _header_type(message) == _RECORD_BATCH:
                    yield self._reader.read_next_batch()
            except (pa.ArrowException, StopIteration, OSError) as error:
                raise IncompleteResult(f"The result is no Arrow stream: {error}") from error

    def end(self) -> None:
        """Raises IncompleteResult unless the stream's own end has come."""
        if not self._is_ended:
            raise IncompleteResult("The result broke off before its end.")

    def _take_message(self) -> Optional[bytes]:
        if len(self._bytes) < 8:
            return None
        continuation, metadata = struct.unpack_from("<Ii", self._bytes)
        if continuation != CONTINUATION or not 0 <= metadata <= METADATA_BYTES_MAX:
            raise IncompleteResult("The result is no Arrow stream.")
        if metadata == 0:
            self._is_ended = True
            if len(self._bytes) > 8:
                raise IncompleteResult("Bytes came after the end of the result.")
            self._bytes.clear()
            return None
        if len(self._bytes) < 8 + metadata:
            return None
        size = 8 + metadata + _body_length(bytes(self._bytes[8 : 8 + metadata]))
        if len(self._bytes) < size:
            return None
        message = bytes(self._bytes[:size])
        del self._bytes[:size]
        return message


def _table_field(metadata: bytes, index: int) -> Optional[int]:
    """Where a field of the flatbuffer's root table is; None where it has its default."""
    try:
        (table,) = struct.unpack_from("<I", metadata, 0)
        (back,) = struct.unpack_from("<i", metadata, table)
        vtable = table - back
        (size,) = struct.unpack_from("<H", metadata, vtable)
        at = 4 + 2 * index
        (offset,) = struct.unpack_from("<H", metadata, vtable + at) if at < size else (0,)
        return table + offset if offset else None
    except struct.error as error:
        raise IncompleteResult("The result is no Arrow stream.") from error


def _body_length(metadata: bytes) -> int:
    """`bodyLength` of https://github.com/apache/arrow/blob/main/format/Message.fbs, the fourth field of a message."""
    at = _table_field(metadata, 3)
    try:
        length = 0 if at is None else int(struct.unpack_from("<q", metadata, at)[0])
    except struct.error as error:
        raise IncompleteResult("The result is no Arrow stream.") from error
    if not 0 <= length <= MESSAGE_BYTES_MAX:
        raise IncompleteResult("The result is no Arrow stream.")
    return length


def _header_type(message: bytes) -> int:
    at = _table_field(message[8:], 1)
    return 0 if at is None else message[8 + at]
