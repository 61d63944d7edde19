"""Results that stream: record batches as they come, or all of them, and an error where the end does not come."""

from __future__ import annotations

from typing import Any, AsyncIterator, Dict, Iterator, List, Optional

import httpx
import pyarrow as pa

from . import frames
from .arrow_stream import ArrowDecoder
from .errors import FjordError, IncompleteResult
from .plans.effects import Answer


class _Body:
    """The part of both kinds of results that knows no input and output."""

    def __init__(self, answer: Answer, request_id: str) -> None:
        assert answer.stream is not None
        self._response = answer.stream
        self._decoder = ArrowDecoder()
        self._is_taken = False
        self._table: Optional[Any] = None
        self.request_id = request_id
        self.cache_status: Optional[str] = answer.headers.get("cache-status")

    def _take(self) -> None:
        if self._is_taken:
            raise FjordError("A result is read once. Keep what `arrow()` or `pandas()` answers.")
        self._is_taken = True

    def _build(self, batches: List[Any]) -> Any:
        self._table = pa.Table.from_batches(batches, schema=self._decoder.schema)
        return self._table


class Result(_Body):
    """
    What a statement answers. It is read once, by `batches`, or as a whole by the others, which may be called again.
    All of them raise IncompleteResult where it breaks off. `close` ends a statement whose rest is not wanted.
    """

    def batches(self) -> Iterator[Any]:
        """Record batches of Arrow, each as soon as it is whole."""
        self._take()
        try:
            for chunk in self._response.iter_bytes():
                yield from self._decoder.feed(chunk)
            self._decoder.end()
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise IncompleteResult(f"The result broke off: {error or type(error).__name__}") from error
        finally:
            self._response.close()

    def arrow(self) -> Any:
        """A `pyarrow.Table`."""
        return self._table if self._table is not None else self._build(list(self.batches()))

    def pandas(self) -> Any:
        """A `pandas.DataFrame`. Integers and truth values with NULLs have pandas' nullable types."""
        return frames.to_pandas(self.arrow())

    def rows(self) -> List[Dict[str, Any]]:
        """Rows with values of Python: Decimal, datetime, date, bytes, list, dict."""
        return frames.to_rows(self.arrow())

    def close(self) -> None:
        self._response.close()

    def __enter__(self) -> "Result":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncResult(_Body):
    """The result of an `AsyncClient`; see `Result`."""

    async def batches(self) -> AsyncIterator[Any]:
        """Record batches of Arrow, each as soon as it is whole."""
        self._take()
        try:
            async for chunk in self._response.aiter_bytes():
                for batch in self._decoder.feed(chunk):
                    yield batch
            self._decoder.end()
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise IncompleteResult(f"The result broke off: {error or type(error).__name__}") from error
        finally:
            await self._response.aclose()

    async def arrow(self) -> Any:
        """A `pyarrow.Table`."""
        return self._table if self._table is not None else self._build([batch async for batch in self.batches()])

    async def pandas(self) -> Any:
        """A `pandas.DataFrame`. Integers and truth values with NULLs have pandas' nullable types."""
        return frames.to_pandas(await self.arrow())

    async def rows(self) -> List[Dict[str, Any]]:
        """Rows with values of Python: Decimal, datetime, date, bytes, list, dict."""
        return frames.to_rows(await self.arrow())

    async def close(self) -> None:
        await self._response.aclose()

    async def __aenter__(self) -> "AsyncResult":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
